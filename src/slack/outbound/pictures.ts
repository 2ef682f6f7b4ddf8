import { setTimeout } from 'node:timers/promises';
import { type Attachment, filesToSend, type View } from '../../core/view/view.ts';
import { faultOf, sayFault } from '../faults.ts';
import type { SlackLog } from '../log.ts';
import type { SlackAddresses } from '../slack-addresses.ts';
import type { Web } from '../web.ts';
import type { DrawAttempt } from './pen.ts';
import { type Uploaded, uploadFiles } from './upload.ts';

/** The longest wait for a picture beside words that say the same. */
const asideWaitsMs = 2_000;

/** Returns a view with the pictures uploaded that stand among its words; the same view without any, or if Slack refuses. */
export type Pictured = (view: View) => Promise<View>;

export function createPictured(web: Web, addresses: SlackAddresses, log: SlackLog): Pictured {
  return async (view) => {
    const pictures = picturesOf(view);
    if (pictures.length === 0) return view;
    const isAside = filesToSend(view).every((file) => !pictures.includes(file));
    try {
      const uploading = uploadFiles(web, undefined, pictures, addresses);
      const late = setTimeout(asideWaitsMs, [], { ref: false });
      const uploaded = await (isAside ? Promise.race([uploading, late]) : uploading);
      return uploaded.length === 0 ? view : withIds(view, uploaded);
    } catch (error) {
      log.warn({ why: sayFault(faultOf(error)) }, 'Slack refused a picture of an answer');
      return view;
    }
  };
}

function withIds(view: View, uploaded: readonly Uploaded[]): View {
  const ids = new Map(uploaded.map(({ id, name }) => [name, id]));
  const parts = view.parts.map((part) => {
    const id = part.kind === 'picture' ? ids.get(part.file) : undefined;
    return part.kind === 'picture' && id !== undefined ? { ...part, id } : part;
  });
  return { ...view, parts };
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
