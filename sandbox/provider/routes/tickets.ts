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
  defineRoute('POST /tickets/ticket/', ({ world, data, origin }) => {
    // Credentials are taken and come back nowhere.
    const { credentials: _, ...wish } = validate(data(), {
      subject: required(text({ min: 1, max: 64 })),
      message: required(text({ min: 1, max: 49_152 })),
      priority: withDefault(choice([0, 1, 2, 3, 4]), 1),
      order: withDefault(nullable(knownOrder(world)), null),
      credentials: optional(object({ username: credential, password: credential, comment: credential })),
    });
    return created(presentTicket(openTicket(world, wish), origin));
  }),
  defineRoute('GET /tickets/webhook_info/', ({ world }) => ok(presentWebhook(world.state.ticketWebhook))),
  defineRoute('POST /tickets/webhook_set/', ({ world, data }) => {
    const address = webAddress({ max: 512 });
    const { url } = validate(data(), {
      url: withDefault((input: unknown) => (input === '' ? '' : address(input)), ''),
    });
    world.state.ticketWebhook = { url, lastErrorAt: null, lastError: null };
    world.changed('ticket');
    return created(presentWebhook(world.state.ticketWebhook));
  }),
];

const knownOrder = (world: ProviderState) => (input: unknown) => {
  const id = text({ min: 1 })(input);
  return world.state.orders.has(id) ? id : fail(`Object with unique_number=${id} does not exist.`);
};
