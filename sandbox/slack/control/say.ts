import { channelOf } from '../channels.ts';
import { nothingSent } from '../delivery/delivery.ts';
import type { Outcome } from '../delivery/types.ts';
import { type Dict, isDict } from '../dict.ts';
import { addFile } from '../files.ts';
import { messageObject } from '../message-object.ts';
import { addMessage, findMessage, slackbotSays } from '../messages.ts';
import { escapeEntities, escapeTyped, slashCommand } from '../payloads/command.ts';
import { sendEvent } from '../payloads/event.ts';
import { globalShortcut, messageShortcut } from '../payloads/interaction.ts';
import { respond } from '../response-url.ts';
import { appCommand } from '../seed.ts';
import { SimulationError } from '../simulation-error.ts';
import type { SimChannel, SimMessage, SimPerson, StoredFile } from '../state.ts';
import { findPerson, type Workspace } from '../workspace.ts';
import { actor, writableBy } from './actor.ts';
import { invite } from './channels.ts';
import { showActionError, showCommandError } from './shown.ts';

async function command(workspace: Workspace, person: SimPerson, channel: SimChannel, text: string): Promise<Outcome> {
  const outcome = await workspace.delivery.deliver(slashCommand(workspace, person, channel, text));
  showCommandError(workspace, outcome, channel.id, person.id);
  if (isDict(outcome.ack) && Object.keys(outcome.ack).length > 0) {
    const wrong = respond(workspace, { channel, person, messageTs: null }, outcome.ack);
    if (wrong !== undefined && wrong.error !== 'no_text') {
      outcome.error = wrong.error;
      showCommandError(workspace, outcome, channel.id, person.id);
    }
  }
  return outcome;
}

export interface SayOptions {
  thread_ts?: string;
  /** Sends a reply to the channel too. */
  isAlsoInChannel?: boolean;
  /** A file to attach. */
  file?: { name: string; content: string | Uint8Array };
}

/** Types a line and presses Enter as a person. */
export async function say(
  workspace: Workspace,
  who: string,
  where: string,
  text: string,
  options: SayOptions = {},
): Promise<Outcome> {
  const person = actor(workspace, who);
  const channel = writableBy(workspace, person, where);
  const threadTs = options.thread_ts;
  if (/^\/[a-z]/i.test(text)) {
    const [name = text, ...rest] = text.split(/\s+/);
    const refused = (error: string, shown: string): Outcome =>
      nothingSent(name, { channel: channel.id, userId: person.id, error, shown });
    if (threadTs !== undefined)
      return refused('not_supported_in_threads', `${name} is not supported in threads. Sorry!`);
    if (name === appCommand) return command(workspace, person, channel, text);
    if (name === '/invite') {
      for (const id of mentioned(escapeTyped(workspace, rest.join(' '), { isCommand: false })))
        await invite(workspace, channel.id, id, person.id);
      return nothingSent(name, { channel: channel.id, userId: person.id });
    }
    const shown =
      `${name} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as ` +
      'commands. If you are trying to send a message and not run a command, try preceding the "/" with an empty space.';
    slackbotSays(workspace, channel.id, person.id, escapeEntities(shown));
    return refused('unknown_command', shown);
  }
  if (threadTs !== undefined && findMessage(workspace, channel.id, threadTs) === undefined) {
    throw new SimulationError(`there is no message ${threadTs} in ${where} to answer`);
  }
  const escaped = escapeTyped(workspace, text, { isCommand: false });
  const file =
    options.file === undefined ? undefined : storeFile(workspace, person, options.file.name, options.file.content);
  const message = addMessage(workspace, channel, {
    user: person.id,
    isBot: false,
    text: escaped,
    threadTs,
    files: file === undefined ? [] : [file.id],
    isBroadcast: options.isAlsoInChannel,
  });
  file?.shares.push({ channel: channel.id, ts: message.ts, threadTs: threadTs ?? null });
  const { app } = workspace.state;
  const event: Dict = { ...messageObject(workspace, message), channel: channel.id, event_ts: message.ts };
  const isMember = channel.members.includes(app.botUserId);
  const isMention = escaped.includes(`<@${app.botUserId}>`);
  const more = { isExtShared: channel.isExtShared };
  const kind = { public: 'channel', private: 'group', im: 'im', mpim: 'mpim' }[channel.kind];
  const plain = isMember
    ? sendEvent(workspace, `message.${kind}${kind.endsWith('im') ? '' : 's'}`, { ...event, channel_type: kind }, more)
    : undefined;
  const isMentionToo = kind !== 'im' || workspace.rules.isOn('mention-in-direct-message');
  const mention =
    isMention && isMember && isMentionToo
      ? sendEvent(workspace, 'app_mention', { ...event, type: 'app_mention' }, more)
      : undefined;
  if (kind !== 'im')
    for (const id of mentioned(escaped)) if (!channel.members.includes(id)) sayAbsent(workspace, message, id);
  const outcome = await (mention ?? plain ?? nothingSent('message', { channel: channel.id, userId: person.id }));
  outcome.ts = message.ts;
  return outcome;
}

