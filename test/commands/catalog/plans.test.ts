import { expect, test } from 'vitest';
import { catalog } from '../../../src/commands/catalog/catalog.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { viewText } from '../../support/view-text.ts';
import { answer } from '../answer.ts';

const commands = [catalog];

test('plans lists plans for servers, cheapest first, and how to order one', async () => {
  const runner = await openCommandRunner({ commands });
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
  const runner = await openCommandRunner({ commands, may: (capability) => capability !== 'spend' });
  for (const [kind, row] of [
    [
      'dedicated',
      'DS-E3 (301) │ € 27 │ Intel Xeon E3-1230 v6, 4 cores · 32 GB DDR4 · 2 x 480 GB SSD · 1 Gbps, 10 TB · Germany (de), Netherlands (nl)',
    ],
    ['hosting', 'Unlimited (3) │ € 9.90 │ any number of sites · 4 cores · no limit of disk space · de'],
    ['backups', '100 GB │ € 2'],
  ] as const) {
    const said = viewText(await runner.viewOf(`plans ${kind}`));
    expect(said.split('\n')).toContain(row);
    expect(said).not.toContain('Create a server');
  }
});

test('a location of a dedicated server whose name is in another language is shown by its code', async () => {
  const runner = await openCommandRunner({ commands });
  const locations = Object.entries({ nl: 'Нидерланды', de: '' });
  runner.sim.fault(answer('GET /plans/dedicated', 200, [{ id: 1, name: 'DS', price: 30, locations }]));
  expect(viewText(await runner.viewOf('plans dedicated'))).toContain('│ Нидерланды (nl), de');
});
