import { expect, test } from 'vitest';
import { answerTo, pressAndSettle } from '../engine/told.ts';
import { people } from '../support/bot/fake-slack.ts';
import { type Engine, engines } from '../support/database/databases.ts';
import { confirmed, minute, openWatch, pressAndDeliver } from './support.ts';

/** The alert about records with manual changes, and its two ways out. */

async function changedByHand(engine: Engine = 'sqlite') {
  const bot = await openWatch({ zone: { on: ['domain:example.org'] } }, { engine });
  await bot.sweep();
  const zone = () => bot.sim.state().domains.find(({ name }) => name === 'example.org')?.entries ?? [];
  const www = zone().find(({ type }) => type === 'A');
  const was = www?.value;
  bot.sim.records({ domain: 'example.org', set: [{ id: www?.id ?? 0, value: '192.0.2.66' }] });
  await bot.later(6 * minute);
  expect(bot.alerts()[0]?.view.summary).toBe('🟡 example.org was changed by hand');
  return { bot, zone, valueNow: () => zone().find(({ id }) => id === www?.id)?.value, was };
}

test('Put back restores the records that were changed by hand, and the alert ends by itself', async () => {
  const { bot, valueNow, was } = await changedByHand();
  await bot.press('operator', 'Put back');
  expect(bot.story()).toContain('Put back the records of example.org');
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(valueNow()).toBe(was);
  await bot.later(6 * minute);
  await bot.later(6 * minute);
  expect(await bot.store.alerts.countOpen()).toBe(0);
  await bot.say('operator', 'dns restore example.org expected');
  expect(bot.story()).toContain('The records of example.org are as expected.');
});

test('Keep ends the alert, and the history names the person who kept the change', async () => {
  const { bot, valueNow } = await changedByHand();
  await pressAndDeliver(bot, 'operator', 'Keep');
  expect(bot.alerts()[0]?.view.summary).toMatch(/^⚪ Kept as changed: example\.org · after/);
  expect(valueNow()).toBe('192.0.2.66');
  const [newest] = await bot.store.zoneVersions.list('example.org');
  expect(newest).toMatchObject({ keptBy: people.operator, operations: [] });
  expect(await answerTo(bot, 'reader', 'dns history example.org')).toContain('by hand, kept by @operator');
});

test('where nothing watches a domain, the expected records are unknown, the history is offered', async () => {
  const bot = await openWatch({});
  await bot.say('operator', 'dns restore example.com expected');
  expect(bot.story()).toContain('No channel watches example.com, so it is unknown which records are expected.');
});

test.each(engines)('Put back on %s touches only records changed by hand, and not again since', async (engine) => {
  const { bot, zone, valueNow, was } = await changedByHand(engine);
  bot.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '192.0.2.66' }] });
  await bot.later(6 * minute);
  // The alert has not read this request when somebody presses its button.
  await confirmed(bot, 'dns add example.org mine A 192.0.2.9');
  const evil = zone().find(({ host }) => host === 'evil');
  bot.sim.records({ domain: 'example.org', set: [{ id: evil?.id ?? 0, value: '192.0.2.67' }] });
  await bot.press('operator', 'Put back');
  const [asked] = await bot.store.operations.list({ limit: 1 });
  expect(JSON.stringify(asked?.plan)).toContain('evil A changed again since the alert, and stays.');
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(valueNow()).toBe(was);
  const others = zone().filter(({ host }) => ['evil', 'mine'].includes(host));
  expect(others.map(({ value }) => value)).toEqual(['192.0.2.67', '192.0.2.9']);
});
