import { expect, test } from 'vitest';
import { sources } from '../../src/commands/option-sources.ts';
import { create } from '../../src/commands/servers/create.ts';
import { reinstall } from '../../src/commands/servers/reinstall.ts';
import { type Account, emptyAccount } from '../../src/core/account/account.ts';
import { makeOrder } from '../core/support.ts';
import { openCommandRunner } from '../support/bot/run-command.ts';

const account: Account = { ...emptyAccount, orders: [makeOrder('34-12345', 'web-1')] };

async function openSearch() {
  const runner = await openCommandRunner({ commands: [] });
  const search = async (source: string, text: string, given: Record<string, readonly string[]> = {}) =>
    (await sources[source]?.({ text, reader: runner.reader, account, currency: async () => 'EUR', chosen: given })) ??
    [];
  return { ...runner, search };
}

test.each([
  [
    'templates',
    'DEBIAN 12 +',
    { value: '11', label: 'Debian 12 + ISPmanager', description: 'linux · ISPmanager 6 · x86_64' },
  ],
  ['apps', 'lab', { value: '2', label: 'GitLab CE', description: 'Ubuntu 24.04' }],
  ['snapshots', 'golden', { value: '3', label: 'golden image' }],
  ['plans', 'nvme 2', { value: '102', label: 'Cloud NVMe 2, € 5.50', description: '4 GB · 40 GB' }],
  ['locations', 'swi', { value: 'ch', label: 'Switzerland', description: 'ch · full just now' }],
  ['disks', 'hdd', { value: '3', label: 'HDD archive', description: 'HDD · 120 MB/s' }],
])('the search of a form among %s finds items by a part of their name', async (source, text, found) => {
  const { search } = await openSearch();
  expect(await search(source, text)).toMatchObject([found]);
});

test('the search finds only templates that the chosen server can run', async () => {
  const { search } = await openSearch();
  for (const server of ['34-12345', 'web-1', 'WEB-1']) {
    const labels = (await search('templates', 'debian', { server: [server] })).map((option) => option.label);
    expect(labels).toEqual(['Debian 12', 'Debian 13', 'Debian 12 + ISPmanager']);
  }
  expect(await search('apps', '', { server: ['web-1'] })).toHaveLength(7);
  expect(await search('snapshots', '', { server: ['web-1'] })).toHaveLength(3);
});

test('a list that cannot be read is empty, and no error in a form', async () => {
  const { search, sim } = await openSearch();
  sim.fault({ kind: 'answer', match: 'GET /orders/vps/templates/', status: 403, body: { detail: 'No.' } });
  expect(await search('templates', '')).toEqual([]);
});

test('every search that a command names exists', () => {
  const named = [create, reinstall].flatMap(({ args }) =>
    Object.values(args).flatMap(({ source }) =>
      source === undefined || source === 'servers' || source === 'projects' ? [] : [source],
    ),
  );
  expect([...new Set(named)].filter((name) => sources[name] === undefined)).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});
