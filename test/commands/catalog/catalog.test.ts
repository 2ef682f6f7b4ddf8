import { expect, test } from 'vitest';
import { catalog } from '../../../src/commands/catalog/catalog.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { viewText } from '../../support/view-text.ts';
import { answer } from '../answer.ts';

const commands = [catalog];

test('catalog locations shows the places and whether they are available', async () => {
  const runner = await openCommandRunner({ commands });
  const said = viewText(await runner.viewOf('catalog locations'));
  const what = 'linux, freebsd, windows · x86_64 2.4 3.1 4.2 GHz, arm 3.0 GHz';
  expect(said).toContain(`\nGermany (de) │ available │ ${what} · 100 to 1000 mbps, € 0.50 for each 100 more\n`);
  expect(said).toContain(`\nSwitzerland (ch) │ full │ ${what} · as the plan has it\n· 5 places\n`);
});

test('each kind of the catalog shows its items, and an unknown one is refused with the nearest', async () => {
  const runner = await openCommandRunner({ commands });
  for (const [line, row, counted] of [
    [
      'catalog systems',
      'Debian 12 + ISPmanager (11) │ linux · ISPmanager 6 · x86_64 │ 20 GB disk, 2 GB memory, 1 core',
      '12 templates',
    ],
    ['catalog apps', 'GitLab CE (2) │ Ubuntu 24.04', '7 applications'],
    ['catalog snapshots', 'db-1 monthly (2) │ 23.75 GB │ ‹day›', '3 snapshots'],
    [
      'catalog disks',
      'HDD archive (3) │ € 0.008 │ HDD · up to 120 MB/s · 400 reads/s · 300 writes/s',
      '3 disk classes',
    ],
    ['catalog services', 'Migration by our engineers (4) │ € 25 once │ ', '4 services'],
  ] as const) {
    const lines = viewText(await runner.viewOf(line)).split('\n');
    expect(lines).toContain(row);
    expect(lines).toContain(`· ${counted}`);
  }
  expect(await runner.refusalOf('catalog disc')).toMatchObject({ field: 'kind', hint: 'Did you mean disks?' });
});

test('the minimum hardware of a system is shown with its units', async () => {
  const runner = await openCommandRunner({ commands });
  const body = [
    { id: 1, name: 'Small', os: 'linux', min_storage_space: '5.00', min_ram_volume: null, min_cpu_cores: null },
    { id: 2, name: 'Large', os: 'linux', min_storage_space: '40', min_ram_volume: '8.5', min_cpu_cores: '2' },
  ];
  runner.sim.fault(answer('GET /orders/vps/templates/', 200, body));
  const said = viewText(await runner.viewOf('catalog templates'));
  expect(said).toContain('│ 5 GB disk\n');
  expect(said).toContain('│ 40 GB disk, 8.5 GB memory, 2 cores\n');
});

test('catalog snapshots says that snapshots are made and removed only in the customer area', async () => {
  const runner = await openCommandRunner({ commands });
  const where = "that is done in the provider's customer area";
  expect(viewText(await runner.viewOf('catalog snapshots'))).toContain(where);
  runner.sim.fault(answer('GET /orders/vps/snapshots/', 200, []));
  expect(viewText(await runner.viewOf('catalog snapshots'))).toContain(where);
  expect(viewText(await runner.viewOf('catalog apps'))).not.toContain(where);
});

test('a list that support has to enable says so, and the other lists work', async () => {
  const runner = await openCommandRunner({ commands, features: { createVps: false } });
  for (const kind of ['templates', 'apps', 'snapshots', 'services']) {
    expect((await runner.refusalOf(`catalog ${kind}`)).hint).toContain('ask the technical support of the provider');
  }
  for (const kind of ['locations', 'disks']) expect((await runner.ask(`catalog ${kind}`)).kind).toBe('view');
});

test('a long catalog list is shown in pages', async () => {
  const runner = await openCommandRunner({ commands });
  const body = Array.from({ length: 60 }, (_, id) => ({ id, name: `App ${id}`, os: 'Debian 12' }));
  runner.sim.fault(answer('GET /orders/vps/apps/', 200, body));
  expect(viewText(await runner.viewOf('catalog apps page=2'))).toContain(
    '· 60 applications · page 2 of 3\n[Previous → catalog apps page=1] [Next → catalog apps page=3]',
  );
});
