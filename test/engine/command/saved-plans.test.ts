import { expect, test } from 'vitest';
import { openKeyv } from '../../../src/store/keyv.ts';
import { ops, people } from '../../support/bot/fake-slack.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { answerTo, cardOf, sayAndSettle, submitAndSettle, told } from '../told.ts';

// A saved plan is a runbook of its channel: lines with placeholders, in Keyv.

const failover = 'plan save failover "dns set example.com www A {address} then restart {server}"';
const linesIn = async ({ store }: Pick<TestBot, 'store'>) =>
  ((await openKeyv(store, 'plans').get(ops)) ?? []).map(({ name, lines }) => [name, ...lines]);
/** A replica keeps what it read for half a second. */
const waitForLines = (bot: TestBot, lines: readonly (readonly string[])[]) =>
  expect.poll(() => Promise.all(bot.replicas.map(linesIn))).toEqual(bot.replicas.map(() => lines));

test.each(engines)('on %s, a plan is saved, listed, filled in, asked for and deleted', async (engine) => {
  const bot = await startTestBot({ engine });
  await sayAndSettle(bot, 'operator', failover);
  expect(cardOf(bot)).toContain('The plan failover is saved.');
  await waitForLines(bot, [['failover', 'dns set example.com www A {address}', 'restart {server}']]);
  expect(await answerTo(bot, 'reader', 'plan list')).toMatch(/failover │ 2 lines │ @operator/);
  const form = await bot.open('operator', { line: 'plan failover' });
  const fields = 'fields' in form ? form.fields.map(({ name }) => name) : [];
  expect(fields).toEqual(expect.arrayContaining(['lines', 'address', 'server']));
  const lines = 'dns set example.com www A {address}\nrestart {server}';
  await submitAndSettle(bot, 'operator', form, { lines, address: '192.0.2.99', server: 'web-2' });
  expect(cardOf(bot)).toContain('⚪ ± www.example.com A 192.0.2.10 → 192.0.2.99\n⚪ Restart web-2');
  await sayAndSettle(bot, 'operator', 'plan failover address=192.0.2.98 server=web-1 because drill');
  expect(cardOf(bot)).toMatch(/192\.0\.2\.98\n⚪ Restart web-1\n“drill”[\s\S]*Saved plan “failover”\./);
  await sayAndSettle(bot, 'operator', 'plan delete failover');
  await waitForLines(bot, []);
  const audited = (await bot.store.audit.list({ kind: 'plan', limit: 9 })).map(({ actor, data }) => [
    actor,
    (data as { text: string }).text,
  ]);
  expect(audited.toReversed()).toEqual([
    [people.operator, 'plan failover saved'],
    [people.operator, 'plan failover deleted'],
  ]);
});

test('only a person with the rights of all its lines, old and new, edits it', async () => {
  const policy = granting({ everyone: 'read operate', [`user:${people.operator}`]: 'dns' });
  const bot = await startTestBot({ policy, replicas: 1, engine: 'sqlite' });
  await sayAndSettle(bot, 'operator', failover);
  for (const line of [
    'plan save failover "restart {server}"',
    'plan delete failover',
    'plan save other "dns remove example.com www A"',
  ]) {
    await sayAndSettle(bot, 'reader', line);
    expect(told(bot, 'reader'), line).toMatch(/Line [12]: you may not use \/host dns (?:set|remove) here/);
  }
  expect(await linesIn(bot)).toHaveLength(1);
  await sayAndSettle(bot, 'reader', 'plan save drill "restart {server}"');
  await expect.poll(async () => (await linesIn(bot)).map(([name]) => name)).toEqual(['drill', 'failover']);
});

test.each<[line: string, why: string]>([
  ['plan failover', 'The plan failover needs address and server.'],
  ['plan failover address=192.0.2.98', 'The plan failover needs server.'],
  ['plan failover address=192.0.2.98 server=web-1 x=3', 'The plan failover has no placeholder x.'],
  ['plan nope', 'This channel has no saved plan nope.'],
  ['plan delete nope', 'This channel has no saved plan nope.'],
  ['plan save list "restart web-1"', 'does not fit'],
  ['plan save restart "restart web-1"', 'restart is a command.'],
  ['plan save x "list"', 'Line 1: list only reads.'],
  ['plan save x "access solo on"', 'Line 1: access solo is about the bot itself.'],
  ['plan save x "restart web-77"', 'Line 1: There is no server called web-77.'],
  ['plan failover address="192.0.2.98; cancel db-1" server=web-1', 'Line 1: '],
])('%s is refused in a sentence', async (line, why) => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  await sayAndSettle(bot, 'operator', failover);
  expect(await answerTo(bot, 'operator', line)).toContain(why);
  expect((await bot.store.operations.list({ limit: 9 })).map(({ command }) => command)).toEqual(['plan save']);
});

test('of two people who save the same plan, the second learns that it was changed meanwhile', async () => {
  const policy = granting({ everyone: 'operate read' }, { safe: 'confirm' });
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', policy });
  await sayAndSettle(bot, 'operator', 'plan save drill "restart web-1"');
  await sayAndSettle(bot, 'reader', 'plan save drill "restart web-2"');
  await bot.press('operator', 'Save the plan drill', { first: true });
  await bot.settle();
  await bot.press('reader', 'Save the plan drill');
  await bot.settle();
  await waitForLines(bot, [['drill', 'restart web-1']]);
  expect(bot.transcript()).toContain('Not run: ');
});
