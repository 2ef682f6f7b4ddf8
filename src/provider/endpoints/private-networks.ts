import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { givenId, idPath, listInput, noInput, nothing, text } from './shapes.ts';

const privateNetwork = z.object({ id: givenId });

const networkLocation = z.object({ id: givenId, location: z.object({ value: z.string(), label: text, icon: text }) });

export const privateNetworks = {
  list: { route: 'GET /private-network/', effect: 'read', input: listInput, output: privateNetwork, paginated: true },
  create: { route: 'POST /private-network/', effect: 'write', input: noInput, output: privateNetwork },
  locations: {
    route: 'GET /private-network/locations/',
    effect: 'read',
    input: listInput,
    output: networkLocation,
    paginated: true,
  },
  delete: {
    route: 'DELETE /private-network/{id}/',
    effect: 'write',
    input: idPath,
    output: nothing,
    answers: 'nothing',
  },
} as const satisfies Area;
