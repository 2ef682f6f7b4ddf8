import { sql } from 'kysely';
import { openStates } from '../core/operation.ts';

/**
 * For `state in …`, in the words of the indexes on what has not ended: SQLite does not compare a list of parameters with
 * them, and would read all that has ended. Who looks for some of these states asks for all first.
 */
export const openList = openStates.map((state) => sql.lit(state));
