import { setTimeout } from 'node:timers/promises';
import { type Attachment, filesToSend, isPictureAside, type View, type ViewPart } from '../../core/view/view.ts';
import { SlackError } from '../faults.ts';
import { redact, type SlackLog } from '../log.ts';
import type { SlackAddresses } from '../slack-addresses.ts';
import type { Web } from '../web.ts';
import type { DrawAttempt } from './pen.ts';
import { type Uploaded, uploadFiles } from './upload.ts';

/** The longest wait for a picture beside words that say the same. */
const asideWaitsMs = 1_500;

export interface Pictured {
  /** The view with its pictures; the same view without any, if Slack refuses them, or if one beside the words is late. */
  readonly shown: View;
  /** The same once a late picture beside the words is uploaded; undefined without one, or if Slack refuses it. */
  readonly late: () => Promise<View | undefined>;
}

/** Uploads the pictures that stand among the words of an answer. */
export type UploadPictures = (view: View) => Promise<Pictured>;

export function createUploadPictures(web: Web, addresses: SlackAddresses, log: SlackLog): UploadPictures {
  return async (view) => {
    const isAside = isPictureAside(view);
    const uploading = uploadFiles(web, undefined, picturesOf(view), addresses).catch((error: unknown) => {
      log.warn({ why: redact(String(error)).slice(0, 200) }, 'an answer goes without its picture');
      return [];
    });
    const uploaded = await (isAside
      ? Promise.race([uploading, setTimeout(asideWaitsMs, [], { ref: false })])
      : uploading);
    const withPictures = (all: readonly Uploaded[]) => ({ ...view, parts: withIds(view.parts, all) });
    return {
      shown: uploaded.length === 0 ? view : withPictures(uploaded),
      late: async () => {
        const all = isAside ? await uploading : [];
        return all.length === 0 ? undefined : withPictures(all);
      },
    };
  };
}

/** The pictures of a view without its words. */
export function onlyPictures({ parts }: View): View {
  const pictures = parts.filter((part) => part.kind === 'picture');
  return { summary: pictures.map(({ alt }) => alt).join(' '), parts: pictures };
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

/** Stops the attempts to send a late picture once it is no longer drawn: its words are posted already. */
export function mustShowPictures(attempt: DrawAttempt): void {
  if (!showsPictures(attempt)) throw new SlackError({ kind: 'refused', code: 'no_picture' });
}

/** Whether an attempt of the ladder still draws pictures. */
export function showsPictures({ rung, avoid }: DrawAttempt): boolean {
  return (rung === 'drawn' || rung === 'older') && !avoid.has('image');
}
