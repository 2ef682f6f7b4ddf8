import { z } from 'zod';
import { type Dict, isDict } from '../dict.ts';
import { messageObject } from '../message-object.ts';
import { addMessage, editMessage, findMessage, removeMessage } from '../messages.ts';
import type { SimChannel, SimMessage } from '../state.ts';
import type { BlockWay } from '../validate/rule.ts';
import { findPerson, nextTs, type Workspace } from '../workspace.ts';
import { visible, writable } from './channels.ts';
import { defineMethod, flag, json, rates, readAttachments, readBlocks, SlackApiError } from './method.ts';

const content = {
  text: z.string().optional(),
  blocks: json.optional(),
  attachments: json.optional(),
  metadata: json.optional(),
};

function draftOf(
  args: { text?: string | undefined; blocks?: unknown; attachments?: unknown; metadata?: unknown },
  workspace: Workspace,
  way: BlockWay = 'message',
) {
  const blocks = readBlocks(args.blocks, workspace, way);
  const attachments = readAttachments(args.attachments, workspace);
  const metadata = args.metadata;
  if (metadata !== undefined && !(isDict(metadata) && typeof metadata.event_type === 'string')) {
    throw new SlackApiError('invalid_metadata_format');
  }
  return { text: args.text, blocks, attachments, metadata };
}

const isBlank = (draft: ReturnType<typeof draftOf>): boolean =>
  (draft.text ?? '') === '' && (draft.blocks ?? []).length === 0 && (draft.attachments ?? []).length === 0;

/** The thread of a reply; undefined if its parent is gone. */
function threadFor(workspace: Workspace, channel: SimChannel, threadTs: string | undefined): string | undefined {
  if (threadTs === undefined || findMessage(workspace, channel.id, threadTs) !== undefined) return threadTs;
  if (workspace.rules.isOn('missing-parent-at-root')) return undefined;
  throw new SlackApiError('cannot_reply_to_message');
}

/** Whether the thread has no reply; Slack shows no ephemeral message in it. */
function isEmptyThread({ state, rules }: Workspace, { id }: SimChannel, threadTs: string | undefined): boolean {
  if (threadTs === undefined || !rules.isOn('private-needs-reply')) return false;
  return !state.messages.some(({ channel, ts, threadTs: of }) => channel === id && of === threadTs && ts !== threadTs);
}

/** Refuses an empty list of blocks in a new message. */
function refuseEmptyBlocks(workspace: Workspace, blocks: readonly Dict[] | undefined): void {
  if (blocks?.length === 0 && workspace.rules.isOn('empty-blocks-on-post')) throw new SlackApiError('invalid_blocks');
}

const updateTextBytes = 4_000;

/** One of the bot's own messages. */
function own(
  workspace: Workspace,
  channelId: string,
  ts: string,
  refusal: string,
): { channel: SimChannel; message: SimMessage } {
  const channel = visible(workspace, channelId);
  const message = findMessage(workspace, channel.id, ts);
  if (message === undefined) throw new SlackApiError('message_not_found');
  if (message.botId !== workspace.state.app.botId) throw new SlackApiError(refusal);
  if (channel.isArchived) throw new SlackApiError('is_inactive');
  return { channel, message };
}

const optionalTs = z
  .string()
  .optional()
  .transform((value) => (value === '' ? undefined : value));

export const chatMethods = [
  defineMethod({
    name: 'chat.postMessage',
    scopes: ['chat:write'],
    rate: rates.post,
    args: z.object({ channel: z.string(), ...content, thread_ts: optionalTs, reply_broadcast: flag }),
    run(args, workspace) {
      const channel = writable(workspace, args.channel);
      const draft = draftOf(args, workspace);
      refuseEmptyBlocks(workspace, draft.blocks);
      if (isBlank(draft)) throw new SlackApiError('no_text');
      const threadTs = threadFor(workspace, channel, args.thread_ts);
      const message = addMessage(workspace, channel, {
        ...draft,
        text: draft.text ?? '',
        metadata: isDict(draft.metadata) ? draft.metadata : undefined,
        user: workspace.state.app.botUserId,
        isBot: true,
        threadTs,
        isBroadcast: args.reply_broadcast,
      });
      return { channel: channel.id, ts: message.ts, message: messageObject(workspace, message) };
    },
  }),
  defineMethod({
    name: 'chat.update',
    scopes: ['chat:write'],
    rate: rates.tier3,
    args: z.object({ channel: z.string(), ts: z.string(), ...content }),
    run(args, workspace) {
      const { channel, message } = own(workspace, args.channel, args.ts, 'cant_update_message');
      const draft = draftOf(args, workspace, 'update');
      if (draft.text === undefined && draft.blocks === undefined && draft.attachments === undefined)
        throw new SlackApiError('no_text');
      const isTooLong = Buffer.byteLength(draft.text ?? '') > updateTextBytes;
      if (isTooLong && workspace.rules.isOn('update-text-bytes')) throw new SlackApiError('msg_too_long');
      const metadata = isDict(draft.metadata) ? draft.metadata : undefined;
      editMessage(workspace, channel, message, { ...draft, metadata });
      return { channel: channel.id, ts: message.ts, text: message.text, message: messageObject(workspace, message) };
    },
  }),
  defineMethod({
    name: 'chat.postEphemeral',
    scopes: ['chat:write'],
    rate: rates.tier4,
    args: z.object({ channel: z.string(), user: z.string(), ...content, thread_ts: optionalTs }),
    run(args, workspace) {
      const channel = writable(workspace, args.channel);
      const draft = draftOf(args, workspace, 'ephemeral');
      refuseEmptyBlocks(workspace, draft.blocks);
      if (isBlank(draft)) throw new SlackApiError('no_text');
      const person = findPerson(workspace.state, args.user);
      if (person === undefined || !channel.members.includes(person.id)) throw new SlackApiError('user_not_in_channel');
      if (isEmptyThread(workspace, channel, args.thread_ts)) return { message_ts: nextTs(workspace) };
      const message = addMessage(workspace, channel, {
        text: draft.text ?? '',
        blocks: draft.blocks,
        attachments: draft.attachments,
        user: workspace.state.app.botUserId,
        isBot: true,
        threadTs: args.thread_ts,
        visibleTo: person.id,
      });
      return { message_ts: message.ts };
    },
  }),
  defineMethod({
    name: 'chat.delete',
    scopes: ['chat:write'],
    rate: rates.tier3,
    args: z.object({ channel: z.string(), ts: z.string() }),
    run(args, workspace) {
      const { channel, message } = own(workspace, args.channel, args.ts, 'cant_delete_message');
      removeMessage(workspace, message);
      return { channel: channel.id, ts: message.ts };
    },
  }),
  defineMethod({
    name: 'chat.getPermalink',
    scopes: [],
    rate: rates.special,
    args: z.object({ channel: z.string(), message_ts: z.string() }),
    run(args, workspace): Dict {
      const channel = visible(workspace, args.channel);
      const message = findMessage(workspace, channel.id, args.message_ts);
      if (message === undefined) throw new SlackApiError('message_not_found');
      const thread = message.threadTs === undefined ? '' : `?thread_ts=${message.threadTs}&cid=${channel.id}`;
      const base = `https://${workspace.state.team.domain}.slack.com/archives/${channel.id}`;
      return { channel: channel.id, permalink: `${base}/p${message.ts.replace('.', '')}${thread}` };
    },
  }),
];
