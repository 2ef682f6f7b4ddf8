import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { id, text } from './shapes.ts';

const publicAddress = z.object({
  id,
  ip: z.string(),
  location: z.object({ value: text, label: text, icon: text }),
  /** '' if no name is set; the document does not say how the provider writes that. */
  rdns: text,
  order: z
    .object({
      id: z.union([z.int(), z.string()]),
      name: text,
      type: text,
      link: text,
      /** Very likely the number that people see, such as 34-1234. */
      unique_number: text,
    })
    .nullish()
    .transform((value) => value ?? null),
});
export type PublicAddress = z.output<typeof publicAddress>;

export const network = {
  addresses: {
    route: 'GET /network/ip-address/',
    effect: 'read',
    // `ordering` and `type` are not sent, since their allowed values are not documented.
    input: z.strictObject({ search: z.string().optional() }),
    output: publicAddress,
    listed: true,
  },
} as const satisfies Area;
