import { publicAddresses } from '../addresses.ts';
import { ok } from '../answer.ts';
import { defineRoute } from '../router.ts';

export const networkRoutes = [
  defineRoute('GET /network/ip-address/', ({ provider, query, origin }) => {
    const wanted = query.get('search')?.toLowerCase() ?? '';
    const fits = (words: readonly string[]) => words.some((word) => word.toLowerCase().includes(wanted));
    return ok(
      publicAddresses(provider, origin).filter(({ ip, rdns, order }) =>
        fits([ip, rdns, order?.name ?? '', order?.unique_number ?? '']),
      ),
    );
  }),
];
