import { expect } from 'vitest';
import { planText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { testsOf } from '../commands-called.ts';

const { openRunner, test } = testsOf('cancel', 'keep');

test('cancel shows what is lost, which records point to the server and when it ends, and keep withdraws it', async () => {
  const { planOf, run, writes } = await openRunner();
  const planned = await planOf('cancel web-1');
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "End web-1 on ‹day›
      web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · 🟢 active · paid until ‹day›
      Effect: It is not renewed. It ends with its paid period, and everything on it is deleted.
      Takes effect: On ‹day›. Until then, /host keep web-1 withdraws it.
      Lost: The server, all data on it and its address 192.0.2.10.
      Power: 🟢 on
      Affected: 3 DNS records point here: example.com A, www.example.com A and api.example.com A.
      Paid until: ‹day› (19 days)
      Backup: A snapshot is kept before the server is removed. Keeping it may be billed (--no-backup keeps none)."
  `);
  expect(planned.plan.typedName).toBe('web-1');
  const { ending } = await run(planned);
  expect(ending).toMatchObject({
    text: expect.stringMatching(/^web-1 ends on [A-Z][a-z]{2} \d+, \d{4}$/),
    undo: 'keep 34-12345',
  });
  expect(writes()).toEqual([
    { request: 'POST /orders/34-12345/cancel/', body: { when: 'expired', save_backup: true } },
  ]);

  const kept = await planOf('keep web-1');
  expect(kept.plan.effect).toBe('The cancellation is removed, and the order continues as before.');
  expect((await run(kept)).ending?.text).toBe('web-1 is kept');
  expect(writes().at(-1)?.request).toBe('DELETE /orders/34-12345/cancel/');
});

test('cancel --no-backup makes no backup', async ({ planOf, run, writes }) => {
  const planned = await planOf('cancel staging-1 --no-backup');
  expect(planText(planned.plan)).toContain('Backup: None. The data is gone with the server.');
  expect((await run(planned)).end).toBe('done');
  expect(writes()[0]?.body).toEqual({ when: 'expired', save_backup: false });
});

test('cancel now says that the provider does not support it yet', async ({ planOf, run, sim }) => {
  const planned = await planOf('cancel staging-1 now');
  expect(planText(planned.plan)).toContain(
    'Takes effect: The provider may refuse to delete it now; then it ends on ‹day›.',
  );
  const refusal = { when: ['Instant cancellation is not supported yet.'] };
  sim.fault(answer('POST /orders/{order_id}/cancel/', 400, refusal, 1));
  expect(await run(planned)).toMatchObject({
    end: 'failed',
    note: expect.stringContaining('Instant cancellation is not supported yet.'),
  });
  expect(await run(planned)).toMatchObject({
    end: 'done',
    ending: { text: 'the provider has the order to delete staging-1; it may take a while' },
  });
});

test('cancel ends an unpaid order at once', async ({ planOf, run, refusalOf, writes }) => {
  const planned = await planOf('cancel 664-2041');
  expect(planned.plan.effect).toBe('The order is unpaid, so it ends at once. This cannot be undone.');
  expect(planText(planned.plan)).toContain('Takes effect: Immediately, because the order is unpaid.\n');
  const ran = await run(planned);
  expect(ran).toMatchObject({ ending: { text: 'Media bucket has ended' }, note: 'the order is canceled' });
  expect(writes()[0]?.body).toEqual({ when: 'expired' });
  expect((await planOf('cancel 664-2041')).plan.nothingToDo).toBe('Media bucket is canceled already.');
  expect(await refusalOf('keep 664-2041')).toMatchObject({
    reason: 'impossible',
    message: 'Media bucket is canceled already: that cannot be taken back.',
  });
});

test('cancel of a domain order says that its registration is lost, and names its zone here', async ({ planOf }) => {
  const said = planText((await planOf('cancel example.org')).plan);
  expect(said).toContain('Lost: The registration of the domain. Web and mail under it stop.');
  expect(said).toContain('Zone: example.org with 12 records is in this account');
});

test('cancel refuses an unknown time and an ambiguous name', async ({ refusalOf }) => {
  expect((await refusalOf('cancel web-1 tomorrow')).message).toContain('does not fit here');
  expect(await refusalOf('cancel web-1 sometime')).toMatchObject({ field: 'when' });
  expect(await refusalOf('cancel web')).toMatchObject({ reason: 'ambiguous', field: 'order' });
});
