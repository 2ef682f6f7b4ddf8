import { expect } from 'vitest';
import type { Target } from '../../../src/core/account/account.ts';
import type { Capability } from '../../../src/core/policy/policy.ts';
import { clickAndSettle, pressAndSettle, sayAndSettle } from '../../engine/told.ts';
import { startTestBot, type TestBotOptions, test } from '../../support/bot/test-bot.ts';
import { readView } from '../../support/bot/view-text.ts';
import { openerOf } from '../commands-called.ts';

// A card about several servers names the hosts that would have no other server.

const openRunner = openerOf('restart', 'stop');

type May = (capability: Capability, target: Target) => boolean;

/** shop.example.com leads to web-1 and web-2, in the DNS of the provider. */
const twoOfShop = { domain: 'example.com', add: [{ host: 'shop', type: 'A' as const, value: '192.0.2.10' }] };

async function warningOf(
  line: string,
  {
    more = [],
    may,
    off = [],
  }: { more?: { host: string; type: 'A' | 'AAAA'; value: string }[]; may?: May; off?: readonly string[] } = {},
) {
  const runner = await openRunner(may && { may });
  runner.sim.records(twoOfShop);
  if (more.length > 0) runner.sim.records({ domain: 'example.com', add: more });
  for (const order of off) runner.sim.power({ order, state: 'off' });
  return (await runner.planOf(line)).plan.warning;
}

test('restarting all servers of a name at once warns that the name goes down, and restarting them one at a time does not', async () => {
  expect(await warningOf('restart web-1 web-2 --parallel 2')).toEqual({
    text: 'Restarting both servers behind shop.example.com at once would take it down.',
    isAvoidable: true,
  });
  expect(await warningOf('restart web-1 web-2 web-3 --parallel 2')).toMatchObject({ isAvoidable: true });
  expect(await warningOf('restart web-1 web-2')).toBeUndefined();
});

test('names with the same servers share a warning, and a name with more servers than restart at once has none', async () => {
  const more = [
    { host: 'pay', type: 'A' as const, value: '192.0.2.10' },
    { host: 'pay', type: 'A' as const, value: '192.0.2.11' },
    { host: 'all', type: 'A' as const, value: '192.0.2.10' },
    { host: 'all', type: 'A' as const, value: '192.0.2.11' },
    { host: 'all', type: 'A' as const, value: '198.51.100.10' },
  ];
  expect((await warningOf('restart web-1 web-2 web-3 --parallel 2', { more }))?.text).toBe(
    'Restarting both servers behind shop.example.com and pay.example.com at once would take them down.',
  );
  expect((await warningOf('restart web-1 web-2 web-3 --parallel 3', { more }))?.text).toBe(
    'Restarting both servers behind shop.example.com and pay.example.com at once would take them down. ' +
      'Restarting all 3 servers behind all.example.com at once would take it down.',
  );
});

test('a name with another server or another address gets no warning', async () => {
  for (const [type, value] of [
    ['A', '198.51.100.10'],
    ['A', '192.0.2.250'],
    ['AAAA', '2001:db8::1'],
  ] as const) {
    const more = [{ host: 'shop', type, value }];
    expect(await warningOf('restart web-1 web-2 --parallel 2', { more }), value).toBeUndefined();
  }
});

test('restarting servers that are all off gives no warning', async () => {
  const line = 'restart web-1 web-2 --parallel 2';
  expect(await warningOf(line, { off: ['34-12345', '34-12399'] })).toBeUndefined();
  expect(await warningOf(line, { off: ['34-12345'] })).toMatchObject({ isAvoidable: true });
});

test('stopping the servers of a name warns at any pace, and offers no other pace', async () => {
  const warning = await warningOf('stop web-1 web-2');
  expect(warning).toEqual({ text: 'Stopping both servers behind shop.example.com takes it down.', isAvoidable: false });
});

test('a zone that the person may not read, or that cannot be read, gives no warning', async () => {
  const may: May = (_, target) => target.kind !== 'domain';
  expect(await warningOf('restart web-1 web-2 --parallel 2', { may })).toBeUndefined();
  const runner = await openRunner();
  runner.sim.records(twoOfShop);
  runner.sim.fault({ kind: 'answer', match: 'GET /dns/domain/', status: 500, body: {}, times: 50 });
  expect((await runner.planOf('restart web-1 web-2 --parallel 2')).plan.warning).toBeUndefined();
});

test('the card offers the same request one at a time', async ({ bot }) => {
  bot.sim.records(twoOfShop);
  const shown = () =>
    bot.posted.filter(({ key }) => key.startsWith('card:')).map(({ view }) => readView(view, bot.nameOf));
  await sayAndSettle(bot, 'operator', 'restart web-1 web-2 --parallel 2 because of a patch');
  expect(shown()[0]).toContain('! Restarting both servers behind shop.example.com at once would take it down.');
  expect(shown()[0]).toContain('[Restart web-1 and web-2] [One at a time]\n[More ▾ [Cancel]');
  await pressAndSettle(bot, 'operator', 'One at a time');
  expect(shown()).toHaveLength(2);
  expect(shown()[0]).toContain('Replaced by the same request, one at a time. Nothing was done.');
  expect(shown()[0]).not.toMatch(/\[(Restart web-1 and web-2|One at a time|Cancel)\]/);
  expect(shown()[1]).toMatch(/one after another[\s\S]*“a patch”/);
  expect(shown()[1]).not.toContain('One at a time');
  const [slower] = await bot.store.operations.list({ limit: 1 });
  expect(slower?.plan).toMatchObject({ parallel: 1 });
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/', 'POST /vps/34-12399/restart/']);
});

/** A card that waits, and its button. */
async function offered(options: TestBotOptions = {}) {
  const bot = await startTestBot(options);
  bot.sim.records(twoOfShop);
  await sayAndSettle(bot, 'operator', 'restart web-1 web-2 --parallel 2');
  const statesOf = async () =>
    (await bot.store.operations.list({ limit: 9 })).map(({ state, requester }) => `${state} ${bot.nameOf(requester)}`);
  return { bot, statesOf, button: bot.findButton('One at a time').button };
}

test('only the requester or an admin can replace a request that waits, and several clicks replace it once', async () => {
  const { bot, statesOf, button } = await offered();
  await bot.press('lead', 'One at a time');
  expect(bot.story()).toContain(
    '(only @lead) Only the person who asked, or an admin, can replace this request. Nothing was requested. It still waits for a decision.',
  );
  expect(await statesOf()).toEqual(['waiting operator']);
  await Promise.all([1, 2, 3].map(() => bot.click('operator', button)));
  await bot.settle();
  expect((await statesOf()).toSorted()).toEqual(['waiting operator', 'withdrawn operator']);
  const other = await offered();
  await other.bot.press('operator', 'Confirm');
  await other.bot.click('operator', other.button);
  await other.bot.settle();
  expect(await other.statesOf()).toEqual(['done operator']);
  expect(other.bot.writes()).toHaveLength(2);
});

test('the first request keeps waiting when the new one cannot be made', async () => {
  const { bot, statesOf, button } = await offered();
  bot.sim.fault({ kind: 'answer', status: 503, body: { detail: 'away' } });
  bot.skip(60_000);
  await clickAndSettle(bot, 'operator', button);
  expect(await statesOf()).toEqual(['waiting operator']);
});
