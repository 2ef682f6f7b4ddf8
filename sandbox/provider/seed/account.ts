import { createHash } from 'node:crypto';
import { endNotes } from '../jobs.ts';
import type { ProviderData, SimOrder } from '../model.ts';
import { nameservers } from '../nameservers.ts';
import { newOrder } from '../new-order.ts';
import { dayMs, hourMs, numbers } from '../numbers.ts';
import { emptyState } from '../snapshot.ts';
import { addOrders, vpsOrder } from './build.ts';
import { seedDomains } from './domains.ts';
import { seedSshKeys } from './ssh-keys.ts';

/** A small company's account: servers, money, domains, and a few things that need attention. */
export function seedAccount(now: number): ProviderData {
  const state = emptyState();
  state.account = { email: 'ops@example.com', name: 'Example Ltd', currency: 'EUR', balance: 84.2 };
  state.next.vps = 12_500;
  state.next.job = numbers.firstJobPk;
  for (const [name, comment] of [
    ['Website', 'What customers see'],
    ['Internal', 'Build, monitoring, VPN'],
  ] as const) {
    const id = state.next.project++;
    state.projects.set(id, { id, name, comment, logo: null });
  }
  addOrders(state, [...servers(now), ...dedicated(now), ...others(now)]);
  const network = state.next.network++;
  state.networks.set(network, { id: network });
  for (const [name, sizeGb, daysAgo] of [
    ['web-1 before the upgrade', 11.4, 40],
    ['db-1 monthly', 23.75, 12],
    ['golden image', 4.2, 190],
  ] as const) {
    const id = state.next.snapshot++;
    state.snapshots.set(id, { id, name, sizeGb, createdAt: now - daysAgo * dayMs });
  }
  const invoice = state.next.invoice++;
  state.invoices.set(invoice, { id: invoice, orderId: '664-2041', amount: 2.5, isPaid: false });
  pastJobs(state, now);
  seedSshKeys(state, now);
  seedTicket(state, now);
  seedDomains(state, now);
  return state;
}

const website = 1;
const internal = 2;

/** Number, name, plan, location, address, days left, tags, and special values. */
type Row = readonly [number, string, number, string, string, number, readonly string[], Partial<SimOrder>?];

const rows: readonly Row[] = [
  [12_345, 'web-1', 102, 'de', '192.0.2.10', 19, ['web', 'prod'], { projectId: website }],
  [12_399, 'web-2', 102, 'de', '192.0.2.11', 19, ['web', 'prod'], { projectId: website }],
  [12_407, 'web-3', 102, 'nl', '198.51.100.10', 24, ['web', 'prod'], { projectId: website }],
  [12_346, 'db-1', 103, 'de', '192.0.2.20', 19, ['db', 'prod'], { projectId: website }],
  [12_411, 'db-2', 102, 'nl', '198.51.100.20', 24, ['db', 'prod', 'replica'], { projectId: website }],
  [12_352, 'cache-1', 101, 'de', '192.0.2.30', 2, ['cache', 'prod'], { projectId: website, isAutorenewed: false }],
  [12_360, 'mail-1', 101, 'es', '203.0.113.25', 11, ['mail', 'prod']],
  [12_371, 'ci-1', 101, 'nl', '198.51.100.40', 8, ['ci'], { projectId: internal }],
  [12_372, 'monitor-1', 101, 'es', '203.0.113.40', 27, ['monitoring'], { projectId: internal }],
  [12_380, 'vpn-1', 101, 'us', '203.0.113.129', 15, ['vpn'], { projectId: internal }],
  [12_422, 'staging-1', 101, 'us', '203.0.113.140', 6, ['staging']],
  [12_318, 'wiki-1', 101, 'es', '203.0.113.50', 9, ['legacy'], { status: 'noprolong' }],
];
const off = new Set(['staging-1', 'wiki-1']);
/** staging-1 is off on purpose, as the bot of the sandbox knows. */
export const offOnPurpose = '34-12422';
const onPrivateNetwork = new Set(['db-1', 'cache-1']);

function servers(now: number): SimOrder[] {
  return rows.map(([number, name, plan, location, address, daysLeft, tags, special]) => {
    const server = vpsOrder({
      number,
      name,
      plan,
      hostname: `${name}.example.com`,
      addresses: name === 'mail-1' ? [address, '2001:db8:25::25'] : [address],
      reverseDns: reverseDnsOf(name, address),
      moreAddresses: name === 'monitor-1' ? ['203.0.113.41'] : [],
      tags: [...tags],
      createdAt: now - 400 * dayMs,
      expiresAt: now + daysLeft * dayMs,
      ...special,
      vps: {
        location,
        power: off.has(name) ? 'off' : 'on',
        powerChangedAt: now - 31 * dayMs,
        isPrivateNetworkEnabled: onPrivateNetwork.has(name),
      },
    });
    // A custom configuration: without a plan's price, and with the frequency as decimal text.
    if (name === 'db-2' && server.vps?.configuration) {
      server.tariff = 'Custom';
      server.tariffPrice = null;
      server.vps.configuration.min_cpu_freq = '3.10';
    }
    return server;
  });
}

