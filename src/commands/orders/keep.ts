import { z } from 'zod';
import { orderTarget } from '../../core/account/account.ts';
import { monthly } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { sent } from '../outcome.ts';
import { paidUntil } from '../servers/glance.ts';
import { anyOrder, markFacts, markVerdict, orderLine, readOrder } from './read-order.ts';

export const keep = defineAction({
  path: 'keep',
  title: 'Keep an order',
  summary: 'Withdraw the cancellation of an order',
  examples: ['keep web-1', 'keep 34-12345'],
  args: { order: anyOrder },
  capability: 'operate',
  risk: 'routine',
  step: z.object({ id: z.string(), name: z.string() }),
  plan: async ({ order: listed }, { reader, currency, now, may }) => {
    const order = await readOrder(reader, listed);
    if (order.status === 'canceled') {
      throw new Refusal('impossible', `${order.label} is canceled already: that cannot be taken back.`, {
        field: 'order',
      });
    }
    const target = orderTarget(order);
    // The channel reads the card, so the price is shown only if the requester may spend.
    const costs = may('spend', target) ? [['Costs', monthly(order.costMonth, await currency())] as const] : [];
    return {
      title: `Keep ${order.label}`,
      subject: [orderLine(order)],
      effect: 'The cancellation is removed, and the order continues as before.',
      details: [['Paid until', paidUntil(order, now)], ...costs],
      facts: markFacts(order),
      steps: [{ target, label: order.label, data: { id: order.id, name: order.label } }],
      ...(order.cancelMark === false ? { nothingToDo: `${order.label} is not marked to be canceled.` } : {}),
    };
  },
  execute: ({ id }, { provider }) => sent(provider.orders.keep({ order_id: id })),
  verify: async ({ id }, { reader }) =>
    markVerdict(await reader.orders.read({ order_id: id }), false, [
      'the cancellation is still set',
      'no cancellation is set',
    ]),
  done: ([{ data }]) => ({ text: `${data.name} is kept`, leaving: { [data.id]: false } }),
});
