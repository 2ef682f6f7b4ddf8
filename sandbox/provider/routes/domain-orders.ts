import { ok } from '../answer.ts';
import { isDomainName } from '../records.ts';
import { defineRoute } from '../router.ts';
import { fail, required, text, validate } from '../validate.ts';
import { findOrder } from './find.ts';

const nameservers = (input: unknown) => {
  const names = text({ max: 1024 })(input)
    .split(',')
    .map((name) => name.trim().toLowerCase());
  if (names.length < 2) return fail('Enter at least two name servers, separated by commas.');
  const wrong = names.find((name) => !isDomainName(name));
  return wrong === undefined ? names.join(',') : fail(`"${wrong}" is not a valid name server.`);
};

export const domainOrderRoutes = [
  defineRoute('POST /dns/order/{order_id}/change_ns/', ({ provider, params, data }) => {
    const order = findOrder(provider, params.order_id, 'domain');
    order.nameservers = validate(data(), { nss: required(nameservers) }).nss;
    provider.changed('order', order.id);
    return ok({ nss: order.nameservers });
  }),
];
