import { domainTarget, orderTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { answersOf } from '../../core/policy/evaluate.ts';
import type { Policy } from '../../core/policy/policy.ts';
import type { Comeback } from '../../core/probe/comeback.ts';
import { hasAnswered, servicesOf } from '../../core/probe/services.ts';
import { ifReadable } from '../../core/view/errors.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';

/**
 * Tries the services of the server right before the write. A service that is silent now does not have to answer afterwards,
 * so a firewall causes no false alarm. Null if the server does not have to come back, or nothing answers.
 */
export async function probeBefore(
  { answersWithinMs, prober, now, store }: EngineContext,
  step: ReturnType<AnyAction['step']>,
  { account, may }: ReadContext,
  policy: Policy | undefined,
): Promise<Comeback | null> {
  const wanted = prober.whyOff === undefined ? step.comesBack() : undefined;
  const { orders = [], domains = [] } = (wanted && (await ifReadable(account()))) ?? {};
  const order = orders.find(({ id }) => id === wanted?.id);
  if (wanted === undefined || order === undefined) return null;
  const { ports, withinMs = answersWithinMs } = answersOf(policy, orderTarget(order));
  const zones = domains.filter((domain) => may('read', domainTarget(domain)));
  const before = (await prober.probe(servicesOf(order, zones, ports))).filter(hasAnswered);
  if (before.length === 0) return null;
  const answered = { services: before, silentSince: null, learnedAt: now() };
  await store.values.write('answered', { [order.id]: answered }, now());
  const { needs } = wanted;
  return { before, beforeAt: now(), needs, withinMs, isVerified: false, missing: null, tookMs: 0 };
}
