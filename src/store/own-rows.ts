import type { ExpressionBuilder } from 'kysely';
import type { Context } from './dialect.ts';
import type { Schema } from './schema.ts';

/** A newer version that was not seen for so long is gone, as after a rollback, and this version takes its rows. */
const newerGoneMs = 10 * 60_000;

/**
 * Whether an operation is for this version to work on: a newer version that runs works on its own rows. The statement that
 * takes the row decides it, since a newer version may have started a moment ago.
 */
export function isForThisVersion({ build, clock }: Pick<Context, 'build' | 'clock'>, isPrepared = false) {
  return ({ eb, or, not, exists, selectFrom }: ExpressionBuilder<Schema, 'operations'>) => {
    const newer = selectFrom('presence')
      .select('presence.id')
      .where('presence.build', '>', build)
      .where('presence.at', '>', clock(-newerGoneMs, isPrepared));
    return or([eb('operations.format', '<=', build), not(exists(newer))]);
  };
}
