import { type Account, type Order, orderTarget } from '../../core/account.ts';
import type { View, ViewPart } from '../../core/view.ts';
import type { Access } from '../access/access.ts';
import type { EngineContext } from '../context/context.ts';

/** "Act on this": the servers a message speaks of, by name, id, hostname or address, with what this person may do. */
export async function serversInMessageView(context: EngineContext, text: string, footing: Access): Promise<View> {
  const world = await context.accountReader.read({ staleOk: true });
  const found = serversIn(text, world).filter((order) => footing.may('read', orderTarget(order)));
  if (found.length === 0) {
    return {
      summary: 'No server found',
      parts: [{ kind: 'text', text: 'This message names no server of ours that you may see here.' }],
    };
  }
  const mayOperate = (order: Order) => order.kind === 'vps' && footing.may('operate', orderTarget(order));
  const parts = found.slice(0, 8).flatMap((order): ViewPart[] => [
    { kind: 'text', text: [{ bold: order.label }, ` · ${order.id} · ${order.addresses.join(', ')}`] },
    {
      kind: 'buttons',
      buttons: [
        { label: 'Status', intent: { do: 'run', line: `status ${order.id}` } },
        ...(mayOperate(order)
          ? [{ label: 'Restart', intent: { do: 'run', line: `restart ${order.id}` } } as const]
          : []),
      ],
    },
  ]);
  return { summary: `${found.length} found`, parts };
}

/** Whole words only: `web-1` is not found in `web-10`. */
export function serversIn(text: string, world: Account): Order[] {
  const words = new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}.:_-]+/u)
      .flatMap((word) => [word, word.replace(/[.:]+$/, ''), word.replace(/:\d+$/, '')]),
  );
  return world.orders.filter((order) =>
    [order.id, order.name, order.hostname, ...order.addresses].some(
      (name) => name !== null && name !== '' && words.has(name.toLowerCase()),
    ),
  );
}
