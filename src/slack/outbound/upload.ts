import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import { type Attachment, filesToSend, notice, type View, type ViewPart } from '../../core/view/view.ts';
import type { Place } from '../../engine/context/request.ts';
import { timeLimits } from '../call.ts';
import { faultOf, sayFault } from '../faults.ts';
import { redact } from '../slack-log.ts';
import { clip, harmless } from './escape.ts';
import { sendView, threaded } from './post.ts';
import type { Voice } from './voice.ts';

const slot = z.object({ upload_url: z.url(), file_id: z.string() });

type Where = Pick<Place, 'channel' | 'thread'>;

/** Uploads the files of a message and its cut code. If that fails, a message says so; the message itself stays. */
export async function sendFiles(voice: Voice, where: Where, own: readonly Attachment[], cutCode: readonly string[]) {
  const cut = cutCode.map((code, index) => ({
    name: cutCode.length === 1 ? 'complete.txt' : `complete-${index + 1}.txt`,
    title: 'Complete text',
    alt: 'The complete text of the answer above',
    bytes: Buffer.from(code),
  }));
  const files = [...own, ...cut];
  if (files.length === 0) return;
  try {
    await uploadFiles(voice, where, files);
  } catch (error) {
    voice.log.warn({ why: sayFault(faultOf(error)) }, 'Slack refused a file of an answer');
    const [noun, pronoun] = files.length === 1 ? ['file', 'it'] : ['files', 'them'];
    const text = `The attached ${noun} could not be uploaded to Slack. Run the command again to get ${pronoun}.`;
    await sendView(voice, 'chat.postMessage', threaded(where.channel, where.thread), notice('warning', text));
  }
}

type Uploading = Pick<Voice, 'web' | 'addresses'>;

/**
 * Slack's external upload: request an address, send the bytes, then share the files in their place. Without a place,
 * only the app has access to them, and can show a picture in its messages.
 */
export async function uploadFiles(
  { web, addresses }: Uploading,
  where: Where | undefined,
  files: readonly Attachment[],
) {
  const uploaded: Readonly<Record<'id' | 'title' | 'name', string>>[] = [];
  for (const file of files) {
    const { bytes } = file;
    if (bytes.byteLength === 0) continue;
    const alt = clip(harmless(file.alt), 1_000);
    const { upload_url, file_id } = await web.call(
      'files.getUploadURLExternal',
      // Slack's reference has alt_txt, the SDK's types have alt_text (web-api 8.2). Slack ignores the wrong one.
      {
        filename: clip(harmless(file.name).replace(/[/\\]/g, '-') || 'file', 200),
        length: bytes.byteLength,
        alt_txt: alt,
        alt_text: alt,
      },
      slot,
    );
    if (!addresses.isOfFiles(upload_url))
      throw new Error('sending a file to Slack: it gave an address that is elsewhere');
    const sent = await request(upload_url, {
      method: 'POST',
      body: bytes,
      headers: { 'content-type': 'application/octet-stream' },
      ...timeLimits(),
    });
    await sent.body.dump();
    if (sent.statusCode !== 200) throw new Error(`sending a file to Slack: it answered ${sent.statusCode}`);
    uploaded.push({ id: file_id, title: clip(harmless(file.title) || file.name, 200), name: file.name });
  }
  if (uploaded.length === 0) return [];
  await web.call(
    'files.completeUploadExternal',
    {
      files: uploaded.map(({ id, title }) => ({ id, title })),
      ...defined({ channel_id: where?.channel, thread_ts: where?.thread }),
    },
    z.unknown(),
  );
  return uploaded;
}

/** The longest wait for a picture that only repeats the words of its answer. */
const asideWaitsMs = 1_500;

/**
 * Uploads the pictures that stand among the words of an answer. Returns the view with them, and the same view if Slack
 * refuses them, or is slow with one that only repeats the words.
 */
export async function uploadPictures(voice: Voice, view: View): Promise<View> {
  const isAside = view.parts.some((part) => part.kind === 'picture' && part.isAside === true);
  try {
    const uploading = uploadFiles(voice, undefined, picturesOf(view));
    const uploaded = await (isAside
      ? Promise.race([uploading, setTimeout(asideWaitsMs, [], { ref: false })])
      : uploading);
    const ids = new Map(uploaded.map(({ id, name }) => [name, id]));
    const withId = (part: ViewPart) => {
      const id = part.kind === 'picture' ? ids.get(part.file) : undefined;
      return part.kind === 'picture' && id !== undefined ? { ...part, id } : part;
    };
    return uploaded.length === 0 ? view : { ...view, parts: view.parts.map(withId) };
  } catch (error) {
    voice.log.warn({ why: redact(String(error)).slice(0, 200) }, 'an answer goes without its picture');
    return view;
  }
}

function picturesOf({ parts, files = [] }: View): readonly Attachment[] {
  const names = new Set(parts.flatMap((part) => (part.kind === 'picture' ? [part.file] : [])));
  return files.filter(({ name }) => names.has(name));
}

/** The files to send beside an answer with or without its pictures. */
export function filesBeside(view: View, isPictured: boolean): readonly Attachment[] {
  if (!isPictured) return filesToSend(view);
  const shown = picturesOf(view);
  return (view.files ?? []).filter((file) => !shown.includes(file));
}
