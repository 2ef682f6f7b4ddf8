import { type Order, orderTarget } from '../../core/account/account.ts';
import { serversIn } from '../../core/account/servers-in-text.ts';
import type { View, ViewPart } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';

/**
 * "Act on this": the servers that a message mentions by name, id, hostname or address, with the actions that this
 * person may use.
 */
export async function serversInMessageView(
  context: Pick<EngineContext, 'accountReader'>,
  text: string,
  access: Access,
): Promise<View> {
  const account = await context.accountReader.read({ staleOk: true });
  const servers = serversIn(text, account).filter((order) => access.may('read', orderTarget(order)));
  if (servers.length === 0) {
    return {
      summary: 'No server found',
      parts: [{ kind: 'text', text: 'This message names no server that you may see here.' }],
    };
  }
  const mayOperate = (order: Order) => order.kind === 'vps' && access.may('operate', orderTarget(order));
  const parts = servers.slice(0, 8).flatMap((order): ViewPart[] => [
    { kind: 'text', text: [{ bold: order.label }, ` · ${order.id} · ${order.addresses.join(', ')}`] },
    {
      kind: 'buttons',
      buttons: [
        { label: 'Status', intent: { do: 'open', line: `status ${order.id}` }, opens: true },
        ...(mayOperate(order)
          ? [{ label: 'Restart', intent: { do: 'run', line: `restart ${order.id}` } } as const]
          : []),
      ],
    },
  ]);
  return { summary: `${servers.length} found`, parts };
}
