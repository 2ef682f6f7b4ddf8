import type { Payload } from '../delivery/types.ts';
import { asText, type Dict } from '../dict.ts';
import { messageObject } from '../message-object.ts';
import type { SimChannel, SimMessage, SimPerson, SimView } from '../state.ts';
import { stateKinds } from '../values.ts';
import { viewObject } from '../views.ts';
import { nextId, type Workspace } from '../world.ts';
import { actionTs, channelRef, issueResponseUrl, issueTrigger, origin } from './envelope.ts';

/** Where the thing that was clicked stands. */
export type InteractionPlace = { message: SimMessage; channel: SimChannel } | { view: SimView };

interface Pressed {
  block: Dict;
  element: Dict;
  /** What was chosen; for elements that hold something. */
  chosen?: unknown;
}

const interactive = (
  world: Workspace,
  name: string,
  person: SimPerson,
  body: Dict,
  channel: SimChannel | null,
): Payload => ({
  id: nextId(world.state, 'Pi'),
  kind: 'interactive',
  name,
  channel: channel?.id ?? null,
  userId: person.id,
  body,
});

/** The action entry: what the element says of itself, and what was chosen. */
function action(world: Workspace, { block, element, chosen }: Pressed): Dict {
  const type = asText(element.type);
  const field = type === 'overflow' ? 'selected_option' : stateKinds[type]?.field;
  const echoed = ['text', 'value', 'url', 'style', 'confirm', 'placeholder', 'min_query_length', 'timezone'];
  const initials = Object.keys(element).filter((name) => name.startsWith('initial_'));
  return {
    type,
    action_id: element.action_id,
    block_id: block.block_id,
    ...Object.fromEntries(
      [...echoed, ...initials].filter((name) => name in element).map((name) => [name, element[name]]),
    ),
    ...(field === undefined ? {} : { [field]: chosen }),
    action_ts: actionTs(world),
  };
}

function container(place: InteractionPlace): Dict {
  if ('view' in place) return { type: 'view', view_id: place.view.id };
  const { message, channel } = place;
  return {
    type: 'message',
    message_ts: message.ts,
    channel_id: channel.id,
    is_ephemeral: message.visibleTo !== undefined,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
  };
}

export function blockActions(world: Workspace, person: SimPerson, place: InteractionPlace, pressed: Pressed): Payload {
  const isModal = 'view' in place && place.view.type === 'modal';
  const base = {
    type: 'block_actions',
    ...origin(world, person),
    container: container(place),
    trigger_id: issueTrigger(world, person, isModal ? place.view.id : null),
    actions: [action(world, pressed)],
  };
  const name = `block_actions:${asText(pressed.element.action_id)}`;
  if ('view' in place) return interactive(world, name, person, { ...base, view: viewObject(world, place.view) }, null);
  const { message, channel } = place;
  const isEphemeral = message.visibleTo !== undefined;
  const thread = message.threadTs ?? null;
  const body = {
    ...base,
    channel: channelRef(channel),
    // Slack does not repeat an ephemeral message to the app.
    ...(isEphemeral ? {} : { message: messageObject(world, message) }),
    state: { values: message.values[person.id] ?? {} },
    response_url: issueResponseUrl(world, person, channel, { ts: message.ts, isEphemeral, threadTs: thread }),
  };
  return interactive(world, name, person, body, channel);
}

export function blockSuggestion(
  world: Workspace,
  person: SimPerson,
  place: InteractionPlace,
  asked: Pressed & { value: string },
): Payload {
  const body = {
    type: 'block_suggestion',
    ...origin(world, person),
    container: container(place),
    action_id: asked.element.action_id,
    block_id: asked.block.block_id,
    value: asked.value,
    ...('view' in place
      ? { view: viewObject(world, place.view) }
      : { channel: channelRef(place.channel), message: messageObject(world, place.message) }),
  };
  const name = `block_suggestion:${asText(asked.element.action_id)}`;
  return interactive(world, name, person, body, 'view' in place ? null : place.channel);
}

/** Selects that asked for it give the submission an address to answer to. */
function responseUrls(world: Workspace, person: SimPerson, view: SimView): Dict[] {
  return view.blocks.flatMap((block) => {
    const element = block.element;
    if (typeof element !== 'object' || element === null || !('response_url_enabled' in element)) return [];
    const [blockId, actionId] = [asText(block.block_id), asText('action_id' in element ? element.action_id : '')];
    const value = view.values[blockId]?.[actionId];
    const channelId = value?.selected_conversation ?? value?.selected_channel;
    const channel = world.state.channels.find((candidate) => candidate.id === channelId);
    if (channel === undefined) return [];
    return [
      {
        block_id: blockId,
        action_id: actionId,
        channel_id: channel.id,
        response_url: issueResponseUrl(world, person, channel),
      },
    ];
  });
}

export function viewSubmission(world: Workspace, person: SimPerson, view: SimView): Payload {
  const body = {
    type: 'view_submission',
    ...origin(world, person),
    trigger_id: issueTrigger(world, person, view.id),
    view: viewObject(world, view),
    response_urls: responseUrls(world, person, view),
  };
  return interactive(world, `view_submission:${view.callbackId}`, person, body, null);
}

export function viewClosed(world: Workspace, person: SimPerson, view: SimView, isCleared: boolean): Payload {
  const body = { type: 'view_closed', ...origin(world, person), view: viewObject(world, view), is_cleared: isCleared };
  return interactive(world, `view_closed:${view.callbackId}`, person, body, null);
}

export function globalShortcut(world: Workspace, person: SimPerson, callbackId: string): Payload {
  const { api_app_id: _, ...from } = origin(world, person);
  const body = {
    type: 'shortcut',
    ...from,
    action_ts: actionTs(world),
    callback_id: callbackId,
    trigger_id: issueTrigger(world, person),
  };
  return interactive(world, `shortcut:${callbackId}`, person, body, null);
}

export function messageShortcut(
  world: Workspace,
  person: SimPerson,
  callbackId: string,
  message: SimMessage,
  channel: SimChannel,
): Payload {
  const body = {
    type: 'message_action',
    ...origin(world, person),
    action_ts: actionTs(world),
    callback_id: callbackId,
    trigger_id: issueTrigger(world, person),
    response_url: issueResponseUrl(world, person, channel),
    message_ts: message.ts,
    channel: channelRef(channel),
    message: messageObject(world, message),
  };
  return interactive(world, `message_action:${callbackId}`, person, body, channel);
}
