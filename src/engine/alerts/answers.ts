import { setTimeout as pause } from 'node:timers/promises';
import type { Domain, Order } from '../../core/account/account.ts';
import type { Alert } from '../../core/alert/alert.ts';
import type { ServerAnswers } from '../../core/alert/alert-rule.ts';
import { nextProbe } from '../../core/plan/polling-schedule.ts';
import { hasAnswered, servicesOf } from '../../core/probe/services.ts';
import { sayDuration, second } from '../../core/text/words.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { learnAnswersEveryMs } from '../context/time-limits.ts';

/** The answers of servers from outside, for alerts. */

/** A sweep tries the first of them only, so that it ends in time. */
const mostServers = 50;

/** Tries servers once, and stores their answers. Leaves out servers that never answered. */
export async function seeAnswers(
  { prober, now, store }: EngineContext,
  orders: readonly Order[],
  domains: readonly Domain[],
): Promise<readonly ServerAnswers[]> {
  const some = orders.slice(0, mostServers);
  const ids = some.map(({ id }) => id);
  const earlier = await store.values.find('answered', ids);
  const at = now();
  const seen = await Promise.all(
    some.map(async (order) => {
      const last = earlier.get(order.id)?.value ?? { services: [], silentSince: null, learnedAt: 0 };
      const learns = at - last.learnedAt >= learnAnswersEveryMs;
      const probed = await prober.probe(learns ? servicesOf(order, domains) : last.services);
      const answered = probed.filter(hasAnswered);
      const isSilent = answered.length === 0;
      const next = {
        services: learns && !isSilent ? answered : last.services,
        silentSince: isSilent && last.services.length > 0 ? (last.silentSince ?? at) : null,
        learnedAt: learns ? at : last.learnedAt,
      };
      return { order, next, isSilent, wasSilent: last.silentSince !== null };
    }),
  );
  await store.values.write('answered', Object.fromEntries(seen.map(({ order, next }) => [order.id, next])), at);
  return seen.flatMap(({ order, next: { services, silentSince }, isSilent, wasSilent }) =>
    services.length === 0 ? [] : [{ order, services, silentSince, isSilent: isSilent && wasSilent }],
  );
}

/** Adds to the end of an alert that the server answers again, when it does: `web-1 is on again, answers after 38 s`. */
export async function sayWhenItAnswers(
  { alerts, answersWithinMs, prober, now, store }: EngineContext,
  { id, channel, cause, endText }: Pick<Alert, 'id' | 'channel' | 'cause' | 'endText'>,
): Promise<void> {
  const services = (await store.values.get('answered', cause))?.services ?? [];
  const since = now();
  for (let looks = 1; services.length > 0 && now() - since < answersWithinMs; looks++) {
    const hasAny = (await prober.probe(services)).some(hasAnswered);
    const row = await store.alerts.find(id);
    if (row?.endText !== endText) return;
    if (hasAny) {
      const after = sayDuration(Math.max(second, now() - since));
      await store.alerts.change(id, row.version, { endText: `${endText}, answers after ${after}` });
      return alerts.publishSoon(channel);
    }
    await pause(nextProbe(looks), undefined, { ref: false });
  }
}
