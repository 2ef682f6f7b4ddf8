import { normalizeBlocks } from './blocks.ts';
import { openDm } from './channels.ts';
import type { Dict } from './dict.ts';
import { pingedBy } from './mentions.ts';
import { botMessageEvent, messageChangedEvent } from './payloads/event.ts';
import type { SimChannel, SimMessage } from './state.ts';
import { findPerson, nextTs, type Workspace } from './workspace.ts';

const maxText = 40_000;

export interface Draft {
  user: string;
  isBot: boolean;
  byApp?: string | undefined;
  text: string;
  blocks?: readonly Dict[] | undefined;
  attachments?: readonly Dict[] | undefined;
  threadTs?: string | undefined;
  visibleTo?: string | undefined;
  files?: readonly string[] | undefined;
  metadata?: Dict | undefined;
  isBroadcast?: boolean | undefined;
}

export function addMessage(workspace: Workspace, channel: SimChannel, draft: Draft): SimMessage {
  const { state } = workspace;
  const message: SimMessage = {
    channel: channel.id,
    ts: nextTs(workspace),
    user: draft.user,
    text: [...draft.text].slice(0, maxText).join(''),
    blocks: normalizeBlocks(state, draft.blocks ?? []),
    attachments: [...(draft.attachments ?? [])],
    files: [...(draft.files ?? [])],
    values: {},
    ...(draft.isBot ? { botId: state.app.botId } : {}),
    ...(draft.byApp === undefined ? {} : { byApp: draft.byApp }),
    ...(draft.threadTs === undefined ? {} : { threadTs: draft.threadTs }),
    ...(draft.visibleTo === undefined ? {} : { visibleTo: draft.visibleTo }),
    ...(draft.metadata === undefined ? {} : { metadata: draft.metadata }),
    ...(draft.isBroadcast === true ? { isBroadcast: true } : {}),
  };
  if (draft.visibleTo !== undefined) {
    state.ephemerals.push(message);
    workspace.changed({ kind: 'ephemeral', id: draft.visibleTo, ts: message.ts });
    return message;
  }
  const pinged = pingedBy(state, channel, message);
  if (pinged.length > 0) message.pinged = pinged;
  state.messages.push(message);
  workspace.changed({ kind: 'message', id: channel.id, ts: message.ts });
  // As in Slack, the bot gets events for its own direct messages.
  if (draft.isBot && channel.kind === 'im') botMessageEvent(workspace, channel, message);
  return message;
}

export interface Edit {
  text?: string | undefined;
  blocks?: readonly Dict[] | undefined;
  attachments?: readonly Dict[] | undefined;
  metadata?: Dict | undefined;
}

export function editMessage(workspace: Workspace, channel: SimChannel, message: SimMessage, edit: Edit): void {
  const before = structuredClone(message);
  if (edit.text !== undefined) message.text = [...edit.text].slice(0, maxText).join('');
  if (edit.blocks !== undefined) message.blocks = normalizeBlocks(workspace.state, edit.blocks);
  if (edit.attachments !== undefined) message.attachments = [...edit.attachments];
  if (edit.metadata !== undefined) message.metadata = edit.metadata;
  message.edited = { user: message.user, ts: nextTs(workspace) };
  const isEphemeral = message.visibleTo !== undefined;
  workspace.changed({
    kind: isEphemeral ? 'ephemeral' : 'message',
    id: message.visibleTo ?? channel.id,
    ts: message.ts,
  });
  if (!isEphemeral && channel.kind === 'im') messageChangedEvent(workspace, channel, message, before);
}

export function removeMessage(workspace: Workspace, message: SimMessage): void {
  const { state } = workspace;
  state.messages = state.messages.filter((other) => other !== message);
  state.ephemerals = state.ephemerals.filter((other) => other !== message);
  const isEphemeral = message.visibleTo !== undefined;
  workspace.changed({
    kind: isEphemeral ? 'ephemeral' : 'message',
    id: message.visibleTo ?? message.channel,
    ts: message.ts,
  });
}

export const findMessage = (workspace: Workspace, channel: string, ts: string): SimMessage | undefined =>
  workspace.state.messages.find((message) => message.channel === channel && message.ts === ts);

/** Posts Slackbot's private message after an app did not answer. */
export function slackbotSays(workspace: Workspace, channel: string, userId: string, text: string): void {
  const message: SimMessage = {
    channel,
    ts: nextTs(workspace),
    user: 'USLACKBOT',
    text,
    blocks: [],
    attachments: [],
    files: [],
    values: {},
    visibleTo: userId,
  };
  workspace.state.ephemerals.push(message);
  workspace.changed({ kind: 'ephemeral', id: userId, ts: message.ts });
}

/** The conversation for an id. chat.postMessage accepts a person's id for their direct messages too. */
export function conversationFor(workspace: Workspace, id: string): SimChannel | undefined {
  const channel = workspace.state.channels.find((candidate) => candidate.id === id);
  if (channel !== undefined) return channel;
  const person = /^[UW]/.test(id) ? findPerson(workspace.state, id) : undefined;
  return person === undefined || person.isBot ? undefined : openDm(workspace, person);
}
