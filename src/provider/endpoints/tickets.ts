import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { noInput, orderId, text, textOrNull, word } from './shapes.ts';

const ticket = z.object({
  id: word,
  /** The ticket's page in the customer area, since the API cannot read tickets. */
  url: text,
  status: text,
});

/** The address of a webhook that is off may be '', null or absent. */
const ticketWebhook = z.object({ url: textOrNull, last_error_date: textOrNull, last_error_message: textOrNull });

const ticketPriorities = [0, 1, 2, 3, 4] as const;

export const tickets = {
  open: {
    route: 'POST /tickets/ticket/',
    // `credentials` is missing on purpose: the bot sends no passwords.
    input: z.strictObject({
      subject: z.string().min(1).max(64),
      message: z.string().min(1).max(49_152),
      priority: z.literal(ticketPriorities).optional(),
      order: orderId.optional(),
    }),
    output: ticket,
  },
  webhook: { route: 'GET /tickets/webhook_info/', input: noInput, output: ticketWebhook },
  setWebhook: {
    route: 'POST /tickets/webhook_set/',
    /** '' turns the webhook off. */
    input: z.strictObject({ url: z.union([z.literal(''), z.url().max(512)]) }),
    output: ticketWebhook,
  },
} as const satisfies Area;
