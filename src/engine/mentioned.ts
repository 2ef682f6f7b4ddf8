import type { Part, View } from '../core/view.ts';
import { type Order, orderTarget, type World } from '../core/world.ts';
import type { Footing } from './decide.ts';
import type { Kit } from './kit.ts';

/** "Act on this": the servers a message speaks of, by name, id, hostname or address, with what this person may do. */
export async function mentioned(kit: Kit, text: string, footing: Footing): Promise<View> {
  const world = await kit.deps.world.read({ staleOk: true });
  const found = serversIn(text, world).filter((order) => footing.may('read', orderTarget(order)));
  if (found.length === 0) {
    return {
      summary: 'No server found',
      parts: [{ kind: 'text', text: 'This message names no server of ours that you may see here.' }],
    };
  }
  const mayOperate = (order: Order) => order.kind === 'vps' && footing.may('operate', orderTarget(order));
  const parts = found.slice(0, 8).flatMap((order): Part[] => [
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
export function serversIn(text: string, world: World): Order[] {
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