/** The mail server's address still has its default name, which other mail servers distrust. */
function reverseDnsOf(name: string, address: string): Record<string, string> {
  if (name === 'wiki-1') return {};
  return { [address]: name === 'mail-1' ? `${address.replaceAll('.', '-')}.hosting.example` : `${name}.example.com` };
}

function dedicated(now: number): SimOrder[] {
  const server = (number: number, name: string, tariff: string, price: number, address: string, daysLeft: number) => ({
    id: `34-${number}`,
    kind: 'ds' as const,
    name,
    tariff,
    tariffPrice: price,
    costMonth: price,
    hostname: `${name}.example.net`,
    addresses: [address],
    createdAt: now - 700 * dayMs,
    expiresAt: now + daysLeft * dayMs,
    tags: ['dedicated', 'prod'],
  });
  return [
    newOrder({
      ...server(1_000_101, 'files-1', 'DS-E3', 27, '198.51.100.200', 9),
      ds: {
        cpu_count: 4,
        cpu: 'Intel Xeon E3-1230 v6',
        motherboard: 'Supermicro X11SSL-F',
        chassis: '1U',
        bandwidth: 1000,
        memory: 32,
        raid_controller: 'LSI 9260-4i',
        network_adapter: 'Intel I210',
        disks: '2 x 480 GB SSD',
        trafficLimitBytes: 10e12,
        // After three weeks of the month, this is about 85 % of the limit.
        trafficBytesPerSec: 4_600_000,
      },
    }),
    newOrder({
      ...server(1_000_102, 'backup-1', 'DS-R5', 32, '192.0.2.200', 21),
      ds: {
        cpu_count: 6,
        cpu: 'AMD Ryzen 5 3600',
        motherboard: 'ASRock Rack X470D4U',
        chassis: '1U',
        bandwidth: null,
        memory: 64,
        raid_controller: '',
        network_adapter: 'Intel I210',
        disks: '2 x 1 TB NVMe',
        trafficLimitBytes: 20e12,
        trafficBytesPerSec: 1_100_000,
      },
    }),
  ];
}

function others(now: number): SimOrder[] {
  const domain = (number: number, name: string, daysLeft: number, yearly: number) =>
    newOrder({
      id: `375-${number}`,
      kind: 'domain',
      name,
      tariff: `Domain .${name.split('.')[1] ?? ''}`,
      tariffPrice: yearly,
      costMonth: Math.round((yearly / 12) * 100) / 100,
      termMonths: 12,
      createdAt: now - 900 * dayMs,
      expiresAt: now + daysLeft * dayMs,
      nameservers: nameservers.join(','),
    });
  return [
    domain(13, 'example.com', 210, 10.8),
    domain(14, 'example.org', 96, 11.4),
    domain(21, 'example.net', 41, 12),
    newOrder({
      id: '77-3301',
      kind: 'backup',
      name: 'Offsite backup',
      tariff: 'Backup 100 GB',
      tariffPrice: 2,
      costMonth: 2,
      createdAt: now - 300 * dayMs,
      expiresAt: now + 13 * dayMs,
      tags: ['backup'],
    }),
    newOrder({
      id: '664-2041',
      kind: 'storage',
      name: 'Media bucket',
      tariff: 'Object storage 250 GB',
      tariffPrice: 2.5,
      costMonth: 2.5,
      status: 'unpaid',
      hostname: 's3.hosting.example',
      storage: {
        accessKey: 'example.8cab052ag4',
        secretKey: createHash('sha256').update('the secret key of the simulated bucket').digest('hex').slice(0, 32),
        bucket: 'example.8cab052ag4.main',
        usedGb: 232,
        warnAtFreeGb: 20,
      },
      createdAt: now - 2 * dayMs,
      expiresAt: now + 28 * dayMs,
    }),
  ];
}

function seedTicket(state: ProviderData, now: number): void {
  const id = `65a0${'0'.repeat(18)}${state.next.ticket++}`.slice(0, 24).padEnd(24, '0');
  state.tickets.set(id, {
    id,
    subject: 'ci-1: hard reset ended in error',
    message: 'Job 806 of order 34-12371 ended in error: The hypervisor did not answer in time.',
    priority: 1,
    order: '34-12371',
    status: 'new',
    openedAt: now - 29 * hourMs,
    answers: [],
  });
}

function pastJobs(state: ProviderData, now: number): void {
  for (const [orderId, kind, hoursAgo, end] of [
    ['34-12345', 'restart', 170, 'done'],
    ['34-12422', 'stop', 90, 'done'],
    ['34-12371', 'hard_reset', 30, 'error'],
  ] as const) {
    const startedAt = now - hoursAgo * hourMs;
    const pk = state.next.job - 12 + state.jobs.size * 3;
    state.jobs.set(pk, {
      pk,
      orderId,
      kind,
      note: endNotes[end],
      user: state.account.email,
      startedAt,
      dueAt: startedAt + 31_000,
      willEnd: end,
      state: end,
      powerBefore: 'on',
      os: null,
    });
  }
}
