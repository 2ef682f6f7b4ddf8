import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { project } from './projects.ts';
import {
  decimalOrNull,
  flagOrNull,
  givenOrderId,
  id,
  idOrNull,
  nothing,
  orderId,
  orderPath,
  orNull,
  text,
  textOrNull,
  texts,
} from './shapes.ts';

export const order = z.object({
  id: givenOrderId,
  /** '' if the order has no name. */
  name: text,
  tariff: text,
  tariff_price: decimalOrNull,
  type: text,
  hostname: textOrNull,
  ipaddress_set: texts,
  /** The document names eight statuses. An unknown status is shown unchanged, instead of making the list unreadable. */
  status: text.transform((status) => (status === '' ? 'unknown' : status)),
  /** Null if absent: the cost is then unknown, not zero. */
  cost_month: decimalOrNull,
  /** The provider's text: without a zone, with Z, or with an offset. */
  expiration_date: textOrNull,
  tags: texts,
  /** Null if absent, as in items of lists: then unknown, not "not marked". */
  cancel_mark: flagOrNull,
  /** Null without a project; items of lists may omit it too. */
  project: orNull(z.union([project, z.literal('').transform(() => null)])),
});
export type ProviderOrder = z.output<typeof order>;

const editedOrder = z.object({ name: text, tags: texts, project: idOrNull });

const canceled = z.object({ status: text, message: text });

export const orderListInput = z.strictObject({ cancel_mark: z.boolean().optional() });

export const orders = {
  list: { route: 'GET /orders/', input: orderListInput, output: order, paginated: true },
  read: { route: 'GET /orders/{order_id}/', input: orderPath, output: order },
  update: {
    route: 'PATCH /orders/{order_id}/',
    input: z.strictObject({
      order_id: orderId,
      // By the document's text '' clears the name, but its schema requires one character. The provider decides.
      name: z.string().max(64).optional(),
      tags: z.array(z.string().min(1)).optional(),
      project: id.nullable().optional(),
    }),
    output: editedOrder,
  },
  cancel: {
    route: 'POST /orders/{order_id}/cancel/',
    input: z.strictObject({
      order_id: orderId,
      when: z.enum(['now', 'expired']).optional(),
      save_backup: z.boolean().optional(),
    }),
    output: canceled,
  },
  keep: { route: 'DELETE /orders/{order_id}/cancel/', input: orderPath, output: nothing },
} as const satisfies Area;
