import type { OperationSummary } from '../../core/bot.ts';
import type { ReadContext } from '../../core/command.ts';

/** A request names what it is about: it is told to those who may read all of that, and to whoever asked. */
export function mayKnow({ may, actor }: Pick<ReadContext<unknown>, 'may' | 'actor'>) {
  return ({ targets, requester }: Pick<OperationSummary, 'targets' | 'requester'>): boolean =>
    requester === actor || targets.every((target) => target.kind === 'channel' || may('read', target));
}
