import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { givenId, id, idPath, noInput, nothing, orNull, text } from './shapes.ts';

const publicAddress = z.object({
  id,
  ip: z.string(),
  location: z.object({ value: text, label: text }),
  /** '' if no name is set; the document does not say how the provider writes that. */
  rdns: text,
  order: orNull(
    z.object({
      name: text,
      /** Very likely the number that people see, such as 34-1234. */
      unique_number: text,
    }),
  ),
});
export type PublicAddress = z.output<typeof publicAddress>;

export const network = {
  addresses: {
    route: 'GET /network/ip-address/',
    // `ordering` and `type` are not sent, since their allowed values are not documented.
    input: noInput,
    output: publicAddress,
    listed: true,
  },
} as const satisfies Area;

const privateNetwork = z.object({ id: givenId });

const networkLocation = z.object({ id: givenId, location: z.object({ value: z.string(), label: text }) });

export const privateNetworks = {
  list: { route: 'GET /private-network/', input: noInput, output: privateNetwork, paginated: true },
  create: { route: 'POST /private-network/', input: noInput, output: privateNetwork },
  locations: {
    route: 'GET /private-network/locations/',
    input: noInput,
    output: networkLocation,
    paginated: true,
  },
  delete: { route: 'DELETE /private-network/{id}/', input: idPath, output: nothing },
} as const satisfies Area;
