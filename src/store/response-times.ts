import { sql } from 'kysely';
import type { Answer } from '../core/plan/answers.ts';
import type { Json } from '../core/text/json.ts';
import { day } from '../core/text/words.ts';
import { type Context, parseJson, rowsAs } from './dialect.ts';

const readForMs = 30 * day;
const mostRead = 1_000;

/** The literal of the partial index on requests that need an approval. */
export const needsApproval = `rule like '%"rule":{%'`;

/** How requests of the last 30 days were answered, without emergencies and runs, which wait for nobody. */
export function createResponseTimes({ db, now }: Context) {
  const answered = () =>
    db
      .selectFrom('operations')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('operations as newest')
          .select('newest.id')
          .where(sql.raw<boolean>(needsApproval))
          .where('newest.createdAt', '>', now() - readForMs)
          .orderBy('newest.createdAt', 'desc')
          .orderBy('newest.id', 'desc')
          .limit(mostRead),
      )
      .where('glass', 'is', null)
      .where(({ or, eb, ref }) => or([eb('decidedAt', 'is', null), eb('decidedAt', '>=', ref('createdAt'))]))
      .select(({ and, eb, exists, not, selectFrom }) => [
        'createdAt',
        'decidedAt',
        and([
          eb('state', '=', 'expired'),
          eb('decidedAt', 'is', null),
          not(exists(selectFrom('votes').select('votes.userId').whereRef('votes.operationId', '=', 'operations.id'))),
        ]).as('isUnseen'),
      ]);
  return {
    /** In all channels, at most the last thousand. */
    list: (): Promise<Answer[]> => answered().$call(rowsAs((row) => ({ ...row, isUnseen: Boolean(row.isUnseen) }))),

    /** In one channel, among the same thousand, with their requesters and plans. */
    listIn: (channel: string): Promise<(Answer & { readonly requester: string; readonly plan: Json })[]> =>
      answered()
        // An index on the channel would pass all of its requests; SQLite would prefer it to the thousand ids.
        .where(sql`channel || ''`, '=', channel)
        .select(['requester', 'plan'])
        .$call(rowsAs((row) => ({ ...row, plan: parseJson(row.plan), isUnseen: Boolean(row.isUnseen) }))),
  };
}
