import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { id, noInput, nothing, orderId, orderPath, orNull, text } from './shapes.ts';

const sshKey = z.object({
  id,
  /** The public key, as one line of `authorized_keys`. */
  key: z.string(),
  title: text,
  date: text,
  /** Whether new servers get the key if they are ordered without a list of keys; null if absent. */
  default: orNull(z.boolean()),
});
export type ProviderSshKey = z.output<typeof sshKey>;

const ofOrder = z.strictObject({ order_id: orderId, key_pk: id });

export const sshKeys = {
  list: { route: 'GET /ssh_keys/', input: noInput, output: sshKey, listed: true },
  add: {
    route: 'POST /ssh_keys/',
    input: z.strictObject({
      key: z.string().min(1).max(16_384),
      title: z.string().min(1).max(128),
      default: z.boolean().optional(),
    }),
    output: sshKey,
  },
  remove: {
    route: 'DELETE /ssh_keys/{key_id}/',
    input: z.strictObject({ key_id: id }),
    output: nothing,
  },
  ofServer: { route: 'GET /vps/{order_id}/ssh_keys/', input: orderPath, output: sshKey, listed: true },
  link: { route: 'POST /vps/{order_id}/ssh_keys/add/', input: ofOrder, output: nothing },
  // A POST by the document, not a DELETE. It removes the link; the key stays in the account.
  unlink: { route: 'POST /vps/{order_id}/ssh_keys/delete/', input: ofOrder, output: nothing },
} as const satisfies Area;
