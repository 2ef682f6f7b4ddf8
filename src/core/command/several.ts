import { z } from 'zod';
import type { FormOption } from '../view/form.ts';
import { type Arg, words } from './args.ts';

type Several = Omit<Parameters<typeof words>[0], 'schema'>;
const anyWord = z.string().trim().min(1, 'a text that is not empty');

/** People, groups and `everyone`: three fields in a form, or typed words separated by commas. */
export function subjects({
  excludesEveryone = false,
  ...common
}: Several & { readonly excludesEveryone?: boolean }): Arg<readonly string[]> {
  return { ...words({ ...common, schema: anyWord }), widget: 'subjects', excludesEveryone };
}

/** A selection from a fixed list, as checkboxes. The declaring command validates the words, to refuse them better. */
export function checks({ options, ...common }: Several & { options: readonly FormOption[] }): Arg<readonly string[]> {
  const arg = words({ ...common, schema: anyWord });
  const apart = (words: readonly string[]) => words.flatMap((word) => word.split(/[\s,]+/));
  return { ...arg, widget: 'checks', options, read: (typed, reading) => arg.read(apart(typed), reading) };
}

/** Several values that only the provider can list, each with a name that may contain spaces. */
export function searchedWords({ source, ...rest }: Several & { readonly source: string }): Arg<readonly string[]> {
  return { ...words({ ...rest, schema: anyWord }), widget: 'search', source };
}
