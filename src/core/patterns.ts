import { type Arg, words } from './args.ts';
import { defined } from './defined.ts';
import { Refusal } from './errors.ts';
import { patternSchema } from './policy.ts';

/**
 * Patterns as they are typed: one, or a list. A name may hold all that parts a list; a backslash in front of it keeps it
 * in the name. So a choice from a form, written as a word, is read again as this one pattern.
 */

/** Parts a list: a comma, and spaces in front of another kind or at the end. The space of `domain tag:` parts nothing. */
const gap = String.raw`,|(?<!(?:^|[,\s])domain\s*)\s+(?=$|(?:order|tag|project|domain):|domain\s+tag:)`;
const gaps = new RegExp(gap, 'gi');
const items = new RegExp(String.raw`(?:\\[\\,\s]|(?!${gap})[\s\S])+`, 'gi');

export function splitPatterns(list: string): string[] {
  return (list.match(items) ?? [])
    .map((item) => item.trimStart().replace(/^domain\s+tag:/i, 'domain tag:'))
    .filter((item) => item !== '')
    .map((item) => item.replace(/\\([\\,\s])/g, '$1'));
}

/** The word that splitPatterns reads as this one pattern. */
export function patternWord(pattern: string): string {
  return pattern.replaceAll('\\', '\\\\').replace(gaps, (found) => found.replace(/[\s\S]/g, '\\$&'));
}

export function readPatterns(list: string, field?: string): string[] {
  const patterns = splitPatterns(list);
  const wrong = patterns.find((pattern) => !patternSchema.safeParse(pattern).success);
  if (wrong !== undefined)
    throw new Refusal('bad_value', `\`${wrong}\` names no targets.`, {
      hint: 'Write all, tag:web, order:34-12345, project:Shop, domain:*.example.com or domain tag:prod, with * for anything.',
      ...defined({ field }),
    });
  // A list is never widened to everything by one of its words.
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
