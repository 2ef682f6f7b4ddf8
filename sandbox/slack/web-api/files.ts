import { z } from 'zod';
import type { Dict } from '../dict.ts';
import { addFile, fileObject } from '../files.ts';
import { addMessage } from '../messages.ts';
import type { StoredFile } from '../state.ts';
import type { Workspace } from '../workspace.ts';
import { writable } from './channels.ts';
import { defineMethod, json, nextCursor, rates, readBlocks, SlackApiError, whole } from './method.ts';

const optionalText = z.string().optional();
const completed = z.array(z.object({ id: z.string(), title: optionalText })).min(1);

function share(
  workspace: Workspace,
  files: StoredFile[],
  channelId: string,
  args: Record<'initial_comment' | 'thread_ts', string | undefined> & { blocks: unknown },
): void {
  const channel = writable(workspace, channelId);
  // Slack ignores blocks next to an initial comment.
  const blocks = args.initial_comment === undefined ? readBlocks(args.blocks, workspace) : undefined;
  const message = addMessage(workspace, channel, {
    user: workspace.state.app.botUserId,
    isBot: true,
    text: args.initial_comment ?? '',
    blocks,
    threadTs: args.thread_ts,
    files: files.map((file) => file.id),
  });
  for (const file of files) file.shares.push({ channel: channel.id, ts: message.ts, threadTs: args.thread_ts ?? null });
}

export const fileMethods = [
  defineMethod({
    name: 'files.getUploadURLExternal',
    scopes: ['files:write'],
    rate: rates.tier4,
    args: z.object({
      filename: z.string().min(1),
      length: whole(0, 1_000_000_000),
      alt_txt: optionalText,
      alt_text: optionalText,
    }),
    run(args, workspace): Dict {
      if (args.length === 0) throw new SlackApiError('invalid_arguments');
      const { id } = addFile(
        workspace,
        workspace.state.app.botUserId,
        args.filename,
        args.length,
        args.alt_txt ?? args.alt_text,
      );
      return { upload_url: `${workspace.origin}/upload/v1/${id}`, file_id: id };
    },
  }),
  defineMethod({
    name: 'files.completeUploadExternal',
    scopes: ['files:write'],
    rate: rates.tier4,
    args: z.object({
      files: json,
      channel_id: optionalText,
      thread_ts: optionalText,
      initial_comment: optionalText,
      blocks: json.optional(),
    }),
    run(args, workspace) {
      const wanted = completed.safeParse(args.files);
      if (!wanted.success) throw new SlackApiError('invalid_arguments');
      const files = wanted.data.map(({ id, title }) => {
        const file = workspace.state.files.find((candidate) => candidate.id === id);
        if (file === undefined || !file.isUploaded || file.isCompleted) throw new SlackApiError('file_not_found');
        return { file, title };
      });
      const stored = files.map(({ file }) => file);
      if (args.channel_id !== undefined && args.channel_id !== '') {
        const { thread_ts, initial_comment, blocks } = args;
        share(workspace, stored, args.channel_id, { thread_ts, initial_comment, blocks });
      }
      for (const { file, title } of files) {
        file.isCompleted = true;
        if (title !== undefined) file.title = title;
        workspace.changed({ kind: 'file', id: file.id });
      }
      return { files: stored.map((file) => fileObject(workspace, file)) };
    },
  }),
  defineMethod({
    name: 'files.info',
    scopes: ['files:read'],
    rate: rates.tier4,
    args: z.object({ file: z.string() }),
    run(args, workspace) {
      const file = workspace.state.files.find((candidate) => candidate.id === args.file && candidate.isCompleted);
      if (file === undefined) throw new SlackApiError('file_not_found');
      return { file: fileObject(workspace, file), comments: [], ...nextCursor('') };
    },
  }),
];

/** The first file of a multipart form, or the whole body; Slack's upload address accepts both. */
export async function uploadedBytes(contentType: string, body: Buffer): Promise<Buffer> {
  if (!contentType.startsWith('multipart/form-data')) return body;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  for (const value of form.values()) {
    if (typeof value !== 'string') return Buffer.from(await value.arrayBuffer());
  }
  return Buffer.alloc(0);
}

/** Stores the bytes that were posted to the upload address. */
export function storeUpload(workspace: Workspace, id: string, content: Buffer): 'stored' | 'unknown' | 'wrong size' {
  const file = workspace.state.files.find((candidate) => candidate.id === id && !candidate.isCompleted);
  if (file === undefined) return 'unknown';
  if (file.size !== content.length) return 'wrong size';
  file.contentBase64 = content.toString('base64');
  file.isUploaded = true;
  return 'stored';
}
