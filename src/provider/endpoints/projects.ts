import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { givenId, id, idPath, noInput, nothing, orderId, text, textOrNull } from './shapes.ts';

export const project = z.object({ id: givenId, name: text, comment: text, logo: textOrNull });

const name = z.string().min(1).max(40);
const comment = z.string().max(256);
const membersInput = z.strictObject({ id, orders: z.array(orderId) });
const logo = z.object({
  name: z.string().min(1).max(255),
  type: z.string().regex(/^image\/[\w.+-]+$/, 'an image type'),
  bytes: z.instanceof(Uint8Array),
});

export const projects = {
  list: { route: 'GET /project/', input: noInput, output: project, paginated: true },
  create: {
    route: 'POST /project/',
    input: z.strictObject({ name, comment: comment.optional() }),
    output: project,
  },
  read: { route: 'GET /project/{id}/', input: idPath, output: project },
  update: {
    route: 'PATCH /project/{id}/',
    input: z.strictObject({ id, name: name.optional(), comment: comment.optional() }),
    output: project,
  },
  delete: { route: 'DELETE /project/{id}/', input: idPath, output: nothing },
  addOrders: { route: 'POST /project/{id}/add_orders/', input: membersInput, output: nothing },
  removeOrders: { route: 'POST /project/{id}/remove_orders/', input: membersInput, output: nothing },
  editLogo: {
    route: 'PUT /project/{id}/edit_logo/',
    input: z.strictObject({ id, logo }),
    output: z.object({ logo: textOrNull }),
    sends: 'multipart',
  },
} as const satisfies Area;
