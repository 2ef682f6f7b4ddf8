import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import * as shape from './shapes.ts';

const balance = z.object({ balance: shape.decimal, currency: z.string() });
const info = z.object({ email: shape.text, name: shape.text });
const invoices = z.object({
  unpaid_invoices_count: z.number(),
  unpaid_invoices_amount: shape.decimal,
  currency: z.string(),
});

export type Balance = z.output<typeof balance>;
export type InvoiceSummary = z.output<typeof invoices>;

export const account = {
  balance: { route: 'GET /account/balance', input: shape.noInput, output: balance },
  info: { route: 'GET /account/info', input: shape.noInput, output: info },
  invoices: { route: 'GET /account/invoices', input: shape.noInput, output: invoices },
} as const satisfies Area;

const sshKey = z.object({
  id: shape.id,
  /** The public key, as one line of `authorized_keys`. */
  key: z.string(),
  title: shape.text,
  date: shape.text,
  /** Whether new servers get the key if they are ordered without a list of keys; null if absent. */
  default: shape.orNull(z.boolean()),
});
export type ProviderSshKey = z.output<typeof sshKey>;

const ofOrder = z.strictObject({ order_id: shape.orderId, key_pk: shape.id });

export const sshKeys = {
  list: { route: 'GET /ssh_keys/', input: shape.noInput, output: sshKey, listed: true },
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
    input: z.strictObject({ key_id: shape.id }),
    output: shape.nothing,
  },
  ofServer: { route: 'GET /vps/{order_id}/ssh_keys/', input: shape.orderPath, output: sshKey, listed: true },
  link: { route: 'POST /vps/{order_id}/ssh_keys/add/', input: ofOrder, output: shape.nothing },
  // A POST by the document, not a DELETE. It removes the link; the key stays in the account.
  unlink: { route: 'POST /vps/{order_id}/ssh_keys/delete/', input: ofOrder, output: shape.nothing },
} as const satisfies Area;

const publicAddress = z.object({
  id: shape.id,
  ip: z.string(),
  location: z.object({ value: shape.text, label: shape.text }),
  /** '' if no name is set; the document does not say how the provider writes that. */
  rdns: shape.text,
  order: shape.orNull(
    z.object({
      name: shape.text,
      /** Very likely the number that people see, such as 34-1234. */
      unique_number: shape.text,
    }),
  ),
});
export type PublicAddress = z.output<typeof publicAddress>;

export const network = {
  addresses: {
    route: 'GET /network/ip-address/',
    // `ordering` and `type` are not sent, since their allowed values are not documented.
    input: shape.noInput,
    output: publicAddress,
    listed: true,
  },
} as const satisfies Area;

const privateNetwork = z.object({ id: shape.givenId });

const networkLocation = z.object({ id: shape.givenId, location: z.object({ value: z.string(), label: shape.text }) });

export const privateNetworks = {
  list: { route: 'GET /private-network/', input: shape.noInput, output: privateNetwork, paginated: true },
  create: { route: 'POST /private-network/', input: shape.noInput, output: privateNetwork },
  locations: {
    route: 'GET /private-network/locations/',
    input: shape.noInput,
    output: networkLocation,
    paginated: true,
  },
  delete: { route: 'DELETE /private-network/{id}/', input: shape.idPath, output: shape.nothing },
} as const satisfies Area;

const ticket = z.object({
  id: shape.word,
  /** The ticket's page in the customer area, since the API cannot read tickets. */
  url: shape.text,
  status: shape.text,
});

/** The address of a webhook that is off may be '', null or absent. */
const ticketWebhook = z.object({
  url: shape.textOrNull,
  last_error_date: shape.textOrNull,
  last_error_message: shape.textOrNull,
});

const ticketPriorities = [0, 1, 2, 3, 4] as const;

export const tickets = {
  open: {
    route: 'POST /tickets/ticket/',
    // `credentials` is missing on purpose: the bot sends no passwords.
    input: z.strictObject({
      subject: z.string().min(1).max(64),
      message: z.string().min(1).max(49_152),
      priority: z.literal(ticketPriorities).optional(),
      order: shape.orderId.optional(),
    }),
    output: ticket,
  },
  webhook: { route: 'GET /tickets/webhook_info/', input: shape.noInput, output: ticketWebhook },
  setWebhook: {
    route: 'POST /tickets/webhook_set/',
    /** '' turns the webhook off. */
    input: z.strictObject({ url: z.union([z.literal(''), z.url().max(512)]) }),
    output: ticketWebhook,
  },
} as const satisfies Area;
