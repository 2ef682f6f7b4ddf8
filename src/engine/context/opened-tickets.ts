import { z } from 'zod';
import type { Store } from '../../store/database.ts';
import { createSettings } from '../../store/settings.ts';
import type { OpenedTickets } from './alerts-port.ts';

const ticketSchema = z.object({
  id: z.string(),
  url: z.string(),
  subject: z.string(),
  order: z.string().nullable(),
  about: z.string().nullable(),
  channel: z.string(),
  by: z.string(),
  at: z.number(),
});

/** Tickets opened here, stored by id, since the API does not list tickets. */
export function createOpenedTickets(store: Store): OpenedTickets {
  const settings = createSettings(store, 'ticket', ticketSchema);
  return {
    all: async () => [...(await settings.all()).values()],
    add: async (ticket) => {
      await settings.change(ticket.id, () => ticket);
    },
  };
}
