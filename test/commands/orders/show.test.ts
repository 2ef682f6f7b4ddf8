import { expect, test } from 'vitest';
import { order } from '../../../src/commands/orders/show.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { viewText } from '../../support/view-text.ts';

test('order shows an order with all its details and the buttons for next steps', async () => {
  const { viewOf } = await openCommandRunner({ commands: [order] });
  expect(viewText(await viewOf('order web-1'))).toMatchInlineSnapshot(`
    "## web-1  [🟢 active]
    Order: 34-12345 · server
    Plan: Cloud NVMe 2
    Hardware: 2 cores of at least 2.4 GHz · 4 GB RAM · 40 GB disk · x86_64
    Hostname: web-1.example.com
    Addresses: 192.0.2.10
    Reverse DNS: 192.0.2.10 → web-1.example.com
    Costs: € 5.50 a month
    Affected: 3 DNS records point here: example.com A, www.example.com A and api.example.com A.
    Paid until: ‹day› (19 days)
    Tags: web, prod
    Project: Website
    [Status → status 34-12345] [Rename → form rename 34-12345] [Tag → form tag 34-12345] [Move → form move 34-12345] [End… → form cancel 34-12345]"
  `);
});

test('an order that is marked for cancellation offers Keep to a person who may keep it', async () => {
  const { sim, viewOf } = await openCommandRunner({ commands: [order], may: (capability) => capability === 'operate' });
  sim.order({ order: '34-1000101', cancel_mark: true });
  const said = viewText(await viewOf('order files-1'));
  expect(said).toContain('## files-1  [🟢 active, to be canceled]');
  expect(said).toContain('Hardware: Intel Xeon E3-1230 v6 · 4 cores · 32 GB RAM · 2 x 480 GB SSD');
  expect(said).toContain('[Traffic → ds traffic 34-1000101] [Keep → keep 34-1000101]');
});

test('zones that cannot be read are shown as unknown, not as none', async () => {
  const { sim, viewOf } = await openCommandRunner({ commands: [order] });
  sim.fault({ kind: 'answer', match: 'GET /dns/domain/', status: 500, body: {} });
  expect(viewText(await viewOf('order web-1'))).toContain('Affected: Unknown: the zones could not be read.');
});
