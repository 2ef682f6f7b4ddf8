import { createHmac } from 'node:crypto';
import type { SimOrder } from './model.ts';
import { numbers } from './numbers.ts';
import { presentVpsOrder } from './present.ts';
import type { ProviderState } from './types.ts';

/** Reports a new server to the creation's webhook address. Sent once, since repetitions are not documented. */
export function sendCreated(provider: ProviderState, order: SimOrder): void {
  const { vps } = order;
  if (!vps?.webhook) return;
  const { url, secret } = vps.webhook;
  vps.webhook = null;
  const body = JSON.stringify({
    ...presentVpsOrder(provider, order, ''),
    credentials: { ip_address: order.addresses?.[0] ?? '', username: 'root', password: vps.password },
  });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const at = provider.clock.now();
  const { deliveries } = provider.state;
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'fornex-signature': signature },
    body,
    redirect: 'manual',
    signal: AbortSignal.any([provider.closing.signal, AbortSignal.timeout(numbers.webhookTimeoutMs)]),
  })
    .then(async (response) => {
      await response.body?.cancel();
      return response.status;
    })
    .catch(() => null)
    .then((status) => {
      deliveries.push({ orderId: order.id, url, at, status });
      provider.changed('webhook', order.id);
    });
}
