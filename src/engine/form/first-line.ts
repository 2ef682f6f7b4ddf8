import { sentenceStart } from '../../core/text/words.ts';

type Titled = Readonly<Record<'title' | 'summary', string>>;

/** The first line of a form: what the summary adds to the title, and the step. */
export function firstLine(command: Titled, step: string): string[] {
  const words = [beyondTitle(command), step].filter((part) => part !== '').join(' · ');
  return words === '' ? [] : [words];
}

const unspoken: ReadonlySet<string> = new Set(['a', 'an', 'the', 'new', 'one', 'its']);
/** The remaining words can stand alone if they begin with one of these, or follow a comma or colon. */
const opening: ReadonlySet<string> = new Set(['as', 'by', 'from', 'to', 'with']);

/** The summary without its first words if they repeat the title; the whole summary if the rest cannot stand alone. */
export function beyondTitle({ title, summary }: Titled): string {
  const titled = wordsOf(title).filter((word) => !unspoken.has(bare(word)));
  const words = wordsOf(summary);
  let at = 0;
  for (const word of titled) {
    while (unspoken.has(bare(words[at] ?? ''))) at += 1;
    if (bare(words[at] ?? '') !== bare(word)) return summary;
    at += 1;
  }
  const rest = words.slice(at);
  const [first] = rest;
  const canStandAlone = first === undefined || /[,:;]$/.test(words[at - 1] ?? '') || opening.has(bare(first));
  return canStandAlone ? sentenceStart(rest.join(' ')) : summary;
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}-]/gu, '');
