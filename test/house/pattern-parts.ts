/** A regular expression as a tree, as far as hostile texts for it need it. */

export type Part =
  /** One character out of some; `source` as the expression writes it. */
  | { readonly kind: 'set'; readonly source: string }
  | { readonly kind: 'group'; readonly options: readonly (readonly Part[])[]; readonly isAside: boolean }
  | { readonly kind: 'repeat'; readonly part: Part; readonly least: number }
  /** A part without a character: an anchor, or a reference back. */
  | { readonly kind: 'nothing' };

/** The alternatives of the expression, each a sequence of parts. `isNested`: classes may contain classes. */
export function partsOf(pattern: string, isNested: boolean): readonly (readonly Part[])[] {
  const reader = { pattern, isNested, at: 0 };
  const options = readOptions(reader);
  if (reader.at < pattern.length) throw new Error(`not read from ${reader.at}: ${pattern}`);
  return options;
}

interface Reader {
  readonly pattern: string;
  readonly isNested: boolean;
  at: number;
}

function take(reader: Reader, expression: RegExp): string | undefined {
  const sticky = new RegExp(expression.source, 'yu');
  sticky.lastIndex = reader.at;
  const [found] = sticky.exec(reader.pattern) ?? [];
  reader.at += found?.length ?? 0;
  return found;
}

function readOptions(reader: Reader): Part[][] {
  const options: Part[][] = [[]];
  while (reader.at < reader.pattern.length && reader.pattern[reader.at] !== ')') {
    if (take(reader, /\|/) !== undefined) options.push([]);
    else options.at(-1)?.push(readRepeated(reader));
  }
  return options;
}

function readRepeated(reader: Reader): Part {
  const part = readOne(reader);
  const repeat = take(reader, /(?:[*+?]|\{\d+(?:,\d*)?\})\??/);
  if (repeat === undefined) return part;
  const [, least = '0'] = /^\{(\d+)/.exec(repeat) ?? [];
  return { kind: 'repeat', part, least: repeat.startsWith('+') ? 1 : Number(least) };
}

function readOne(reader: Reader): Part {
  const opened = take(reader, /\((?:\?(?:<[=!]|<\w+>|[=!:]|[ims-]+:))?/);
  if (opened !== undefined) {
    const options = readOptions(reader);
    if (take(reader, /\)/) === undefined) throw new Error(`no end of a group: ${reader.pattern}`);
    return { kind: 'group', options, isAside: /[=!]$/.test(opened) };
  }
  if (take(reader, /[\^$]|\\[bB]|\\[1-9]|\\k<\w+>/) !== undefined) return { kind: 'nothing' };
  const source =
    reader.pattern[reader.at] === '['
      ? readClass(reader)
      : take(reader, /\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[\s\S])|[\s\S]/);
  if (source === undefined || source === '') throw new Error(`no part at ${reader.at}: ${reader.pattern}`);
  return { kind: 'set', source };
}

function readClass(reader: Reader): string {
  const start = reader.at;
  let depth = 0;
  do {
    const sign = take(reader, /\\[\s\S]|[\s\S]/);
    if (sign === undefined) throw new Error(`no end of a class: ${reader.pattern}`);
    if (sign === '[' && (depth === 0 || reader.isNested)) depth += 1;
    if (sign === ']') depth -= 1;
  } while (depth > 0);
  return reader.pattern.slice(start, reader.at);
}
