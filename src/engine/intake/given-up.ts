import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { notice } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Request } from '../context/request.ts';
import type { Outline } from './stored.ts';

type Context = Pick<EngineContext, 'audit' | 'outbox' | 'settings'>;

/** The audit gets an entry, and the requester a message, which waits for Slack if necessary. */
async function notify(
  { audit, outbox }: Pick<Context, 'audit' | 'outbox'>,
  { id, actor, place: { channel } }: Pick<Request, 'actor' | 'id'> & { place: Pick<Request['place'], 'channel'> },
  { as, kind, text, sentence }: { as: string; kind: string; text: string; sentence: string },
): Promise<void> {
  await audit({ kind, actor, channel, text, data: { request: id }, unlessThere: 'same' });
  await outbox.put({ key: `${as}:${id}`, channel: actor, view: notice('warning', sentence) });
}

/** Reports a change that is too old to begin without surprise. It was acknowledged. */
export async function notifyStale(context: Context, request: Request): Promise<void> {
  const what = sayRequest(context, request);
  await notify(context, request, {
    ...{ as: 'stale', kind: 'not_started', text: `${what}: not begun in time` },
    sentence: `The bot could not begin an earlier request of yours in time (${what}). It was not started; send it again if you still need it.`,
  });
}

/** Reports a request that may have crashed each process that worked on it and could crash all others. */
export async function notifyNeverFinished(
  context: Context & Pick<EngineContext, 'log'>,
  request: Request,
  begun: number,
): Promise<void> {
  const what = sayRequest(context, request);
  context.log.error(
    { request: request.id, begun },
    'a request was abandoned: it was begun repeatedly and never finished',
  );
  await notify(context, request, {
    ...{ as: 'never', kind: 'given_up', text: `${what}: begun ${begun} times and never finished` },
    sentence: `A request of yours failed (${what}): the bot began it ${begun} times and could not finish it, because its process ended or its database did not answer. It will not be tried again; /host requests shows what it left behind.`,
  });
}

/**
 * Reports a request that another version of Hostler accepted and this version cannot read. Without an outline, no
 * recipient is known.
 */
export async function notifyUnreadable(
  context: Pick<EngineContext, 'audit' | 'log' | 'outbox'>,
  id: string,
  outline: Outline | undefined,
): Promise<void> {
  context.log.error({ request: id }, 'a request was abandoned: this version cannot read it');
  const kind = 'given_up';
  const text = 'a request that another version of Hostler took in: this version cannot read it';
  if (outline === undefined) await context.audit({ kind, text, data: { request: id }, unlessThere: 'same' });
  else
    await notify(
      context,
      { id, ...outline },
      {
        ...{ as: 'unreadable', kind, text },
        sentence:
          'A request of yours failed: another version of Hostler took it in, and this version cannot read it. It will not be tried again; /host requests shows what it left behind.',
      },
    );
}

function sayRequest({ settings }: Pick<EngineContext, 'settings'>, { ask }: Request): string {
  if (ask.kind === 'line') return `/host ${strikeSecrets(ask.line, settings.knownSecrets)}`;
  return ask.kind === 'intent' ? 'a click' : 'a form';
}
