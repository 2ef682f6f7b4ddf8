import { setTimeout } from 'node:timers/promises';
import { type Attachment, filesToSend, type View, type ViewPart } from '../../core/view/view.ts';
import { redact } from '../slack-log.ts';
import { type Uploaded, uploadFiles } from './upload.ts';
import type { Voice } from './voice.ts';

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
    return uploaded.length === 0 ? view : { ...view, parts: withIds(view.parts, uploaded) };
  } catch (error) {
    voice.log.warn({ why: redact(String(error)).slice(0, 200) }, 'an answer goes without its picture');
    return view;
  }
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
