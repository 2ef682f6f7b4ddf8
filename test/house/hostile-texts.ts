import { type Part, partsOf } from './pattern-parts.ts';

/** A text in which `unit` is repeated as often as it has to be. */
export interface Hostile {
  readonly before: string;
  readonly unit: string;
  readonly after: string;
}

export function textOf({ before, unit, after }: Hostile, length: number): string {
  return before + unit.repeat(Math.ceil(length / unit.length)) + after;
}

/** Characters of which some are in each class, and others are not. */
const signs = [
  ...['a', 'Z', '0', 'f', ' ', '\n', '-', '.', ...'_:/@<>"\'\\`*~!?,;=+#$%^&()[]{}|', '\t', '\r', '\0', 'é', '…'],
  ...['\u200b', '\u{1f600}'],
];
const mostOfClass = 3;
const mostEnds = 2;

/**
 * Repetitions of each class of the expression, of matches of its groups, of its beginnings and of alternating
 * neighbors: alone and behind a match of the parts before them, and at the end a character that does not match.
 */
export function hostileTexts({ source, flags }: RegExp): readonly Hostile[] {
  const found = new Map<string, Hostile>();
  const isFit = (set: string) => {
    const fits = new RegExp(`^(?:${set})$`, flags.replace(/[gy]/g, ''));
    return (sign: string) => fits.test(sign);
  };
  const charactersOf = remembered((set) => {
    const fitting = signs.filter(isFit(set));
    return fitting.length > 0 ? fitting.slice(0, mostOfClass) : written(set);
  });
  const othersThan = remembered((set) => signs.filter((sign) => !isFit(set)(sign)));
  const shortest = (part: Part): string => {
    if (part.kind === 'set') return charactersOf(part.source)[0] ?? '';
    if (part.kind === 'repeat') return shortest(part.part).repeat(part.least);
    if (part.kind === 'nothing' || part.isAside) return '';
    return (part.options[0] ?? []).map(shortest).join('');
  };
  const once = (part: Part): string => (part.kind === 'repeat' ? once(part.part) : shortest(part));
  const unitsOf = (part: Part): readonly string[] => {
    if (part.kind === 'repeat') return unitsOf(part.part);
    if (part.kind === 'set') return charactersOf(part.source);
    return part.kind === 'nothing' ? [] : part.options.map((parts) => parts.map(once).join(''));
  };
  const endsOf = (part: Part): readonly string[] => {
    if (part.kind === 'repeat') return endsOf(part.part);
    return part.kind === 'set' ? othersThan(part.source).slice(0, mostEnds) : ['\0', 'a'];
  };
  const add = (before: string, unit: string, part: Part) => {
    if (unit === '') return;
    for (const start of new Set([before, '']))
      for (const after of new Set([...endsOf(part), '\n']))
        found.set(JSON.stringify([start, unit, after]), { before: start, unit, after });
  };
  const walk = (options: readonly (readonly Part[])[], before: string) => {
    for (const parts of options)
      for (const [at, part] of parts.entries()) {
        const taken = before + parts.slice(0, at).map(shortest).join('');
        for (const unit of unitsOf(part)) add(taken, unit, part);
        add(
          before,
          parts
            .slice(0, at + 1)
            .map(shortest)
            .join(''),
          part,
        );
        add(
          taken,
          parts
            .slice(at, at + 2)
            .map(once)
            .join(''),
          part,
        );
        const inner = part.kind === 'repeat' ? part.part : part;
        if (inner.kind === 'group') walk(inner.options, taken);
      }
  };
  walk(partsOf(source, flags.includes('v')), '');
  return [...found.values()];
}

function remembered(find: (set: string) => readonly string[]): (set: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (set) => {
    const found = known.get(set) ?? find(set);
    known.set(set, found);
    return found;
  };
}

/** The first character that is written out in the class: `\u00a0`, `é`. */
function written(set: string): readonly string[] {
  const [, code, sign] = /^\[?\^?(?:\\u\{?([0-9a-f]+)\}?|([^\\]))/iu.exec(set) ?? [];
  if (code !== undefined) return [String.fromCodePoint(Number.parseInt(code, 16))];
  return sign === undefined ? [] : [sign];
}
