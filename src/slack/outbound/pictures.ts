import { setTimeout } from 'node:timers/promises';
import { type Attachment, filesToSend, type View, type ViewPart } from '../../core/view/view.ts';
import { redact, type SlackLog } from '../log.ts';
import type { SlackAddresses } from '../slack-addresses.ts';
import type { Web } from '../web.ts';
import type { DrawAttempt } from './pen.ts';
import { type Uploaded, uploadFiles } from './upload.ts';

/** The longest wait for a picture that only repeats the words of its answer. */
const asideWaitsMs = 1_500;

/**
 * Uploads the pictures that stand among the words of an answer. Returns the view with them, and the same view if Slack
 * refuses them, or is slow with one that only repeats the words.
 */
export type UploadPictures = (view: View) => Promise<View>;

export function createUploadPictures(web: Web, addresses: SlackAddresses, log: SlackLog): UploadPictures {
  return async (view) => {
    const isAside = view.parts.some((part) => part.kind === 'picture' && part.isAside === true);
    try {
      const uploading = uploadFiles(web, undefined, picturesOf(view), addresses);
      const uploaded = await (isAside
        ? Promise.race([uploading, setTimeout(asideWaitsMs, [], { ref: false })])
        : uploading);
      return uploaded.length === 0 ? view : { ...view, parts: withIds(view.parts, uploaded) };
    } catch (error) {
      log.warn({ why: redact(String(error)).slice(0, 200) }, 'an answer goes without its picture');
      return view;
    }
  };
}

function withIds(parts: readonly ViewPart[], uploaded: readonly Uploaded[]): ViewPart[] {
  const ids = new Map(uploaded.map(({ id, name }) => [name, id]));
  return parts.map((part) => {
    const id = part.kind === 'picture' ? ids.get(part.file) : undefined;
    return part.kind === 'picture' && id !== undefined ? { ...part, id } : part;
  });
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

export function hasPicture({ blocks }: { readonly blocks: readonly { readonly type: string }[] }): boolean {
  return blocks.some(({ type }) => type === 'image');
}

/** Whether an attempt of the ladder still draws pictures. */
export function showsPictures({ rung, avoid }: DrawAttempt): boolean {
  return (rung === 'drawn' || rung === 'older') && !avoid.has('image');
}
