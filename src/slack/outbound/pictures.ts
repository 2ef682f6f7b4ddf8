import type { Attachment, View } from '../../core/view/view.ts';
import type { SlackAddresses } from '../slack-addresses.ts';
import type { Web } from '../web.ts';
import type { DrawAttempt } from './pen.ts';
import { uploadFiles } from './upload.ts';

/** The view with the pictures uploaded that stand among its words; the same view if it has none. */
export async function withPictures(web: Web, view: View, addresses: SlackAddresses): Promise<View> {
  const pictures = picturesOf(view);
  if (pictures.length === 0) return view;
  const ids = new Map((await uploadFiles(web, undefined, pictures, addresses)).map(({ id, name }) => [name, id]));
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

/** The files to send beside the answer: all of them, or all but those that it shows. */
export function filesBeside(view: View, isPictured: boolean): readonly Attachment[] {
  const shown = isPictured ? picturesOf(view) : [];
  return (view.files ?? []).filter((file) => !shown.includes(file));
}

export function hasPicture({ blocks }: { readonly blocks: readonly { readonly type: string }[] }): boolean {
  return blocks.some(({ type }) => type === 'image');
}

/** Whether an attempt of the ladder still draws pictures. */
export function showsPictures({ rung, avoid }: DrawAttempt): boolean {
  return (rung === 'drawn' || rung === 'older') && !avoid.has('image');
}
