import { expect, test } from 'vitest';
import { orderTarget } from '../../../src/core/account/account.ts';
import type { KnownTicket } from '../../../src/core/command/bot-port.ts';
import { makeOrder } from '../../core/support.ts';
import type { CommandRunnerOptions } from '../../support/bot/run-command.ts';
import { planText, viewText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { openerOf } from '../commands-called.ts';
import { operationSummary } from '../operation-summary.ts';

const drive = openerOf('ticket');

const failed = operationSummary({
  state: 'failed',
  targets: [orderTarget(makeOrder('34-12345', 'web-1'))],
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  endedAt: Date.UTC(2026, 0, 2, 3, 5, 6),
  endText: 'Job 812 ended in error: The hypervisor did not answer. password: hunter22',
  steps: [{ label: '', state: 'failed', data: {}, receipt: null, job: { orderId: '34-12345', jobId: 812 } }],
});
const bot: CommandRunnerOptions['bot'] = { operation: async (id) => (id === failed.id ? failed : undefined) };

test('the message on the card is sent without secrets, and the ticket is remembered', async () => {
  const remembered: unknown[] = [];
  const { planOf, run, writes } = await drive({
    botWriter: { addOpenedTicket: async (ticket) => void remembered.push(ticket) },
  });
  const planned = await planOf(
    'ticket open "web-1 hangs" "Since 06:10, the console too. The root password is hunter22." order=web-1 priority=3',
  );
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Open a support ticket: web-1 hangs
      Effect: The support of the provider reads exactly the text below. The API cannot withdraw a ticket.
      Subject: web-1 hangs
      Order: 34-12345
      Priority: urgent, within 1 hour
      Removed: Text that looked like a secret, shown as [removed].
      > Since 06:10, the console too. The root password is [removed]
      > 
      > Order: 34-12345 (web-1)"
  `);
  expect(planned.command).toMatchObject({ capability: 'tickets', risk: 'disruptive' });
  expect(JSON.stringify([planned.canonical, planned.plan])).not.toContain('hunter22');
  const ran = await run(planned);
  expect(ran).toMatchObject({ end: 'done', note: expect.stringContaining('status new') });
  expect(ran.ending?.text).toMatch(/^The ticket is open\. .* http:.*\/my\/tickets\/[0-9a-f]{24}\/$/);
  const body = { subject: 'web-1 hangs', message: planned.plan.message, priority: 3, order: '34-12345' };
  expect(writes()).toEqual([{ request: 'POST /tickets/ticket/', body }]);
  expect(remembered).toEqual([expect.objectContaining({ subject: 'web-1 hangs', order: '34-12345', about: null })]);
});

test('ticket open about a failed request is filled in with its facts', async () => {
  const { planOf, runCommand: does, refusalOf } = await drive({ bot });
  const { plan } = await planOf('ticket open about=request:a7f3c2 message="Please look at the host."');
  expect(plan).toMatchObject({ title: 'Open a support ticket: Restart web-1: failed' });
  expect(plan.message).toContain(
    '\nJob: 812 of 34-12345\nResult: Job 812 ended in error: The hypervisor did not answer.',
  );
  expect(plan.message).not.toContain('hunter22');
  expect(plan.targets.map(({ id }) => id)).toEqual(['34-12345']);
  expect(await does('ticket open about=request:a7f3c2')).toMatchObject({ end: 'done' });
  expect(await refusalOf('ticket open about=request:zzzzzz')).toMatchObject({ reason: 'not_found', field: 'about' });
});

test('a ticket about a request of another channel is refused', async () => {
  const { refusalOf } = await drive({ bot: { operation: async () => ({ ...failed, channel: 'C2' }) } });
  expect((await refusalOf('ticket open about=request:a7f3c2')).message).toBe(
    'There is no request a7f3c2 in this channel.',
  );
});

test('a subject, message or priority that is out of bounds is refused', async () => {
  const { refusalOf } = await drive();
  expect(await refusalOf(`ticket open ${'x'.repeat(65)} B`)).toMatchObject({ field: 'subject' });
  expect(await refusalOf(`ticket open A ${'x'.repeat(2_500)}`)).toMatchObject({ field: 'message' });
  expect(await refusalOf('ticket open A B priority=5')).toMatchObject({ field: 'priority' });
});

test('ticket list shows the tickets that this bot knows, with a link to each', async () => {
  const ticket: KnownTicket = {
    ...{ id: 't1', url: 'https://example.com/my/tickets/t1/', subject: 'web-1 hangs', order: '34-12345' },
    ...{ about: null, channel: 'C1', by: 'U1', at: 0 },
  };
  const { viewOf } = await drive({
    bot: { openedTickets: async () => [ticket, { ...ticket, channel: 'C2', subject: 'other' }] },
  });
  expect(viewText(await viewOf('ticket list'))).toMatchInlineSnapshot(`
    "Subject │ Order │ Opened
    web-1 hangs │ 34-12345 │ @U1, ‹full›
    · 1 ticket · The API neither lists nor reads tickets: their answers are in the customer area.
    [Open a ticket… → form ticket open]"
  `);
});

test('a webhook address that somebody else set is shown masked, and replacing it has a higher risk', async () => {
  const { planOf, run, provider, sim, viewOf, writes } = await drive();
  const secret = 'https://hooks.slack.com/services/T0/B0/abcdefghijklmnop';
  await provider.tickets.setWebhook({ url: secret });
  expect(viewText(await viewOf('ticket webhook'))).toContain('Posts to: https://hooks.slack.com/… (55 characters)');
  sim.fault(answer('GET /tickets/webhook_info/', 200, { url: 'no address' }, 1));
  expect(viewText(await viewOf('ticket webhook'))).toContain('Posts to: … (10 characters)');
  const planned = await planOf('ticket webhook set');
  expect(planned.plan.raised).toEqual({
    risk: 'dangerous',
    why: 'This replaces an address that somebody else set: https://hooks.slack.com/… (55 characters).',
  });
  const ran = await run(planned);
  expect(ran.end).toBe('done');
  expect(JSON.stringify([planned.plan, ran.steps, ran.ending, ran.note])).not.toMatch(/abcdefghijklmnop|h1\.secret/);
  expect(writes().at(-1)?.body).toEqual({ url: 'https://hostler.example.com/hooks/json/h1.secret' });
  expect((await planOf('ticket webhook off')).plan.raised).toBeUndefined();
});

test('a webhook that the provider refuses leaves no hook', async () => {
  const revoked: string[] = [];
  const alerts = {
    subscribe: async () => true,
    handOver: async () => true,
    addHook: async () => ({ id: 'h9', url: 'https://hostler.example.com/hooks/ticket/h9.secret' }),
    revokeHook: async (id: string) => revoked.push(id) > 0,
  };
  const { sim, runCommand: does } = await drive({ botWriter: { alerts } });
  sim.fault(answer('POST /tickets/webhook_set/', 400, { url: ['Enter a valid URL.'] }));
  expect(await does('ticket webhook set')).toMatchObject({ end: 'failed', note: 'url: Enter a valid URL.' });
  expect(revoked).toEqual(['h9']);
});
