import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { notice } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Request } from '../context/request.ts';
import type { Outline } from './stored.ts';

/**
 * Reports a change that is too old to begin without surprise. It was acknowledged, so the requester gets a message,
 * which waits for Slack if necessary, and the audit an entry.
 */
export async function notifyStale(
  context: Pick<EngineContext, 'audit' | 'outbox' | 'settings'>,
  request: Request,
): Promise<void> {
  const { id, actor, place } = request;
  const what = sayRequest(context, request);
  await context.audit({
    kind: 'not_started',
    actor,
    channel: place.channel,
    text: `${what}: not begun in time`,
    data: { request: id },
    unlessThere: 'same',
  });
  const text = `The bot could not begin an earlier request of yours in time (${what}). It was not started; send it again if you still need it.`;
  await context.outbox.put({ key: `stale:${id}`, channel: actor, view: notice('warning', text) });
}

/**
 * Reports a request that may have crashed each process that worked on it and could crash all others. The message waits
 * for Slack if necessary.
 */
export async function notifyNeverFinished(context: EngineContext, request: Request, begun: number): Promise<void> {
  const { id, actor, place } = request;
  const what = sayRequest(context, request);
  context.log.error({ request: id, begun }, 'a request was abandoned: it was begun repeatedly and never finished');
  await context.audit({
    kind: 'given_up',
    actor,
    channel: place.channel,
    text: `${what}: begun ${begun} times and never finished`,
    data: { request: id },
    unlessThere: 'same',
  });
  const text = `A request of yours failed (${what}): the bot began it ${begun} times and could not finish it, because its process ended or its database did not answer. It will not be tried again; /host requests shows what it left behind.`;
  await context.outbox.put({ key: `never:${id}`, channel: actor, view: notice('warning', text) });
}

/**
 * Reports a request that another version of Hostler accepted and this version cannot read. Without an outline, no
 * recipient is known.
 */
export async function notifyUnreadable(
  { audit, outbox, log }: EngineContext,
  id: string,
  outline: Outline | undefined,
): Promise<void> {
  log.error({ request: id }, 'a request was abandoned: this version cannot read it');
  await audit({
    kind: 'given_up',
    actor: outline?.actor,
    channel: outline?.place.channel,
    text: 'a request that another version of Hostler took in: this version cannot read it',
    data: { request: id },
    unlessThere: 'same',
  });
  if (outline === undefined) return;
  const text =
    'A request of yours failed: another version of Hostler took it in, and this version cannot read it. It will not be tried again; /host requests shows what it left behind.';
  await outbox.put({ key: `unreadable:${id}`, channel: outline.actor, view: notice('warning', text) });
}

function sayRequest({ settings }: Pick<EngineContext, 'settings'>, { ask }: Request): string {
  if (ask.kind === 'line') return `/host ${strikeSecrets(ask.line, settings.knownSecrets)}`;
  return ask.kind === 'intent' ? 'a click' : 'a form';
}
