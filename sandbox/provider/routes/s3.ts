import { ok } from '../answer.ts';
import type { SimOrder, StoragePart } from '../model.ts';
import { presentProject } from '../present.ts';
import { defineRoute } from '../router.ts';
import { naiveDate } from '../time.ts';
import type { ProviderState } from '../types.ts';
import { integer, required, validate } from '../validate.ts';
import { findStorage, integerIn } from './find.ts';
import { listOrders } from './order-list.ts';

export const s3Routes = [
  // The document's schema has an integer, its sample a text; clients meet both forms.
  defineRoute('GET /orders/s3/', (call) =>
    listOrders(call, 'storage', (order) => {
      const bucket = presentBucket(call.provider, findStorage(call.provider, order.id), call.origin);
      return { ...bucket, space_used: String(bucket.space_used) };
    }),
  ),
  defineRoute('GET /orders/s3/{order_id}/', ({ provider, params, origin }) =>
    ok(presentBucket(provider, findStorage(provider, params.order_id), origin)),
  ),
  // The document types the id as an integer: 7, not 664-7.
  defineRoute('PUT /orders/s3/{order_id}/notification_threshold/', ({ provider, params, data }) => {
    const { id, storage } = findStorage(provider, `664-${integerIn(params.order_id)}`);
    const { space_warning_notify_gb } = validate(data(), { space_warning_notify_gb: required(integer({ min: 0 })) });
    storage.warnAtFreeGb = space_warning_notify_gb;
    provider.changed('order', id);
    return ok({ space_warning_notify_gb });
  }),
];

/** The bucket with its secret key in clear text, as the provider sends it. */
function presentBucket(provider: ProviderState, order: SimOrder & { storage: StoragePart }, origin: string) {
  const { storage } = order;
  const project = order.projectId === null ? undefined : provider.state.projects.get(order.projectId);
  return {
    id: order.id,
    name: order.name,
    hostname: order.hostname ?? 's3.hosting.example',
    access_key: storage.accessKey,
    secret_key: storage.secretKey,
    bucket_name: storage.bucket,
    space_used: storage.usedGb,
    cost_month: order.costMonth,
    expiration_date: order.expiresAt === null ? null : naiveDate(order.expiresAt),
    tags: order.tags,
    cancel_mark: order.hasCancelMark,
    project: project ? presentProject(project, origin) : null,
    status: order.status,
  };
}
