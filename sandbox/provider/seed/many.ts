import { benchmarkAddress } from '../addresses.ts';
import { locations } from '../catalog.ts';
import type { ProviderData } from '../model.ts';
import { noise } from '../noise.ts';
import { dayMs } from '../numbers.ts';
import { emptyState } from '../snapshot.ts';
import { vpsPlans } from '../tariffs.ts';
import { addOrders, vpsOrder } from './build.ts';

const roles = ['web', 'db', 'cache', 'worker', 'mail', 'proxy'] as const;

/** A large, reproducible inventory: `web-1`, `db-1`, … with ids from 34-10001. */
export function seedMany(count: number, now: number): ProviderData {
  const state = emptyState();
  const first = state.next.vps;
  const servers = Array.from({ length: count }, (_, index) => {
    const role = roles[index % roles.length] ?? 'web';
    const name = `${role}-${Math.floor(index / roles.length) + 1}`;
    const share = noise(name);
    return vpsOrder({
      number: first + index,
      name,
      plan: vpsPlans[Math.floor(share * vpsPlans.length)]?.id ?? 101,
      hostname: `${name}.example.com`,
      addresses: [benchmarkAddress(index)],
      tags: [role, share < 0.8 ? 'prod' : 'staging'],
      createdAt: now - 200 * dayMs,
      expiresAt: now + (3 + Math.floor(share * 27)) * dayMs,
      vps: { location: locations[index % 4]?.value ?? 'de', power: share < 0.95 ? 'on' : 'off' },
    });
  });
  addOrders(state, servers);
  state.next.vps = first + count;
  state.next.address = count;
  const monthly = servers.reduce((sum, server) => sum + (server.costMonth ?? 0), 0);
  state.account.balance = Math.round(monthly * 150) / 100;
  return state;
}
