import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import { intentOfFound, intentSchema } from '../../core/view/intent.ts';
import type { Place } from '../../engine/context/request.ts';
import { findsPrefix, opensMark, opensPrefix, picksPrefix } from '../outbound/actions.ts';
import {
  type ClockReading,
  type IncomingPayload,
  id,
  lateness,
  person,
  placeOf,
  readPayload,
  requestId,
  responseUrl,
} from './read-payload.ts';

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

function intentOf(pressed: z.output<typeof action>): z.output<typeof intentSchema> | undefined {
  if (isFound(pressed)) {
    const read = intentSchema.safeParse(intentOfFound(picked(pressed)));
    return read.success && picked(pressed) !== '' ? read.data : undefined;
  }
  const parts = pressed.action_id.startsWith(picksPrefix)
    ? [
        /^pick:\d+(?:\.\d+)?:(.*)$/s.exec(pressed.block_id)?.[1],
        picked(pressed).slice(isOpening(pressed) ? opensMark.length : 0),
      ]
    : [pressed.value];
  try {
    const read = intentSchema.safeParse(Object.assign({}, ...parts.map((part) => JSON.parse(part ?? ''))));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
