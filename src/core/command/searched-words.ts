import { z } from 'zod';
import { type Arg, words } from './args.ts';

type SearchedWords = Omit<Parameters<typeof words>[0], 'schema'> & { readonly source: string };

/** Several things that only the provider can list, each by a name that may hold spaces. */
export function searchedWords({ source, ...rest }: SearchedWords): Arg<readonly string[]> {
  return { ...words({ ...rest, schema: z.string().trim().min(1) }), widget: 'search', source };
}
