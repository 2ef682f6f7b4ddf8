import type { Payload } from '../delivery/types.ts';
import { asText, type Dict } from '../dict.ts';
import { messageObject } from '../message-object.ts';
import type { SimChannel, SimMessage, SimPerson, SimView } from '../state.ts';
import { stateKinds } from '../values.ts';
import { viewObject } from '../views.ts';
import { nextId, type Workspace } from '../workspace.ts';
import { actionTs, channelRef, issueResponseUrl, issueTrigger, origin } from './envelope.ts';

/** The place of the element that was clicked. */
export type InteractionPlace = { message: SimMessage; channel: SimChannel } | { view: SimView };

interface Pressed {
  block: Dict;
  element: Dict;
  /** The chosen value, for elements with a value. */
  chosen?: unknown;
}

const interactive = (
  workspace: Workspace,
  name: string,
  person: SimPerson,
  body: Dict,
  channel: SimChannel | null,
): Payload => ({
  id: nextId(workspace.state, 'Pi'),
  kind: 'interactive',
  name,
  channel: channel?.id ?? null,
  userId: person.id,
  body,
});

/** The entry in `actions`: the element's own fields and the chosen value. */
function action(workspace: Workspace, { block, element, chosen }: Pressed): Dict {
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
    action_ts: actionTs(workspace),
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

export function blockActions(
  workspace: Workspace,
  person: SimPerson,
  place: InteractionPlace,
  pressed: Pressed,
): Payload {
  const isModal = 'view' in place && place.view.type === 'modal';
  const base = {
    type: 'block_actions',
    ...origin(workspace, person),
    container: container(place),
    trigger_id: issueTrigger(workspace, person, isModal ? place.view.id : null),
    actions: [action(workspace, pressed)],
  };
  const name = `block_actions:${asText(pressed.element.action_id)}`;
  if ('view' in place)
    return interactive(workspace, name, person, { ...base, view: viewObject(workspace, place.view) }, null);
  const { message, channel } = place;
  const isEphemeral = message.visibleTo !== undefined;
  const thread = message.threadTs ?? null;
  const body = {
    ...base,
    channel: channelRef(channel),
    // Slack does not include ephemeral messages in payloads.
    ...(isEphemeral ? {} : { message: messageObject(workspace, message) }),
    state: { values: message.values[person.id] ?? {} },
    response_url: issueResponseUrl(workspace, person, channel, { ts: message.ts, isEphemeral, threadTs: thread }),
  };
  return interactive(workspace, name, person, body, channel);
}

export function blockSuggestion(
  workspace: Workspace,
  person: SimPerson,
  place: InteractionPlace,
  asked: Pressed & { value: string },
): Payload {
  const isWithoutState = workspace.rules.isOn('suggestion-without-state');
  const body = {
    type: 'block_suggestion',
    ...origin(workspace, person),
    container: container(place),
    action_id: asked.element.action_id,
    block_id: asked.block.block_id,
    value: asked.value,
    ...('view' in place
      ? { view: { ...viewObject(workspace, place.view), ...(isWithoutState ? { state: { values: {} } } : {}) } }
      : { channel: channelRef(place.channel), message: messageObject(workspace, place.message) }),
  };
  const name = `block_suggestion:${asText(asked.element.action_id)}`;
  return interactive(workspace, name, person, body, 'view' in place ? null : place.channel);
}

/** The response URLs of a submission, for selects that request one. */
function responseUrls(workspace: Workspace, person: SimPerson, view: SimView): Dict[] {
  return view.blocks.flatMap((block) => {
    const element = block.element;
    if (typeof element !== 'object' || element === null || !('response_url_enabled' in element)) return [];
    const [blockId, actionId] = [asText(block.block_id), asText('action_id' in element ? element.action_id : '')];
    const value = view.values[blockId]?.[actionId];
    const channelId = value?.selected_conversation ?? value?.selected_channel;
    const channel = workspace.state.channels.find((candidate) => candidate.id === channelId);
    if (channel === undefined) return [];
    return [
      {
        block_id: blockId,
        action_id: actionId,
        channel_id: channel.id,
        response_url: issueResponseUrl(workspace, person, channel),
      },
    ];
  });
}

export function viewSubmission(workspace: Workspace, person: SimPerson, view: SimView): Payload {
  const body = {
    type: 'view_submission',
    ...origin(workspace, person),
    trigger_id: issueTrigger(workspace, person, view.id),
    view: viewObject(workspace, view),
    response_urls: responseUrls(workspace, person, view),
  };
  return interactive(workspace, `view_submission:${view.callbackId}`, person, body, null);
}

export function viewClosed(workspace: Workspace, person: SimPerson, view: SimView, isCleared: boolean): Payload {
  const body = {
    type: 'view_closed',
    ...origin(workspace, person),
    view: viewObject(workspace, view),
    is_cleared: isCleared,
  };
  return interactive(workspace, `view_closed:${view.callbackId}`, person, body, null);
}

export function globalShortcut(workspace: Workspace, person: SimPerson, callbackId: string): Payload {
  const { api_app_id: _, ...from } = origin(workspace, person);
  const body = {
    type: 'shortcut',
    ...from,
    action_ts: actionTs(workspace),
    callback_id: callbackId,
    trigger_id: issueTrigger(workspace, person),
  };
  return interactive(workspace, `shortcut:${callbackId}`, person, body, null);
}

export function messageShortcut(
  workspace: Workspace,
  person: SimPerson,
  callbackId: string,
  message: SimMessage,
  channel: SimChannel,
): Payload {
  const body = {
    type: 'message_action',
    ...origin(workspace, person),
    action_ts: actionTs(workspace),
    callback_id: callbackId,
    trigger_id: issueTrigger(workspace, person),
    response_url: issueResponseUrl(workspace, person, channel),
    message_ts: message.ts,
    channel: channelRef(channel),
    message: messageObject(workspace, message),
  };
  return interactive(workspace, `message_action:${callbackId}`, person, body, channel);
}
