import type { ProviderSnapshot } from '../../sandbox/provider/model.ts';
import { dayMs } from '../../sandbox/provider/numbers.ts';
import { seedAccount } from '../../sandbox/provider/seed/account.ts';
import { addOrders, vpsOrder } from '../../sandbox/provider/seed/build.ts';
import { toSnapshot } from '../../sandbox/provider/snapshot.ts';

/** The usual account, with enough servers and zones for each story: one bot runs all of them at once through Slack. */
export function storyAccount(now: number): ProviderSnapshot {
  const state = seedAccount(now);
  const servers = [...Array.from({ length: 30 }, (_, index) => `app-${index + 1}`), 'shop-1', 'shop-2', 'shop-3'];
  addOrders(
    state,
    servers.map((name, index) =>
      vpsOrder({
        number: 12_600 + index,
        name,
        plan: 102,
        hostname: `${name}.example.com`,
        addresses: [`203.0.113.${150 + index}`],
        tags: [name.startsWith('shop') ? 'shop' : name],
        createdAt: now - 100 * dayMs,
        expiresAt: now + 12 * dayMs,
        vps: { location: 'de', powerChangedAt: now - 20 * dayMs },
      }),
    ),
  );
  state.next.vps = 13_000;
  const zones = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
  for (const name of zones.map((number) => `${number}.example`)) {
    const entries = [
      { host: '', type: 'NS', value: 'ns1.hosting.example', ttl: null },
      { host: '', type: 'A', value: '203.0.113.150', ttl: 300 },
      { host: 'www', type: 'A', value: '203.0.113.150', ttl: 300 },
      { host: '', type: 'TXT', value: 'v=spf1 -all', ttl: null },
    ] as const;
    state.domains.set(name, {
      name,
      createdAt: now - 300 * dayMs,
      updatedAt: now - 5 * dayMs,
      tags: [],
      entries: new Map(entries.map((entry) => [state.next.entry, { ...entry, id: state.next.entry++, prio: null }])),
    });
  }
  return toSnapshot(state, 0);
}

/** `34-12600` is app-1. */
export const orderOf = (name: string): string => {
  const [role, n] = name.split('-');
  return `34-${12_600 + (role === 'shop' ? 29 : -1) + Number(n)}`;
};
