import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { notice } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Request } from '../context/request.ts';
import type { Outline } from './stored.ts';

/**
 * A change that was requested so long ago that nobody expects it to begin now. It was acknowledged, so the requester
 * gets an answer: a message that waits for Slack if necessary, and a line in the audit.
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
    text: `${what}: taken in while the bot was stopping, and taken up too late`,
    data: { request: id },
    unlessThere: 'same',
  });
  const text = `The bot was offline when you sent an earlier request (${what}). It was not started; send it again if you still need it.`;
  await context.outbox.put({ key: `stale:${id}`, channel: actor, view: notice('warning', text) });
}

/**
 * A request that may be what ended each process that worked on it: begun once more, it could end all of them. Its failure
 * is told by a message that waits for Slack if it has to.
 */
export async function notifyNeverFinished(context: EngineContext, request: Request, begun: number): Promise<void> {
  const { id, actor, place } = request;
  const what = sayRequest(context, request);
  context.log.error({ request: id, begun }, 'a request was begun again and again and never finished; it is given up');
  await context.audit({
    kind: 'given_up',
    actor,
    channel: place.channel,
    text: `${what}: begun ${begun} times and never finished`,
    data: { request: id },
    unlessThere: 'same',
  });
  const text = `A request of yours failed (${what}): the bot stopped ${begun} times while working on it. It will not be tried again; /host requests shows what it left behind.`;
  await context.outbox.put({ key: `never:${id}`, channel: actor, view: notice('warning', text) });
}

/**
 * A request that another version of Hostler took in, and that this one cannot read. Its failure is told in the same way;
 * without an outline nobody is known who could be told.
 */
export async function notifyUnreadable(
  { audit, outbox, log }: EngineContext,
  id: string,
  outline: Outline | undefined,
): Promise<void> {
  log.error({ request: id }, 'a stored request cannot be read by this version; it is given up');
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
