import { accountTarget, mayReadRequest, tagTarget } from '../../core/account/account.ts';
import type { OperationSummary } from '../../core/command/bot.ts';
import type { ReadContext } from '../../core/command/command.ts';

type Reader = Pick<ReadContext<unknown>, 'may' | 'actor' | 'channel'>;
type Request = Pick<OperationSummary, 'targets' | 'names' | 'requester'>;

/** Requests name their targets, so people may know their own and those whose targets they may read. */
export function mayKnow(reader: Reader): (request: Request) => boolean {
  return (request) => request.requester === reader.actor || mayReadRequest(request, reader);
}

/** A freeze of this channel is shown to everyone here; any other freeze only to people who may read its target. */
export function maySeeFreeze(scope: string, channel: string, may: ReadContext<unknown>['may']): boolean {
  if (scope === 'all' || scope === `channel:${channel}` || may('read', accountTarget)) return true;
  const tag = tagOf(scope);
  return tag !== undefined && may('read', tagTarget(tag));
}

/** The tag of a freeze; undefined for a channel and for everything. */
export function tagOf(scope: string): string | undefined {
  return scope.startsWith('tag:') ? scope.slice('tag:'.length) : undefined;
}
