import { sql } from 'kysely';
import { openStates } from '../../core/plan/operation.ts';

/**
 * For `state in …`, in the words of the indexes on what has not ended: SQLite does not compare a list of parameters with
 * them, and would read all that has ended. Who looks for some of these states asks for all first.
 */
export const openList = openStates.map((state) => sql.lit(state));

/**
 * The state of messages to deliver, in the words of their index: PostgreSQL plans a statement anew at each call when a
 * parameter in its place would rule the index out.
 */
export const due = sql.lit('due' as const);
