import { option, searched } from '../../core/command/args.ts';
import { list } from '../../core/text/words.ts';
import { badValue, type Suggestion } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';
import { findItem } from '../catalog/find.ts';

/** The image for a creation or a reinstallation: exactly one of three kinds. */

export const imageKinds = ['template', 'app', 'snapshot'] as const;
type ImageKind = (typeof imageKinds)[number];

export type ImageWords = Readonly<Partial<Record<ImageKind, string | undefined>>>;

export function newImages(reader: Reader) {
  return {
    template: () => reader.vpsOrders.templates(),
    app: () => reader.vpsOrders.apps(),
    snapshot: () => reader.vpsOrders.snapshots(),
  };
}

type Images = ReturnType<typeof newImages>;

export function imagesFor(reader: Reader, id: string): Images {
  return {
    template: () => reader.reinstall.templates({ order_id: id }),
    app: () => reader.reinstall.apps({ order_id: id }),
    snapshot: () => reader.reinstall.snapshots({ order_id: id }),
  };
}

export type Image = Awaited<ReturnType<typeof imageOf>>;

/** The arguments that name an image; their searches may depend on the server. */
export function imageArgs(common: { readonly dependsOn?: string } = {}) {
  const from = (source: string, hint: string) => option(searched({ ...common, hint, source }));
  return {
    template: {
      ...from('templates', 'A clean operating system, by name or id.'),
      alsoCalled: ['os', 'system', 'image'],
    },
    app: from('apps', 'Or an application with its system.'),
    snapshot: from('snapshots', 'Or a snapshot of this account.'),
  };
}

/** The named image. Refuses none and two before anything is read from the provider. */
export function chosenImage(words: ImageWords, help: string, ...suggestions: readonly Suggestion[]) {
  const chosen = imageKinds.flatMap((kind) => {
    const word = words[kind];
    return word === undefined ? [] : [{ kind, word }];
  });
  const [only, second] = chosen;
  if (only === undefined)
    throw badValue('Name exactly one template, app or snapshot to install.', help, 'template', ...suggestions);
  if (second === undefined) return only;
  const named = list(chosen.map(({ kind, word }) => `${kind} ${word}`));
  const hint = 'Name exactly one template, app or snapshot.';
  throw badValue(`${named} are named: only one can be installed.`, hint, second.kind);
}

export async function imageOf({ kind, word }: ReturnType<typeof chosenImage>, images: Images) {
  const as = { noun: kind, field: kind, see: kind === 'template' ? 'catalog systems' : `catalog ${kind}s` };
  if (kind === 'template') return { kind, ...findItem(word, await images.template(), as) };
  if (kind === 'app') return { kind, ...findItem(word, await images.app(), as) };
  return { kind, ...findItem(word, await images.snapshot(), as) };
}

const nouns = { template: 'a clean', app: 'the application', snapshot: 'the snapshot' } as const;

/** `a clean Debian 13`, `the snapshot golden image` */
export function sayImage({ kind, name }: { readonly kind: ImageKind; readonly name: string }): string {
  return `${nouns[kind]} ${name}`;
}
