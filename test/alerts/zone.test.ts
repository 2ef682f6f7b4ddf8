import { expect, test } from 'vitest';
import { defaultTtl } from '../../src/core/dns/record.ts';
import { day, minute, openWatch, type Watch } from './support.ts';

const first = (bot: Watch) => bot.alerts()[0]?.view.summary;

test('a record without a TTL that gets the default TTL is no change of its zone', async () => {
  const bot = await openWatch({ zone: {} });
  const plain = { host: 'plain', type: 'A', value: '203.0.113.67' } as const;
  const [unset] = bot.sim.records({ domain: 'example.org', add: [plain] });
  await bot.sweep();
  const [set] = bot.sim.records({
    domain: 'example.org',
    remove: [unset?.id ?? 0],
    add: [{ ...plain, ttl: defaultTtl }],
  });
  await bot.later(6 * minute);
  expect(bot.alerts()).toEqual([]);
  bot.sim.records({ domain: 'example.org', remove: [set?.id ?? 0], add: [{ ...plain, ttl: 300 }] });
  await bot.later(6 * minute);
  await bot.press('reader', 'Show zone diff');
  expect(bot.transcript()).toMatch(/− plain A 203\.0\.113\.67$/m);
  expect(bot.transcript()).toContain('+ plain A 203.0.113.67 ttl 300');
});

const changedWords =
  '(only @operator) It changed before your click arrived, so nothing was accepted. Read the alert again, then decide.';

/** A record was added by hand to the zone that the channel watches. */
async function changedByHand() {
  const bot = await openWatch({ zone: { on: ['domain:example.org'] } });
  const add = (host: string) =>
    bot.sim.records({ domain: 'example.org', add: [{ host, type: 'A', value: '203.0.113.66' }] });
  await bot.sweep();
  add('evil');
  await bot.later(6 * minute);
  expect(first(bot)).toBe('🟡 example.org was changed by hand');
  return { bot, add, keep: () => bot.findButton('Keep', 'first').button };
}

test('confirming that records are right is refused when the records have changed since', async () => {
  const { bot, add, keep } = await changedByHand();
  await bot.later(2 * day);
  const shown = keep();
  add('worse');
  // The list is read by a person before the sweep reads it; the alert still shows one record.
  const [[zone, row] = []] = await bot.store.values.drifting('zone');
  if (zone === undefined || row === undefined) throw new Error('no drift');
  const observe = (value: typeof row.value) =>
    bot.store.values.write('zone', { [zone]: value }, bot.now(), new Map([[zone, row.changedAt]]));
  await observe({ ...row.value, seen: ['www A 203.0.113.99 ttl 300'] });
  await bot.click('operator', shown);
  expect(await bot.store.alerts.countOpen()).toBe(1);
  expect(bot.transcript()).toContain(changedWords);
  await observe(row.value);
  await bot.click('operator', shown);
  await bot.delivered();
  expect(first(bot)).toMatch(/^⚪ Kept as changed: example.org · after/);
  await bot.later(6 * minute);
  expect(await bot.store.alerts.countOpen()).toBe(1);
});

test('a click between the sweep that reads newer records and the edit of its message, or in an older list, accepts nothing', async () => {
  const { bot, add, keep } = await changedByHand();
  await bot.say('operator', 'alerts list');
  const older = [keep(), bot.findButton('Keep').button];
  add('worse');
  await bot.later(2 * day);
  // The edit has arrived by now; the person pressed the button before it did.
  for (const button of older) await bot.click('operator', button);
  expect(bot.transcript().split(changedWords)).toHaveLength(3);
  expect(await bot.store.alerts.countOpen()).toBe(1);
  await bot.later(6 * minute);
  expect(first(bot)).toBe('🟡 example.org was changed by hand');
  await bot.click('operator', keep());
  await bot.delivered();
  expect(first(bot)).toMatch(/^⚪ Kept as changed: example.org · after/);
  await bot.later(6 * minute);
  expect(await bot.store.alerts.countOpen()).toBe(0);
});
