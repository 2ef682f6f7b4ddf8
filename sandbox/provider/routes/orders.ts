import { detail, noContent, ok } from '../answer.ts';
import { numbers } from '../numbers.ts';
import { cancelOrder, scheduleOrder } from '../order-life.ts';
import { presentOrder } from '../present.ts';
import { defineRoute } from '../router.ts';
import { choice, flag, list, optional, primaryKey, text, validate, withDefault } from '../validate.ts';
import { findOrder } from './find.ts';
import { listOrders } from './order-list.ts';

export const orderRoutes = [
  defineRoute('GET /orders/', (call) =>
    listOrders(call, undefined, (order) => presentOrder(call.provider, order, call.origin)),
  ),
  defineRoute('GET /orders/{order_id}/', ({ provider, params, origin }) =>
    ok(presentOrder(provider, findOrder(provider, params.order_id), origin)),
  ),
  defineRoute('PATCH /orders/{order_id}/', ({ provider, params, data }) => {
    const order = findOrder(provider, params.order_id);
    const project = primaryKey((id) => provider.state.projects.has(id));
    const body = validate(data(), {
      name: optional(text({ max: 64, mayBeBlank: true })),
      tags: optional(list(text({ max: 64 }))),
      project: optional((input) => (input === null || input === '' ? null : project(input))),
    });
    if (body.name !== undefined) order.name = body.name;
    if (body.tags !== undefined) order.tags = [...new Set(body.tags)];
    if (body.project !== undefined) order.projectId = body.project;
    provider.changed('order', order.id);
    return ok({ name: order.name, tags: order.tags, project: order.projectId });
  }),
  defineRoute('POST /orders/{order_id}/cancel/', ({ provider, params, data }) => {
    const order = findOrder(provider, params.order_id);
    const body = validate(data(), {
      when: withDefault(choice(['now', 'expired']), 'expired'),
      save_backup: withDefault(flag, true),
    });
    if (order.status === 'canceled') throw detail(400, 'The order is already canceled.');
    order.hasBackupOnCancel = body.save_backup;
    if (order.status === 'unpaid') {
      cancelOrder(provider, order);
      return ok({ status: 'canceled', message: 'Order has been canceled.' });
    }
    order.hasCancelMark = true;
    order.cancelAt = body.when === 'now' ? provider.clock.now() + numbers.instantCancelMs : null;
    scheduleOrder(provider, order);
    provider.changed('order', order.id);
    const message =
      body.when === 'now' ? 'Order will be canceled as soon as possible.' : 'Order will be canceled after expiration.';
    return ok({ status: 'cancel_pending', message });
  }),
  defineRoute('DELETE /orders/{order_id}/cancel/', ({ provider, params }) => {
    const order = findOrder(provider, params.order_id);
    if (order.status === 'canceled') throw detail(400, 'The order is already canceled.');
    order.hasCancelMark = false;
    order.cancelAt = null;
    scheduleOrder(provider, order);
    provider.changed('order', order.id);
    return noContent;
  }),
];
