import { list } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { App, Snapshot, Template } from '../../provider/endpoints/vps-orders.ts';
import { findItem } from '../catalog/find.ts';

/** The image for a creation or a reinstallation: exactly one of three kinds. */

export const imageKinds = ['template', 'app', 'snapshot'] as const;
export type ImageKind = (typeof imageKinds)[number];

export type ImageWords = Readonly<Partial<Record<ImageKind, string | undefined>>>;

export interface Images {
  readonly template: () => Promise<readonly Template[]>;
  readonly app: () => Promise<readonly App[]>;
  readonly snapshot: () => Promise<readonly Snapshot[]>;
}

export type Image =
  | ({ readonly kind: 'template' } & Template)
  | ({ readonly kind: 'app' } & App)
  | ({ readonly kind: 'snapshot' } & Snapshot);

interface Choice {
  readonly kind: ImageKind;
  readonly word: string;
}

/** The named image; undefined if none is named. Refuses two before anything is read from the provider. */
export function chosenImage(words: ImageWords): Choice | undefined {
  const chosen = imageKinds.flatMap((kind) => {
    const word = words[kind];
    return word === undefined ? [] : [{ kind, word }];
  });
  const [only, second] = chosen;
  if (second === undefined) return only;
  throw new Refusal(
    'bad_value',
    `${list(chosen.map(({ kind, word }) => `${kind} ${word}`))} are named: only one can be installed.`,
    {
      hint: 'Name exactly one template, app or snapshot.',
      field: second.kind,
    },
  );
}

const finders: { readonly [K in ImageKind]: (word: string, images: Images) => Promise<Image> } = {
  template: async (word, images) => ({ kind: 'template', ...find('template', word, await images.template()) }),
  app: async (word, images) => ({ kind: 'app', ...find('app', word, await images.app()) }),
  snapshot: async (word, images) => ({ kind: 'snapshot', ...find('snapshot', word, await images.snapshot()) }),
};

export function imageOf({ kind, word }: Choice, images: Images): Promise<Image> {
  return finders[kind](word, images);
}

function find<T extends { readonly id: number; readonly name: string }>(
  kind: ImageKind,
  word: string,
  items: readonly T[],
): T {
  return findItem(word, items, {
    noun: kind,
    field: kind,
    see: kind === 'template' ? 'catalog systems' : `catalog ${kind}s`,
  });
}

const nouns = { template: 'a clean', app: 'the application', snapshot: 'the snapshot' } as const;

/** `a clean Debian 13`, `the snapshot golden image` */
export function sayImage({ kind, name }: { readonly kind: ImageKind; readonly name: string }): string {
  return `${nouns[kind]} ${name}`;
}
