import { patternSchema } from '../policy/policy.ts';
import { defined } from '../text/defined.ts';
import { Refusal } from '../view/errors.ts';
import { type Arg, words } from './args.ts';

/**
 * Parses typed patterns: one, or a list. A name may contain the separators of a list; a backslash escapes them, so that
 * a choice from a form, written as a word, is parsed as this one pattern.
 */

interface Piece {
  readonly text: string;
  /** True for a separator: a comma, or spaces before another kind or at the end; not for the space in `domain tag:`. */
  readonly isGap: boolean;
}

/** Parses in one pass: an expression that searches for the end of a gap at each space takes quadratic time. */
function piecesOf(list: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < list.length; at += pieces.at(-1)?.text.length ?? 1) {
    const spaces = startAt(/\s+/y, list, at);
    const end = at + spaces.length;
    const parts = end === list.length || startAt(/(?:order|tag|project|domain):|domain\s+tag:/iy, list, end) !== '';
    const isDomain = spaces !== '' && /(?:^|[,\s])domain$/i.test(list.slice(0, at).trimEnd().slice(-'_domain'.length));
    pieces.push({
      text: spaces || startAt(/\\[\\,\s]|[\s\S]/y, list, at),
      isGap: list[at] === ',' || (spaces !== '' && parts && !isDomain),
    });
  }
  return pieces;
}

/** The match of a sticky expression at this position. */
function startAt(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? '';
}

function splitPatterns(list: string): string[] {
  const items = [''];
  for (const { text, isGap } of piecesOf(list)) {
    if (isGap) items.push('');
    else items[items.length - 1] += text;
  }
  return items
    .map((item) => item.trimStart().replace(/^domain\s+tag:/i, 'domain tag:'))
    .filter((item) => item !== '')
    .map((item) => item.replace(/\\([\\,\s])/g, '$1'));
}

/** The word that splitPatterns parses as this one pattern. */
export function patternWord(pattern: string): string {
  return piecesOf(pattern.replaceAll('\\', '\\\\'))
    .map(({ text, isGap }) => (isGap ? text.replace(/[\s\S]/g, '\\$&') : text))
    .join('');
}

export function readPatterns(list: string, field?: string): string[] {
  const patterns = splitPatterns(list);
  const wrong = patterns.find((pattern) => !patternSchema.safeParse(pattern).success);
  if (wrong !== undefined)
    throw new Refusal('bad_value', `\`${wrong}\` names no targets.`, {
      hint: 'Write all, tag:web, order:34-12345, project:Shop, domain:*.example.com or domain tag:prod, with * for anything.',
      ...defined({ field }),
    });
  // A word of a list must never widen it to everything.
  if (patterns.length > 1 && patterns.includes('all'))
    throw new Refusal('bad_value', '`all` means everything and cannot be one of a list.', {
      hint: 'Write `all` alone, or leave it out.',
      ...defined({ field }),
    });
  return patterns;
}

type Patterns = Omit<Parameters<typeof words>[0], 'schema' | 'apart'> & { readonly source: string };

/** Targets of a grant. In a form, each choice is one pattern. */
export function patterns({ source, ...common }: Patterns): Arg<readonly string[]> {
  return {
    ...words({ ...common, schema: patternSchema, apart: (word) => readPatterns(word) }),
    widget: 'search',
    source,
    choices: { of: splitPatterns, word: patternWord },
    show: (values) => values.map(patternWord),
  };
}