/** The ids of the people that an escaped text mentions. */
const mentioned = (escaped: string): Set<string> =>
  new Set([...escaped.matchAll(/<@([UW][A-Z0-9]+)/g)].map(([, id]) => id ?? ''));

/** Posts Slackbot's hint to the author of a message that mentions a person outside of the channel. */
function sayAbsent(workspace: Workspace, { channel, user }: SimMessage, id: string): void {
  const name = findPerson(workspace.state, id)?.name ?? id;
  slackbotSays(
    workspace,
    channel,
    user,
    `You mentioned <@${id}>, but they’re not in this channel. To add them, type /invite @${name}.`,
  );
}

function storeFile(workspace: Workspace, person: SimPerson, name: string, content: string | Uint8Array): StoredFile {
  const bytes = Buffer.from(content);
  const file = addFile(workspace, person.id, name, bytes.length);
  Object.assign(file, { contentBase64: bytes.toString('base64'), isUploaded: true, isCompleted: true });
  return file;
}

export interface AppPost {
  /** The app's name, such as Alertmanager. */
  name: string;
  text?: string;
  blocks?: readonly Dict[];
  attachments?: readonly Dict[];
}

export function postByApp(workspace: Workspace, where: string, post: AppPost): SimMessage {
  const channel = channelOf(workspace, where);
  const { name: byApp, text = '', blocks, attachments } = post;
  const user = `B0${byApp.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
  const message = addMessage(workspace, channel, { user, isBot: false, byApp, text, blocks, attachments });
  const event = { ...messageObject(workspace, message), channel: channel.id, event_ts: message.ts };
  const isHeard = channel.members.includes(workspace.state.app.botUserId);
  if (isHeard) void sendEvent(workspace, channel.kind === 'private' ? 'message.groups' : 'message.channels', event);
  return message;
}

/** Picks a file in a form as a person. The file is stored, but not in a channel. */
export function attach(workspace: Workspace, who: string, name: string, content: string | Uint8Array): string {
  const file = storeFile(workspace, actor(workspace, who), name, content);
  workspace.changed({ kind: 'file', id: file.id });
  return file.id;
}

/** Uploads a file to a channel as a person; returns the id for file inputs. */
export function upload(
  workspace: Workspace,
  who: string,
  where: string,
  name: string,
  content: string | Uint8Array,
): string {
  const person = actor(workspace, who);
  const channel = writableBy(workspace, person, where);
  const file = storeFile(workspace, person, name, content);
  const message = addMessage(workspace, channel, { user: person.id, isBot: false, text: '', files: [file.id] });
  file.shares.push({ channel: channel.id, ts: message.ts, threadTs: null });
  workspace.changed({ kind: 'file', id: file.id });
  return file.id;
}

export async function shortcut(workspace: Workspace, who: string, callbackId: string): Promise<Outcome> {
  return showActionError(
    await workspace.delivery.deliver(globalShortcut(workspace, actor(workspace, who), callbackId)),
    'message',
  );
}

export async function shortcutOnMessage(
  workspace: Workspace,
  who: string,
  callbackId: string,
  target: { channel: string; ts: string },
): Promise<Outcome> {
  const person = actor(workspace, who);
  const channel = channelOf(workspace, target.channel, person);
  const message = findMessage(workspace, channel.id, target.ts);
  if (message === undefined) throw new SimulationError(`there is no message ${target.ts} in ${target.channel}`);
  return showActionError(
    await workspace.delivery.deliver(messageShortcut(workspace, person, callbackId, message, channel)),
    'message',
  );
}
