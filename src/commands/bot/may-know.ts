import { z } from 'zod';
import { accountTarget, mayReadAll } from '../../core/account.ts';
import type { OperationSummary } from '../../core/bot.ts';
import type { ReadContext } from '../../core/command.ts';

type Reader = Pick<ReadContext<unknown>, 'may' | 'actor' | 'channel'>;
type Request = Pick<OperationSummary, 'targets' | 'requester' | 'steps'>;

/** A request names what it is about: it is told to those who may read all of that, and to whoever asked. */
export function mayKnow({ may, actor, channel }: Reader): (request: Request) => boolean {
  return ({ targets, requester, steps }) =>
    requester === actor ||
    (mayReadAll(targets, may) &&
      steps.every(({ data }) => {
        const scope = freezeSchema.safeParse(data).data?.scope;
        return scope === undefined || maySeeFreeze(scope, channel, may);
      }));
}

/** The step of a freeze: its scope may be a tag, which the target does not show. */
const freezeSchema = z.object({ scope: z.string() });

/** A freeze here is shown to everybody here; a freeze elsewhere only to people who may read its target. */
export function maySeeFreeze(scope: string, channel: string, may: ReadContext<unknown>['may']): boolean {
  if (scope === 'all' || scope === `channel:${channel}` || may('read', accountTarget)) return true;
  const tags = scope.startsWith('tag:') ? [scope.slice('tag:'.length)] : [];
  return may('read', { kind: 'order', id: '', name: '', tags, project: null });
}
