import { type Button, buttonRow, plain, type Text, text, type View, type ViewPart } from '../view/view.ts';

/** The card of a digest and of a handover. It contains no amount of money. */

export interface DigestFacts {
  /** The most important section first. */
  readonly sections: readonly DigestSection[];
  /** A sentence for each part that could not be read. */
  readonly missing: readonly string[];
}

export interface DigestSection {
  readonly name: string;
  /** The lines that can be shown, and the number of all. */
  readonly lines: readonly Text[];
  readonly total: number;
  /** The line that lists all, as a button where some are left out. */
  readonly all: string;
}

export const mostSectionLines = 5;
export const digestWithinDays = 14;
/** A handover is read at a glance. */
const mostWords = 90;
const mostButtons = 5;

/** Shows the first line of each section, then the second, up to the most words. A button opens a section that is cut. */
export function digestView(title: string, { sections, missing }: DigestFacts): View {
  const shown = sections.filter(({ total }) => total > 0);
  const nothing = shown.length + missing.length === 0 ? ['Nothing to report.'] : [];
  const words = [...missing, ...nothing];
  let left = mostWords - [title, ...words].reduce((sum, each) => sum + wordsIn(each), 0);
  const taken = shown.map(() => 0);
  for (let n = 0; n < mostSectionLines; n += 1)
    shown.forEach(({ name, lines }, at) => {
      const line = lines[n];
      const cost = line === undefined ? 0 : wordsIn(line) + (n === 0 ? wordsIn(name) : 0);
      if (line === undefined || taken[at] !== n || cost > left) return;
      taken[at] = n + 1;
      left -= cost;
    });
  const buttons = shown.flatMap(({ name, total, all }, at): Button[] =>
    total === taken[at] ? [] : [{ label: `${name}: all ${total}`, intent: { do: 'run', line: all } }],
  );
  return {
    summary: title,
    parts: [
      { kind: 'heading', text: title },
      ...words.map((line): ViewPart => ({ kind: 'text', text: line })),
      ...shown.flatMap(({ name, lines }, at): ViewPart[] => {
        const own = lines.slice(0, taken[at]).flatMap((line) => ['\n', line]);
        return own.length === 0 ? [] : [{ kind: 'text', text: text({ bold: name }, ...own) }];
      }),
      ...buttonRow(buttons.slice(0, mostButtons)),
    ],
  };
}

function wordsIn(line: Text): number {
  return plain(line)
    .split(/[\s·]+/)
    .filter((word) => word !== '').length;
}

/** A part of a line: names and titles come from outside and may have many lines. */
export function oneLine(words: string, most = 60): string {
  const line = [...words.toWellFormed().replace(/\s+/g, ' ').trim()];
  return line.length <= most ? line.join('') : `${line.slice(0, most - 1).join('')}…`;
}
