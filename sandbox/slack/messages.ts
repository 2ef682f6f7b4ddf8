import { normalizeBlocks } from './blocks.ts';
import { openDm } from './channels.ts';
import type { Dict } from './dict.ts';
import { botMessageEvent, messageChangedEvent } from './payloads/event.ts';
import type { SimChannel, SimMessage } from './state.ts';
import { findPerson, nextTs, type Workspace } from './world.ts';

const maxText = 40_000;

export interface Draft {
  user: string;
  isBot: boolean;
  text: string;
  blocks?: readonly Dict[] | undefined;
  attachments?: readonly Dict[] | undefined;
  threadTs?: string | undefined;
  visibleTo?: string | undefined;
  files?: readonly string[] | undefined;
  metadata?: Dict | undefined;
  isBroadcast?: boolean | undefined;
}

export function addMessage(world: Workspace, channel: SimChannel, draft: Draft): SimMessage {
  const { state } = world;
  const message: SimMessage = {
    channel: channel.id,
    ts: nextTs(world),
    user: draft.user,
    text: [...draft.text].slice(0, maxText).join(''),
    blocks: normalizeBlocks(state, draft.blocks ?? []),
    attachments: [...(draft.attachments ?? [])],
    files: [...(draft.files ?? [])],
    values: {},
    ...(draft.isBot ? { botId: state.app.botId } : {}),
    ...(draft.threadTs === undefined ? {} : { threadTs: draft.threadTs }),
    ...(draft.visibleTo === undefined ? {} : { visibleTo: draft.visibleTo }),
    ...(draft.metadata === undefined ? {} : { metadata: draft.metadata }),
    ...(draft.isBroadcast === true ? { isBroadcast: true } : {}),
  };
  if (draft.visibleTo !== undefined) {
    state.ephemerals.push(message);
    world.changed({ kind: 'ephemeral', id: draft.visibleTo, ts: message.ts });
    return message;
  }
  state.messages.push(message);
  world.changed({ kind: 'message', id: channel.id, ts: message.ts });
  // The bot's own direct messages come back to it as events, as they do in Slack.
  if (draft.isBot && channel.kind === 'im') botMessageEvent(world, channel, message);
  return message;
}

export interface Edit {
  text?: string | undefined;
  blocks?: readonly Dict[] | undefined;
  attachments?: readonly Dict[] | undefined;
  metadata?: Dict | undefined;
}

export function editMessage(world: Workspace, channel: SimChannel, message: SimMessage, edit: Edit): void {
  const before = structuredClone(message);
  if (edit.text !== undefined) message.text = [...edit.text].slice(0, maxText).join('');
  if (edit.blocks !== undefined) message.blocks = normalizeBlocks(world.state, edit.blocks);
  if (edit.attachments !== undefined) message.attachments = [...edit.attachments];
  if (edit.metadata !== undefined) message.metadata = edit.metadata;
  message.edited = { user: message.user, ts: nextTs(world) };
  const isEphemeral = message.visibleTo !== undefined;
  world.changed({ kind: isEphemeral ? 'ephemeral' : 'message', id: message.visibleTo ?? channel.id, ts: message.ts });
  if (!isEphemeral && channel.kind === 'im') messageChangedEvent(world, channel, message, before);
}

export function removeMessage(world: Workspace, message: SimMessage): void {
  const { state } = world;
  state.messages = state.messages.filter((other) => other !== message);
  state.ephemerals = state.ephemerals.filter((other) => other !== message);
  const isEphemeral = message.visibleTo !== undefined;
  world.changed({
    kind: isEphemeral ? 'ephemeral' : 'message',
    id: message.visibleTo ?? message.channel,
    ts: message.ts,
  });
}

export const findMessage = (world: Workspace, channel: string, ts: string): SimMessage | undefined =>
  world.state.messages.find((message) => message.channel === channel && message.ts === ts);

/** What Slackbot tells one person when an app did not answer. */
export function slackbotSays(world: Workspace, channel: string, userId: string, text: string): void {
  const message: SimMessage = {
    channel,
    ts: nextTs(world),
    user: 'USLACKBOT',
    text,
    blocks: [],
    attachments: [],
    files: [],
    values: {},
    visibleTo: userId,
  };
  world.state.ephemerals.push(message);
  world.changed({ kind: 'ephemeral', id: userId, ts: message.ts });
}

/** chat.postMessage takes a person's id too, and means the direct conversation with them. */
export function conversationFor(world: Workspace, id: string): SimChannel | undefined {
  const channel = world.state.channels.find((candidate) => candidate.id === id);
  if (channel !== undefined) return channel;
  const person = /^[UW]/.test(id) ? findPerson(world.state, id) : undefined;
  return person === undefined || person.isBot ? undefined : openDm(world, person);
}
