import type { ArgShape, CommandShape, RawArgs } from './command-shape.ts';
import { nameOf, readsText } from './take.ts';
import type { Token } from './tokens.ts';

/** Whether it takes certain words only: an argument that fits any word tells nothing. */
export const isChoice = ({ fits }: ArgShape) => fits !== undefined && !fits('zzyzx');

/** A word that stands for a choice and fits none of its values. */
export function unfitIn({ args }: CommandShape, raw: RawArgs): string | undefined {
  return Object.entries(args)
    .flatMap(([name, arg]) =>
      isChoice(arg) && arg.takes === undefined ? (raw[name] ?? []).filter((word) => !arg.fits?.(word)) : [],
    )
    .at(0);
}

export type Places = ReturnType<typeof placesOf>;

/** The kinds of words for which a command has a place. */
export function placesOf(command: CommandShape) {
  const { path, kind, args, words = '' } = command;
  const all = Object.entries(args).filter(([, { place }]) => place !== 'form');
  const placed = all.flatMap(([, arg]) => (arg.place === 'option' ? [] : arg));
  const isText = ({ widget }: ArgShape) => widget !== 'search';
  const things = words.split('|')[1] ?? '';
  const domain = placed[0]?.splits === true;
  const isSeveral = placed.some(({ many, place }) => many === true || place === 'rest');
  return {
    names: placed.some(({ isName }) => isName),
    domain,
    record: domain && /\brecord\b/.test(things),
    /** The domain itself. */
    isZone: kind !== 'query' && placed.length === 1 && /\bdomain\b/.test(things),
    order: !path.includes(' '),
    person: all.some(([, { widget }]) => widget === 'person' || widget === 'subjects'),
    needsThing: things.trim() !== '',
    room: isSeveral ? Number.POSITIVE_INFINITY : placed.length,
    list: kind === 'query' && placed.some(({ many, optional, isName }) => many === true && optional && !isName),
    key: placed.some(({ widget, isName }) => widget === 'search' && !isName),
    several: isSeveral && placed.some(({ isName }) => isName),
    filter: placed.some((arg) => !arg.isName && !isChoice(arg) && isText(arg)) && !domain,
    /** A text that the command needs, or all words that are left. */
    free: placed.some((arg) => !arg.isName && !isChoice(arg) && isText(arg) && (!arg.optional || arg.place === 'rest')),
    mayBegin: (word: string) => placed[0] === undefined || !isChoice(placed[0]) || placed[0].fits?.(word) === true,
    text: readsText(command),
    isPlain: placed.every((arg) => arg.isName || isChoice(arg)),
    isAboutServer: /\bserver\b/.test(things),
    isTargetFirst: domain || placed[0]?.isName === true,
    introducing: new Set(all.flatMap(([, { after = [] }]) => after)),
    isOption: ({ text, isQuoted }: Token) => {
      const [, dashed, key = ''] = /^(?:--([\w-]+)|([\w-]+)=.*)$/s.exec(text) ?? [];
      const name = (dashed ?? key) === '' ? undefined : nameOf(command, (dashed ?? key).toLowerCase());
      return !isQuoted && name !== undefined && (dashed === undefined || args[name]?.widget === 'toggle');
    },
    keys: all.flatMap(([key, { isName }]) => (isName ? key : [])),
    time: (kind === 'query' ? placed : all.map(([, arg]) => arg)).some(({ takes }) => takes !== undefined),
    choices: placed.filter(isChoice),
  };
}
