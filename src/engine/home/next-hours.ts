import { mayKnow, targetKey } from '../../core/account/account.ts';
import { signs } from '../../core/view/signs.ts';
import { protectionsToShow } from '../access/protections.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from '../operation/read-operation.ts';
import { byHour, mostRead } from '../operation/waiting-for.ts';

const nextShown = 3;

/** The next requests with an hour: the person's own, and those of the channels that the person may read. */
export async function nextHours(
  context: EngineContext,
  user: string,
  accesses: ReadonlyMap<string, Access>,
): Promise<readonly Operation[]> {
  const requests = await byHour(context, { channels: [...accesses.keys()], requester: user, limit: mostRead });
  return requests.filter((operation) => mayReadOn(operation, user, accesses)).slice(0, nextShown);
}

/** The same people may read a request here as in `/host requests`. */
export function mayReadOn(
  { requester, channel, plan }: Operation,
  user: string,
  accesses: ReadonlyMap<string, Access>,
): boolean {
  return mayKnow({ ...plan, requester }, user, accesses.get(channel));
}

/** `📌 pinned` for the requests that are open and about a protected target; empty for any other. */
export async function protectionMarks(
  context: EngineContext,
  requests: readonly Operation[],
): Promise<(request: Operation) => string> {
  const protections = await protectionsToShow(
    context,
    requests.flatMap(({ plan }) => plan.targets),
  );
  const protectedTargets = new Set(protections.map(({ key }) => key));
  return ({ plan, endedAt }) =>
    endedAt === null && plan.targets.some((target) => protectedTargets.has(targetKey(target)))
      ? `${signs.protected} pinned`
      : '';
}
