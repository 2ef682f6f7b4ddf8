import { expect } from 'vitest';
import type { Policy } from '../../src/core/policy/policy.ts';
import { ops, opsGroup, people } from '../support/bot/fake-slack.ts';
import { usualPolicy } from '../support/bot/policy.ts';
import { startTestBot, test } from '../support/bot/test-bot.ts';
import { engines } from '../support/database/databases.ts';

const status = 'GET /vps/{order_id}/status/';
const policyOf = (rules: Policy['rules']): Policy => ({ ...usualPolicy(opsGroup), rules });
const place = { channel: ops, kind: 'channel' } as const;

test.each(engines)('on %s, a request that takes minutes is handled once, and by no sweep', async (engine) => {
  const bot = await startTestBot({ engine });
  bot.sim.fault({ kind: 'delay', match: status, ms: 2_000, times: 1 });
  bot.sim.clearRequests();
  const asking = bot.say('operator', 'restart web-1', { replica: 0 });
  const reads = () => bot.sim.requests().filter(({ route }) => route === status);
  await bot.until(() => reads().length === 1, 'the plan to be made');
  for (let round = 0; round < 4; round += 1) {
    bot.skip(15_000);
    for (const replica of bot.replicas) await replica.sweep();
  }
  expect(reads()).toHaveLength(1);
  await asking;
  await bot.settle();
  expect(reads()).toHaveLength(1);
  expect(bot.story()).toContain('Restart web-1');
});

test("a person's read is sent before the waiting calls of requests that are due", async () => {
  const bot = await startTestBot({ policy: policyOf({ disruptive: 'none' }) });
  const servers = bot.sim.state().orders.map(({ name }) => name);
  for (const name of servers) await bot.say('operator', `restart ${name} in 1h`);
  const scheduled = await bot.store.operations.list({ states: ['scheduled'], limit: 20 });
  expect(scheduled.length).toBeGreaterThan(10);
  bot.sim.fault({ kind: 'delay', match: status, ms: 700 });
  bot.sim.clearRequests();
  bot.skip(3_600_000);
  const routes = () => bot.sim.requests().map(({ route }) => route);
  await bot.until(() => routes().filter((route) => route === status).length >= 6, 'the first to be read');
  await bot.say('operator', 'balance');
  const before = routes().slice(0, routes().indexOf('GET /account/balance'));
  expect(before.filter((route) => route === status).length).toBeLessThan(scheduled.length - 2);
});

test('a read that a person repeats while its response is outstanding is answered once', async ({ bot }) => {
  const route = 'GET /account/balance';
  bot.sim.clearRequests();
  bot.sim.fault({ kind: 'delay', match: route, ms: 1_500, times: 1 });
  const first = bot.say('operator', 'balance');
  await bot.until(() => bot.sim.requests().some((request) => request.route === route), 'the first read');
  bot.skip(4_000);
  await Promise.all([first, bot.say('lead', 'balance'), bot.say('operator', 'balance')]);
  const answers = (user?: string) => bot.posted.filter(({ onlyFor }) => onlyFor === user).length;
  expect([answers(people.operator), answers(people.lead)]).toEqual([1, 1]);
  await bot.say('operator', 'balance');
  expect(answers(people.operator)).toBe(2);
});

test('the dialog of a form waits for no read of the provider and no statement of the database', async ({ bot }) => {
  bot.sim.fault({ kind: 'delay', ms: 10_000 });
  bot.sim.clearRequests();
  bot.store.inbox.receive = () => new Promise(() => {});
  const asks = [
    { kind: 'line', line: 'dns add' },
    { kind: 'intent', intent: { do: 'form', line: 'restart' } },
    { kind: 'ask' },
  ] as const;
  for (const [at, ask] of asks.entries()) {
    const request = { id: `slow${at}`, actor: people.operator ?? '', place, at: bot.now(), ask };
    expect(bot.replicas[0]?.engine.accept(request, ask.kind === 'line' ? 'possible' : 'wanted')).toMatchObject({
      acknowledge: 'with-form',
    });
  }
  expect(bot.sim.requests()).toEqual([]);
});

test.each([
  ['a step without a job is read back within its turn, and its card is drawn at its start and at its end', 0, 2],
  ['a slow read back is shown as verifying before its response arrives', 1_400, 3],
])('%s', async (_, slowMs, drawn) => {
  const timeScale = slowMs === 0 ? 10 : 1;
  const bot = await startTestBot({ process: { timeScale }, policy: policyOf({ routine: 'none' }) });
  if (slowMs > 0) bot.sim.fault({ kind: 'delay', match: 'GET /orders/{order_id}/', ms: slowMs });
  await bot.say('operator', 'rename mail-1 mail-9');
  if (slowMs > 0) await bot.until(() => bot.transcript().includes('verifying'), 'the card to say so');
  await bot.settle();
  const [operation] = await bot.store.operations.list({ limit: 1 });
  expect(operation?.state).toBe('done');
  expect((await bot.store.messages.find(`card:${operation?.id}`))?.wanted).toBe(drawn);
});
