import { expect } from 'vitest';
import { findItem } from '../../../src/commands/catalog/find.ts';
import { NotOne } from '../../../src/core/targets/not-one.ts';
import { viewText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('catalog');

test('catalog locations shows the places and whether they are available', async ({ runner }) => {
  const said = viewText(await runner.viewOf('catalog locations'));
  const what = 'linux, freebsd, windows · x86_64 2.4 3.1 4.2 GHz, arm 3.0 GHz';
  expect(said).toContain(`\nGermany (de) │ available │ ${what} · 100 to 1000 mbps, € 0.50 for each 100 more\n`);
  expect(said).toContain(`\nSwitzerland (ch) │ full │ ${what} · as the plan has it\n· 5 places\n`);
});

test('each kind of the catalog shows its items, and an unknown one is refused with the nearest', async ({ runner }) => {
  for (const [line, row, counted] of [
    [
      'systems',
      'Debian 12 + ISPmanager (11) │ linux · ISPmanager 6 · x86_64 │ 20 GB disk, 2 GB memory,',
      '12 templates',
    ],
    ['apps', 'GitLab CE (2) │ Ubuntu 24.04', '7 applications'],
    ['snapshots', 'db-1 monthly (2) │ 23.75 GB │ ‹day›', '3 snapshots'],
    ['disks', 'HDD archive (3) │ € 0.008 │ HDD · up to 120 MB/s · 400 reads/s · 300 writes/s', '3 disk classes'],
    ['services', 'Migration by our engineers (4) │ € 25 once │ ', '4 services'],
  ] as const) {
    const said = viewText(await runner.viewOf(`catalog ${line}`));
    expect(said).toContain(`\n${row}`);
    expect(said).toContain(`\n· ${counted}\n`);
  }
  expect(await runner.refusalOf('catalog disc')).toMatchObject({ field: 'kind', hint: 'Did you mean disks?' });
});

test('the minimum hardware of a system is shown with its units', async ({ runner }) => {
  const body = [
    { id: 1, name: 'Small', os: 'linux', min_storage_space: '5.00', min_ram_volume: null, min_cpu_cores: null },
    { id: 2, name: 'Large', os: 'linux', min_storage_space: '40', min_ram_volume: '8.5', min_cpu_cores: '2' },
  ];
  runner.sim.fault(answer('GET /orders/vps/templates/', 200, body));
  const said = viewText(await runner.viewOf('catalog templates'));
  expect(said).toContain('│ 5 GB disk\n');
  expect(said).toContain('│ 40 GB disk, 8.5 GB memory, 2 cores\n');
});

test('catalog snapshots says that snapshots are made and removed only in the customer area', async ({ runner }) => {
  const where = "that is done in the provider's customer area";
  expect(viewText(await runner.viewOf('catalog snapshots'))).toContain(where);
  runner.sim.fault(answer('GET /orders/vps/snapshots/', 200, []));
  expect(viewText(await runner.viewOf('catalog snapshots'))).toContain(where);
  expect(viewText(await runner.viewOf('catalog apps'))).not.toContain(where);
});

test('a list that support has to enable says so, and the other lists work', async () => {
  const runner = await openRunner({ features: { createVps: false } });
  for (const kind of ['templates', 'apps', 'snapshots', 'services']) {
    expect((await runner.refusalOf(`catalog ${kind}`)).hint).toContain('ask the technical support of the provider');
  }
  for (const kind of ['locations', 'disks']) expect((await runner.ask(`catalog ${kind}`)).kind).toBe('view');
});

test('a long catalog list is shown in pages', async ({ runner }) => {
  const body = Array.from({ length: 60 }, (_, id) => ({ id, name: `App ${id}`, os: 'Debian 12' }));
  runner.sim.fault(answer('GET /orders/vps/apps/', 200, body));
  expect(viewText(await runner.viewOf('catalog apps page=2'))).toContain(
    '· 60 applications · page 2 of 3\n[Previous → catalog apps] [Next → catalog apps page=3]',
  );
});

test('plans lists plans for servers, cheapest first, and how to order one', async ({ runner }) => {
  expect(viewText(await runner.viewOf('catalog'))).toMatchInlineSnapshot(`
    "## Plans for servers
    Name │ A month │ What it has
    Cloud NVMe 1 (101) │ € 3.50 │ 1 core · 2 GB · 20 GB NVMe · 200 Mbps
    Cloud NVMe 2 (102) │ € 5.50 │ 2 cores · 4 GB · 40 GB NVMe · 200 Mbps
    Cloud Storage 2 (106) │ € 8 │ 2 cores · 4 GB · 200 GB · 200 Mbps
    Cloud NVMe 4 (103) │ € 10 │ 4 cores · 8 GB · 80 GB NVMe · 200 Mbps
    Cloud NVMe 8 (104) │ € 20 │ 8 cores · 16 GB · 160 GB NVMe · 200 Mbps
    Cloud NVMe 16 (105) │ € 40 │ 16 cores · 32 GB · 300 GB NVMe · 200 Mbps
    · 6 plans, the cheapest first
    [Create a server… → form create] [dedicated → catalog dedicated] [hosting → catalog hosting] [backups → catalog backups] [systems → catalog systems]"
  `);
});

test('the other kinds of plans show their items', async () => {
  const runner = await openRunner({ may: (capability) => capability !== 'spend' });
  for (const [kind, row] of [
    [
      'dedicated',
      'DS-E3 (301) │ € 27 │ Intel Xeon E3-1230 v6, 4 cores · 32 GB DDR4 · 2 x 480 GB SSD · 1 Gbps, 10 TB · ',
    ],
    ['hosting', 'Unlimited (3) │ € 9.90 │ any number of sites · 4 cores · no limit of disk space · de'],
    ['backups', '100 GB │ € 2'],
  ] as const) {
    const said = viewText(await runner.viewOf(`plans ${kind}`));
    expect(said).toContain(`\n${row}`);
    expect(said).not.toContain('Create a server');
  }
});

test('a location of a dedicated server whose name is in another language is shown by its code', async ({ runner }) => {
  const locations = Object.entries({ nl: 'Нидерланды', de: '' });
  runner.sim.fault(answer('GET /plans/dedicated', 200, [{ id: 1, name: 'DS', price: 30, locations }]));
  expect(viewText(await runner.viewOf('plans dedicated'))).toContain('│ Нидерланды (nl), de');
});

const items = [
  { id: 1, name: 'Debian 12' },
  { id: 2, name: 'Debian 13' },
  { id: 12, name: '2' },
  { id: 3, name: 'Ubuntu 24.04' },
  { id: 4, name: 'Ubuntu 24.04 arm' },
];
const find = (word: string) => findItem(word, items, { noun: 'template', field: 'template', see: 'catalog templates' });

test.each([
  ['2', 2],
  [' debian 13 ', 2],
  ['ubuntu 24.04', 3],
  ['arm', 4],
  ['12', 12],
])('the word "%s" finds item %d', (word, id) => expect(find(word).id).toBe(id));

test('a word that fits several items is refused with the candidates', () => {
  expect.assertions(3);
  try {
    find('deb');
  } catch (error) {
    expect(error).toBeInstanceOf(NotOne);
    expect(error).toMatchObject({ reason: 'ambiguous', field: 'template' });
    expect(error).toMatchObject({ message: 'deb is not one template: Debian 12 (1) and Debian 13 (2).' });
  }
});

test('a word that fits no item is refused with the nearest item, or with where to look', () => {
  expect(() => find('Debain 12')).toThrow(
    expect.objectContaining({ hint: 'Did you mean Debian 12?', candidates: [{ label: 'Debian 12', values: ['1'] }] }),
  );
  expect(() => find('Plan 9 from outer space')).toThrow(
    expect.objectContaining({ hint: 'See /host catalog templates.' }),
  );
});
