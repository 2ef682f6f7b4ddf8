import { ifReadable, ProviderError } from '../../core/view/errors.ts';
import { says } from '../../core/view/view.ts';
import type { Store } from '../../store/database.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { findOperation, type Operation } from './read-operation.ts';
import { notifyThread } from './thread.ts';

/** Orders that a request canceled and that the provider has not removed yet. */
export async function leavingOrders({ values }: Pick<Store, 'values'>) {
  return [...(await values.list('leaving')).values()].map(({ value }) => value).filter((note) => note !== null);
}

/** Writes the notes before the end, so that no crash loses them; `notifyGone` skips requests with another end. */
export async function noteLeaving(
  { store, outbox, now }: EngineContext,
  { id }: Pick<Operation, 'id'>,
  orders: Readonly<Record<string, boolean>>,
): Promise<void> {
  // The message row of the card is pruned before an order paid for a year ends.
  const card = (await outbox.posted(`card:${id}`))?.ts ?? null;
  const notes = Object.entries(orders).map(([order, isLeaving]) => [
    order,
    isLeaving ? { order, operation: id, card } : null,
  ]);
  await store.values.write('leaving', Object.fromEntries(notes), now());
}

/** Posts once that an order is gone, in the thread of the request that canceled it. */
export async function notifyGone(context: EngineContext): Promise<void> {
  const { store, now } = context;
  for (const { order, operation: id, card } of await leavingOrders(store)) {
    if (!(await isGone(context, order))) continue;
    const operation = await findOperation(context, id);
    if (operation?.state === 'done' || operation?.state === 'unverified') {
      const name = operation.plan.targets.find((target) => target.id === order)?.name ?? order;
      // The key is the same after a crash, so the message is posted once.
      const inThread = { ...operation, thread: operation.thread ?? card };
      await notifyThread(context, inThread, `gone:${id}`, says(`${name} is gone: the provider has canceled it.`));
    }
    await store.values.write('leaving', { [order]: null }, now());
  }
}

/** The list may omit an existing order, so a missing one is read by its id. A failed read does not mean gone. */
async function isGone({ accountReader, reader }: EngineContext, id: string): Promise<boolean> {
  const account = await ifReadable(accountReader.read());
  if (account === undefined) return false;
  const listed = account.orders.find((order) => order.id === id);
  if (listed !== undefined) return listed.status === 'canceled';
  return reader.orders.read({ order_id: id }).then(
    ({ status }) => status === 'canceled',
    (error: unknown) => error instanceof ProviderError && error.kind === 'not_found',
  );
}
