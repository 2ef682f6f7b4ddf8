import { created, ok } from '../answer.ts';
import { defineRoute } from '../router.ts';
import { openTicket, presentTicket, presentWebhook } from '../tickets.ts';
import type { ProviderState } from '../types.ts';
import {
  choice,
  fail,
  nullable,
  object,
  optional,
  required,
  text,
  validate,
  webAddress,
  withDefault,
} from '../validate.ts';

const credential = optional(text({ min: 1 }));

export const ticketRoutes = [
  defineRoute('POST /tickets/ticket/', ({ provider, data, origin }) => {
    // Credentials are accepted, but never returned.
    const { credentials: _, ...fields } = validate(data(), {
      subject: required(text({ min: 1, max: 64 })),
      message: required(text({ min: 1, max: 49_152 })),
      priority: withDefault(choice([0, 1, 2, 3, 4]), 1),
      order: withDefault(nullable(knownOrder(provider)), null),
      credentials: optional(object({ username: credential, password: credential, comment: credential })),
    });
    return created(presentTicket(openTicket(provider, fields), origin));
  }),
  defineRoute('GET /tickets/webhook_info/', ({ provider }) => ok(presentWebhook(provider.state.ticketWebhook))),
  defineRoute('POST /tickets/webhook_set/', ({ provider, data }) => {
    const address = webAddress({ max: 512 });
    const { url } = validate(data(), {
      url: withDefault((input: unknown) => (input === '' ? '' : address(input)), ''),
    });
    provider.state.ticketWebhook = { url, lastErrorAt: null, lastError: null };
    provider.changed('ticket');
    return created(presentWebhook(provider.state.ticketWebhook));
  }),
];

const knownOrder = (provider: ProviderState) => (input: unknown) => {
  const id = text({ min: 1 })(input);
  return provider.state.orders.has(id) ? id : fail(`Object with unique_number=${id} does not exist.`);
};
