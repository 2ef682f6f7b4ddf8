import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import { jsonIn } from '../../core/text/json.ts';
import { undoKeyboards, undoSlack, withoutHost } from '../../core/text/undo-typing.ts';
import { intentOfFound, intentSchema } from '../../core/view/intent.ts';
import type { Engine } from '../../engine/context/ports.ts';
import type { Place } from '../../engine/context/request.ts';
import { findsPrefix, opensMark, opensPrefix, picksPrefix } from '../outbound/actions.ts';
import { sourceOf } from '../outbound/field.ts';
import { messageWords, textOfMessage } from './message-text.ts';
import type { ClockReading, IncomingPayload } from './read-payload.ts';
import { id, isGroupDirect, lateness, person, placeOf, readPayload, requestId, responseUrl } from './read-payload.ts';

const action = z.object({
  type: z.string(),
  action_id: z.string(),
  block_id: z.string().default(''),
  action_ts: z.string(),
  value: z.string().max(3_000).optional(),
  selected_option: z.object({ value: z.string().max(500).optional() }).nullish(),
});

const container = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    message_ts: id,
    channel_id: id,
    is_ephemeral: z.boolean().default(false),
    thread_ts: z.string().optional(),
  }),
  z.object({ type: z.literal('view'), view_id: id }),
]);

const click = z.object({
  user: person,
  actions: z.tuple([action], action),
  container,
  trigger_id: id.optional(),
  response_url: responseUrl.optional(),
  view: z.object({ id, type: z.string(), private_metadata: z.string().default('') }).optional(),
});

/** Reads a pressed button or a picked option; undefined for elements without an action. */
export function readClick(payload: unknown, clocks: ClockReading): IncomingPayload | undefined {
  const { user, actions, container, trigger_id, response_url, view } = readPayload('click', click, payload);
  const [pressed] = actions;
  const intent = intentOf(pressed);
  if (intent === undefined) return undefined;
  const where = container.type === 'message' ? container.message_ts : container.view_id;
  return {
    request: {
      id: requestId(`click:${pressed.action_ts}:${where}:${user.id}:${pressed.action_id}`),
      actor: user.id,
      place: placeOfClick(container, view),
      at: clocks.now,
      ...lateness(pressed.action_ts, clocks),
      ask: { kind: 'intent', intent },
    },
    opens: pressed.action_id.startsWith(opensPrefix) || isOpening(pressed),
    ...defined({ trigger: trigger_id, responseUrl: response_url }),
    ...(container.type === 'view' && view?.type === 'modal' ? { viewId: container.view_id } : {}),
  };
}

/** The place of a click. The channel comes from the signed payload only, never from a block's or modal's contents. */
function placeOfClick(from: z.output<typeof container>, view: z.output<typeof click>['view']): Place {
  if (from.type === 'message') {
    return placeOf(from.channel_id, {
      thread: from.thread_ts,
      // The timestamp of an ephemeral message does not identify it.
      message: from.is_ephemeral ? undefined : from.message_ts,
    });
  }
  if (view?.type === 'home') return { channel: '', kind: 'home' };
  const form = view?.private_metadata ?? '';
  return { channel: '', kind: 'modal', dialog: from.view_id, ...(form === '' ? {} : { form }) };
}

const picked = (pressed: z.output<typeof action>): string => pressed.selected_option?.value ?? '';
const isOpening = (pressed: z.output<typeof action>): boolean =>
  isFound(pressed) || (pressed.action_id.startsWith(picksPrefix) && picked(pressed).startsWith(opensMark));
const isFound = (pressed: z.output<typeof action>): boolean => pressed.action_id.startsWith(findsPrefix);

function intentOf(pressed: z.output<typeof action>) {
  if (isFound(pressed)) return intentSchema.safeParse(picked(pressed) && intentOfFound(picked(pressed))).data;
  const parts = pressed.action_id.startsWith(picksPrefix)
    ? [
        /^pick:\d+(?:\.\d+)?:(.*)$/s.exec(pressed.block_id)?.[1],
        picked(pressed).slice(isOpening(pressed) ? opensMark.length : 0),
      ]
    : [pressed.value];
  const written = parts.map((part) => jsonIn(part ?? ''));
  if (written.includes(undefined)) return undefined;
  return intentSchema.safeParse(Object.assign({}, ...written)).data;
}

const shortcutPayload = z.object({ type: z.literal('shortcut'), user: person, trigger_id: id });

const about = z.object({
  type: z.literal('message_action'),
  user: person,
  trigger_id: id,
  channel: z.object({ id, name: z.string().default('') }),
  message: messageWords.extend({ ts: id, thread_ts: z.string().optional() }),
  response_url: responseUrl.optional(),
});

const shortcut = z.discriminatedUnion('type', [shortcutPayload, about]);

export function readShortcut(payload: unknown, now: number): IncomingPayload {
  const read = readPayload('shortcut', shortcut, payload);
  const base = { actor: read.user.id, at: now, id: requestId(`shortcut:${read.trigger_id}`) };
  const opening = { trigger: read.trigger_id, opens: true };
  // A global shortcut has no channel.
  if (read.type === 'shortcut')
    return { ...opening, request: { ...base, place: { channel: '', kind: 'modal' }, ask: { kind: 'ask' } } };
  const { ts, thread_ts } = read.message;
  return {
    request: {
      ...base,
      place: {
        ...placeOf(read.channel.id, { thread: thread_ts ?? ts }),
        // Slack sends the thread of a message only if it has replies.
        ...(thread_ts === undefined ? { isThreadEmpty: true } : {}),
      },
      ask: { kind: 'about', text: textOfMessage(read.message) },
    },
    ...opening,
    ...(isGroupDirect(read.channel.name) ? { isGroupDirect: true } : {}),
    ...defined({ responseUrl: read.response_url }),
  };
}

const slash = z.object({
  text: z.string().default(''),
  user_id: id,
  channel_id: id,
  channel_name: z.string().default(''),
  trigger_id: id,
  response_url: responseUrl.optional(),
});

/** Reads a slash command. Its trigger id is unique for each time a person sends the command. */
export function readSlash(payload: unknown, now: number): IncomingPayload {
  const { text, user_id, channel_id, channel_name, trigger_id, response_url } = readPayload('command', slash, payload);
  return {
    request: {
      id: requestId(`slash:${trigger_id}`),
      actor: user_id,
      place: placeOf(channel_id),
      at: now,
      ask: { kind: 'line', line: withoutHost(undoSlack(text)) },
    },
    trigger: trigger_id,
    opens: false,
    ...(isGroupDirect(channel_name) ? { isGroupDirect: true } : {}),
    ...defined({ responseUrl: response_url }),
  };
}

const suggestion = z.object({
  user: person,
  action_id: z.string(),
  value: z.string().default(''),
  channel: z.object({ id }).nullish(),
  view: z.object({ private_metadata: z.string().default('') }).optional(),
});

/** Slack sends the typed text, not the other fields' values: the `state` of a search is empty (bolt-js #1146, open). */
export type SuggestionQuery = Parameters<Engine['suggest']>[0];

export function readSuggestion(payload: unknown): SuggestionQuery {
  const { user, action_id, value, view, channel } = readPayload('search', suggestion, payload);
  const isOverAll = action_id.startsWith(findsPrefix);
  const at = channel?.id === undefined ? ({ channel: '', kind: 'home' } as const) : placeOf(channel.id);
  return {
    actor: user.id,
    form: view?.private_metadata ?? '',
    source: sourceOf(action_id) ?? '',
    text: undoKeyboards(value).trim(),
    ...(isOverAll ? { everythingAt: at } : {}),
  };
}
