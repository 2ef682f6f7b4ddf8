import { z } from 'zod';
import { type Dict, isDict } from '../dict.ts';
import { messageObject } from '../message-object.ts';
import { addMessage, editMessage, findMessage, removeMessage } from '../messages.ts';
import type { SimChannel, SimMessage } from '../state.ts';
import { findPerson, type Workspace } from '../world.ts';
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
  world: Workspace,
) {
  const blocks = readBlocks(args.blocks, world);
  const attachments = readAttachments(args.attachments, world);
  const metadata = args.metadata;
  if (metadata !== undefined && !(isDict(metadata) && typeof metadata.event_type === 'string')) {
    throw new SlackApiError('invalid_metadata_format');
  }
  return { text: args.text, blocks, attachments, metadata };
}

const isBlank = (draft: ReturnType<typeof draftOf>): boolean =>
  (draft.text ?? '') === '' && (draft.blocks ?? []).length === 0 && (draft.attachments ?? []).length === 0;

function checkThread(world: Workspace, channel: SimChannel, threadTs: string | undefined): void {
  if (threadTs !== undefined && findMessage(world, channel.id, threadTs) === undefined) {
    throw new SlackApiError('cannot_reply_to_message');
  }
}

/** A message the bot itself posted. */
function own(
  world: Workspace,
  channelId: string,
  ts: string,
  refusal: string,
): { channel: SimChannel; message: SimMessage } {
  const channel = visible(world, channelId);
  const message = findMessage(world, channel.id, ts);
  if (message === undefined) throw new SlackApiError('message_not_found');
  if (message.botId !== world.state.app.botId) throw new SlackApiError(refusal);
  if (channel.isArchived) throw new SlackApiError('is_archived');
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
    run(args, world) {
      const channel = writable(world, args.channel);
      const draft = draftOf(args, world);
      if (isBlank(draft)) throw new SlackApiError('no_text');
      checkThread(world, channel, args.thread_ts);
      const message = addMessage(world, channel, {
        ...draft,
        text: draft.text ?? '',
        metadata: isDict(draft.metadata) ? draft.metadata : undefined,
        user: world.state.app.botUserId,
        isBot: true,
        threadTs: args.thread_ts,
        isBroadcast: args.reply_broadcast,
      });
      return { channel: channel.id, ts: message.ts, message: messageObject(world, message) };
    },
  }),
  defineMethod({
    name: 'chat.update',
    scopes: ['chat:write'],
    rate: rates.tier3,
    args: z.object({ channel: z.string(), ts: z.string(), ...content }),
    run(args, world) {
      const { channel, message } = own(world, args.channel, args.ts, 'cant_update_message');
      const draft = draftOf(args, world);
      if (draft.text === undefined && draft.blocks === undefined && draft.attachments === undefined)
        throw new SlackApiError('no_text');
      const metadata = isDict(draft.metadata) ? draft.metadata : undefined;
      editMessage(world, channel, message, { ...draft, metadata });
      return { channel: channel.id, ts: message.ts, text: message.text, message: messageObject(world, message) };
    },
  }),
  defineMethod({
    name: 'chat.postEphemeral',
    scopes: ['chat:write'],
    rate: rates.tier4,
    args: z.object({ channel: z.string(), user: z.string(), ...content, thread_ts: optionalTs }),
    run(args, world) {
      const channel = writable(world, args.channel);
      const draft = draftOf(args, world);
      if (isBlank(draft)) throw new SlackApiError('no_text');
      const person = findPerson(world.state, args.user);
      if (person === undefined || !channel.members.includes(person.id)) throw new SlackApiError('user_not_in_channel');
      const message = addMessage(world, channel, {
        text: draft.text ?? '',
        blocks: draft.blocks,
        attachments: draft.attachments,
        user: world.state.app.botUserId,
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
    run(args, world) {
      const { channel, message } = own(world, args.channel, args.ts, 'cant_delete_message');
      removeMessage(world, message);
      return { channel: channel.id, ts: message.ts };
    },
  }),
  defineMethod({
    name: 'chat.getPermalink',
    scopes: [],
    rate: rates.special,
    args: z.object({ channel: z.string(), message_ts: z.string() }),
    run(args, world): Dict {
      const channel = visible(world, args.channel);
      const message = findMessage(world, channel.id, args.message_ts);
      if (message === undefined) throw new SlackApiError('message_not_found');
      const thread = message.threadTs === undefined ? '' : `?thread_ts=${message.threadTs}&cid=${channel.id}`;
      const base = `https://${world.state.team.domain}.slack.com/archives/${channel.id}`;
      return { channel: channel.id, permalink: `${base}/p${message.ts.replace('.', '')}${thread}` };
    },
  }),
];
