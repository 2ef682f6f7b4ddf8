import { mayKnow, type Target, targetKey } from '../../core/account/account.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { sayAsker, stateWords } from '../../core/plan/say-state.ts';
import { defined } from '../../core/text/defined.ts';
import { type Button, reviewButton, type Span, says, titleSpan, type View } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Proposal } from '../operation/create.ts';
import { findOperation, type Operation } from '../operation/read-operation.ts';
import type { CommandRequest } from './command-request.ts';

/** A request that has not begun and that a new one would duplicate. */
interface PendingDuplicate {
  readonly operation: Operation;
  /** The server that both change; undefined if both are the same request. */
  readonly shared: Target | undefined;
}

interface Asked extends Pick<Proposal, 'canonical' | 'command' | 'id'> {
  readonly targets: readonly Target[];
  /** The hour of the request; null if the request begins at once. Requests for different hours are no duplicates. */
  readonly startsAt: number | null;
  /** The request that this one replaces. */
  readonly replaces: string | undefined;
}

/**
 * Finds a request that has not begun, for the same hour or for none, that this person may read and that is the same, or another long-running change of the same
 * server. `id` is the id of the new request.
 */
export async function findDuplicate(
  { store, commands }: EngineContext,
  { id, command, canonical, targets, startsAt, replaces }: Asked,
  access: Access,
): Promise<PendingDuplicate | undefined> {
  const followed = commands.flatMap((each) => (each.kind === 'action' && each.isFollowed ? [each.path] : []));
  // A command writes its arguments in one order.
  const wanted = JSON.stringify(canonical);
  const rows = await (command.isFollowed
    ? store.operations.notBegun(followed, startsAt)
    : store.operations.notBegun([command.path], startsAt, wanted));
  // The same line about another channel is a different request.
  const isAbout = (row: (typeof rows)[number]) => command.isAboutChannel !== true || row.channel === access.channel;
  const isSame = (row: (typeof rows)[number]) => row.command === command.path && isAbout(row) && row.args === wanted;
  const servers = new Map(targets.filter(({ kind }) => kind === 'order').map((target) => [targetKey(target), target]));
  // A form submitted twice yields one request, which must not be its own duplicate.
  const others = rows.filter((row) => row.id !== id && row.id !== replaces);
  const mayShow = ({ plan, requester }: Operation) => mayKnow({ ...plan, requester }, access.actor.id, access);
  const read = async (some: typeof others) =>
    (await Promise.all(some.map(({ id }) => findOperation({ store }, id)))).filter((row) => row !== undefined);
  const same = (await read(others.filter(isSame))).find(mayShow);
  if (same !== undefined) return { operation: same, shared: undefined };
  if (!command.isFollowed || servers.size === 0) return undefined;
  for (const operation of await read(others)) {
    const shared = operation.plan.targets.map((target) => servers.get(targetKey(target))).find(Boolean);
    if (shared !== undefined && mayShow(operation)) return { operation, shared };
  }
  return undefined;
}

/** Offers the earlier request first, since two cards for one change would need two decisions. */
export function duplicateView(
  { actor, command, raw, reason, replaces }: CommandRequest,
  { operation: duplicate, shared }: PendingDuplicate,
  channel: string,
  link?: string,
): View {
  const line = lineOf(command, raw, reason);
  const buttons: Button[] = [
    { ...reviewButton('Open it', duplicate.id), style: 'primary' },
    { label: 'Ask anyway', intent: { do: 'run', line, in: channel, anyway: true, ...defined({ replaces }) } },
  ];
  const { requester, startsAt, state, token } = duplicate;
  const opening: Span[] =
    shared === undefined ? [] : ['Another request for ', { bold: shared.name }, ` is ${stateWords[state]}. `];
  const isScheduled = state === 'scheduled' && startsAt !== null;
  const view = says(
    [
      ...opening,
      ...(requester === actor && token === null ? ['You'] : sayAsker(duplicate)),
      isScheduled ? ' already scheduled ' : ' already requested ',
      titleSpan(duplicate.plan.title, link),
      ' in ',
      { channel: duplicate.channel },
      isScheduled ? ' for ' : ' at ',
      { date: isScheduled ? startsAt : duplicate.createdAt, style: 'full' },
      shared === undefined ? '. It was not requested twice.' : '. Nothing else was requested.',
    ],
    buttons,
  );
  return { ...view, reason: 'duplicate' };
}
