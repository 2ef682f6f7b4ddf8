import { setTimeout } from 'node:timers/promises';
import { type Attachment, filesToSend, isPictureAside, type View, type ViewPart } from '../../core/view/view.ts';
import { redact, type SlackLog } from '../log.ts';
import type { SlackAddresses } from '../slack-addresses.ts';
import type { Web } from '../web.ts';
import type { DrawAttempt } from './pen.ts';
import { type Uploaded, uploadFiles } from './upload.ts';

/** The longest wait for a picture beside words that say the same. */
const asideWaitsMs = 1_000;

export interface Pictured {
  /** The view with its pictures; the same view without any, if Slack refuses them, or if one beside the words is late. */
  readonly shown: View;
  /** The picture beside the words alone, however long it takes; undefined without one, or if Slack refuses it. */
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
    return {
      shown: uploaded.length === 0 ? view : { ...view, parts: withIds(view.parts, uploaded) },
      late: async () => (isAside ? aloneIn(withIds(view.parts, await uploading)) : undefined),
    };
  };
}

function aloneIn(parts: readonly ViewPart[]): View | undefined {
  const pictures = parts.flatMap((part) =>
    part.kind === 'picture' && part.id !== undefined
      ? [{ kind: part.kind, file: part.file, alt: part.alt, id: part.id }]
      : [],
  );
  return pictures.length === 0 ? undefined : { summary: pictures.map(({ alt }) => alt).join(' '), parts: pictures };
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
