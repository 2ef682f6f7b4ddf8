import { z } from 'zod';
import { jsonIn } from '../../core/text/json.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { notice } from '../../core/view/view.ts';
import type { AuditKind } from '../../store/audit/audit-kinds.ts';
import type { InboxTable } from '../../store/schema.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { operationSeed, type Request, requestSchema } from '../context/request.ts';

/** The audit gets an entry, and the requester a message, which waits for Slack if necessary. */
async function notify(
  { audit, outbox }: EngineContext,
  { id, actor, place }: Pick<Request, 'id'> & Partial<Outline>,
  { as, kind, text, sentence }: { as: string; kind: AuditKind; text: string; sentence: string },
): Promise<void> {
  await audit({ kind, actor, channel: place?.channel, text, data: { request: id }, unlessThere: 'same' });
  if (actor !== undefined) await outbox.put({ key: `${as}:${id}`, channel: actor, view: notice('warning', sentence) });
}

/** Reports a change that is too old to begin without surprise. It was acknowledged. */
export async function notifyStale(context: EngineContext, request: Request): Promise<void> {
  const what = sayRequest(context, request);
  await notify(context, request, {
    as: 'stale',
    kind: 'not_started',
    text: `${what}: not begun in time`,
    sentence: `The bot could not begin an earlier request of yours in time (${what}). It was not started; send it again if you still need it.`,
  });
}

/** Reports a request that may have crashed each process that worked on it and could crash all others. */
export async function notifyNeverFinished(context: EngineContext, request: Request, begun: number): Promise<void> {
  const what = sayRequest(context, request);
  context.log.error(
    { request: request.id, begun },
    'a request was abandoned: it was begun repeatedly and never finished',
  );
  await notify(context, request, {
    as: 'never',
    kind: 'given_up',
    text: `${what}: begun ${begun} times and never finished`,
    sentence: `A request of yours failed (${what}): the bot began it ${begun} times and could not finish it, because its process ended or its database did not answer. It will not be tried again; /host requests shows what it left behind.`,
  });
}

/** Reports a request of another version that this one cannot read. Without an outline, no recipient is known. */
export async function notifyUnreadable(context: EngineContext, id: string, outline: Outline | undefined) {
  context.log.error({ request: id }, 'a request was abandoned: this version cannot read it');
  await notify(context, outline ? { id, ...outline } : { id }, {
    as: 'unreadable',
    kind: 'given_up',
    text: 'a request that another version of Hostler took in: this version cannot read it',
    sentence:
      'A request of yours failed: another version of Hostler took it in, and this version cannot read it. It will not be tried again; /host requests shows what it left behind.',
  });
}

function sayRequest({ settings }: EngineContext, { ask }: Request): string {
  if (ask.kind === 'line') return `/host ${strikeSecrets(ask.line, settings.knownSecrets)}`;
  return ask.kind === 'intent' ? 'a click' : 'a form';
}

/** The parts of a request that all versions store: enough to notify the requester that it was abandoned. */
const outlineSchema = z.object({
  actor: z.string().min(1),
  place: z.object({ channel: z.string() }),
  ask: z.object({ kind: z.string(), form: z.string().exactOptional() }),
});

type Outline = z.infer<typeof outlineSchema>;

export function readStored({ key, body }: Pick<InboxTable, 'key' | 'body'>) {
  const value = jsonIn(body);
  const outline = outlineSchema.safeParse(value).data;
  return {
    seed: outline === undefined ? key : operationSeed({ id: key, ask: outline.ask }),
    /** Undefined if this version cannot read the request. */
    request: requestSchema.safeParse(value).data,
    /** Undefined if no part of the request can be read. */
    outline,
  };
}
