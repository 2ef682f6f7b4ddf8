import { z } from 'zod';
import { type Arg, words } from './args.ts';

type SearchedWords = Omit<Parameters<typeof words>[0], 'schema'> & { readonly source: string };

/** Several values that only the provider can list, each with a name that may contain spaces. */
export function searchedWords({ source, ...rest }: SearchedWords): Arg<readonly string[]> {
  return { ...words({ ...rest, schema: z.string().trim().min(1) }), widget: 'search', source };
}
