import type { SimTicket, SimTicketWebhook } from './model.ts';
import { numbers } from './numbers.ts';
import { offsetDate } from './time.ts';
import type { ProviderState } from './types.ts';

type TicketWish = Pick<SimTicket, 'subject' | 'message' | 'priority' | 'order'>;

export function openTicket(provider: ProviderState, fields: TicketWish): SimTicket {
  const id = (0x65a0_0000_0000_0000_0000_0000n + BigInt(provider.state.next.ticket++)).toString(16).padStart(24, '0');
  const ticket: SimTicket = { id, ...fields, status: 'new', openedAt: provider.clock.now(), answers: [] };
  provider.state.tickets.set(id, ticket);
  provider.changed('ticket', id);
  return ticket;
}

export function presentTicket({ id, subject, message, priority, order, status }: SimTicket, origin: string) {
  return { id, subject, message, priority, order, url: `${origin}/my/tickets/${id}/`, status };
}

export function presentWebhook({ url, lastErrorAt, lastError }: SimTicketWebhook) {
  return {
    url,
    last_error_date: lastErrorAt === null ? null : offsetDate(lastErrorAt),
    last_error_message: lastError,
  };
}

/** Adds support's reply to a ticket and calls the ticket webhook: unsigned, once, and for no other known event. */
export async function answerTicket(provider: ProviderState, id: string, words: string): Promise<void> {
  const ticket = provider.state.tickets.get(id);
  if (!ticket) throw new Error(`answering a ticket: the simulated provider has no ticket ${id}`);
  const at = provider.clock.now();
  ticket.answers.push({ text: words, at });
  ticket.status = 'answered';
  provider.changed('ticket', id);
  const { url } = provider.state.ticketWebhook;
  if (url === '') return;
  const text = `New comment in ticket ${id} "${ticket.subject}": ${words}`;
  const status = await postText(provider, url, text);
  const { ticketWebhook, deliveries } = provider.state;
  deliveries.push({ orderId: ticket.order ?? id, url, at, status });
  if (ticketWebhook.url === url && (status === null || status >= 400)) {
    ticketWebhook.lastErrorAt = at;
    ticketWebhook.lastError = status === null ? 'Connection error' : `HTTP status ${status}`;
  }
  provider.changed('webhook', id);
}

async function postText(provider: ProviderState, url: string, text: string): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      redirect: 'manual',
      signal: AbortSignal.any([provider.closing.signal, AbortSignal.timeout(numbers.webhookTimeoutMs)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
