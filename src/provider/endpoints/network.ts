import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { id, text } from './shapes.ts';

const publicAddress = z.object({
  id,
  ip: z.string(),
  location: z.object({ value: text, label: text, icon: text }),
  /** '' where none is set: the document does not say what stands there then. */
  rdns: text,
  order: z
    .object({
      id: z.union([z.int(), z.string()]),
      name: text,
      type: text,
      link: text,
      /** Very likely the number that people know, such as 34-1234. */
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
    // The allowed values of ordering and type are written nowhere, so neither is sent.
    input: z.strictObject({ search: z.string().optional() }),
    output: publicAddress,
    listed: true,
  },
} as const satisfies Area;
