import { sql } from 'kysely';
import { openStates, underWayStates } from '../core/plan/operation.ts';

/**
 * The states for `state in …`, as literals like those of the indexes on open operations: SQLite does not match a list
 * of parameters with a partial index, and would read all ended operations. A query for some of these states selects all
 * of them first.
 */
export const openList = openStates.map((state) => sql.lit(state));

/** The same for the states of decided requests that do not wait for a moment: thousands may be scheduled. */
export const underWayList = underWayStates.map((state) => sql.lit(state));

/**
 * The state of messages to deliver, as the literal of their partial index: with a parameter in its place PostgreSQL
 * could not use the index in a generic plan, and would plan the statement anew at each call.
 */
export const due = sql.lit('due' as const);
