import { type Order, orderTarget, targetKey } from '../../core/account/account.ts';
import { minute } from '../../core/text/words.ts';
import type { Store } from '../../store/database.ts';
import type { EngineContext, PowerRead } from '../context/engine-context.ts';

/** The alert rules read each server about every five minutes; an older power would date the whole response back. */
const powerGoodForMs = 10 * minute;

/** The servers whose usual power is off, for the alert rule of the power: they are off on purpose. */
export async function offAsUsual({ values }: Pick<Store, 'values'>, servers: readonly Pick<Order, 'id'>[]) {
  const ids = servers.map(({ id }) => id);
  const observed = await values.find('power', ids);
  return new Set(ids.filter((id) => observed.get(id)?.value.usual === 'off'));
}

/** The last power state of each server read shortly before `at`, unless the server was changed since. */
export async function lastPowers(
  { store, lastRead }: Pick<EngineContext, 'lastRead' | 'store'>,
  orders: readonly Order[],
  at: number,
): Promise<ReadonlyMap<string, PowerRead>> {
  const since = at - powerGoodForMs;
  const servers = orders.filter(({ kind }) => kind === 'vps');
  const ids = servers.map(({ id }) => id);
  const [observed, touched] = await Promise.all([store.values.find('power', ids), store.steps.touchedSince(since)]);
  return new Map(
    servers.flatMap((server) => {
      const { id } = server;
      const row = observed.get(id);
      const reads = [
        lastRead.power(id),
        row === undefined || (row.value.seen !== 'on' && row.value.seen !== 'off')
          ? undefined
          : ({ power: row.value.seen, readAt: row.at } as const),
      ];
      const read = reads.filter((reading) => reading !== undefined).toSorted((a, b) => b.readAt - a.readAt)[0];
      const key = targetKey(orderTarget(server));
      const isTouched = (readAt: number) =>
        touched.some(({ target, endedAt }) => target === key && (endedAt === null || endedAt >= readAt));
      return read === undefined || read.readAt < since || isTouched(read.readAt) ? [] : [[id, read] as const];
    }),
  );
}
