import { expect, test } from 'vitest';
import type { StepState } from '../../../src/core/plan/operation.ts';
import { canonicalJson } from '../../../src/core/text/json.ts';
import { tasksOf } from '../../../src/engine/operation/card-details.ts';
import type { OperationStep } from '../../../src/engine/operation/read-operation.ts';
import { newStepRow } from '../../../src/store/records/steps.ts';
import { requested } from '../../engine/told.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { isNightly, seed } from '../../support/suite/seed.ts';
import { createRandom } from '../../support/values/random.ts';

/** Restores of zones, through the whole engine. */

const policy = granting({ everyone: 'read dns destroy' }, { dangerous: 'confirm', destructive: 'confirm' });

const entriesOf = (bot: TestBot, name = 'example.org') =>
  bot.sim.state().domains.find((domain) => domain.name === name)?.entries ?? [];
const linesOf = (bot: TestBot) =>
  entriesOf(bot)
    .map(({ id: _, ...fields }) => canonicalJson(fields))
    .sort();
const newest = async (bot: TestBot) => (await bot.store.zoneVersions.list('example.org'))[0]?.n ?? 0;

/** Types a line and confirms its card; false if there is nothing to do. */
async function confirmed(bot: TestBot, line: string): Promise<boolean> {
  const before = (await bot.store.operations.list({ limit: 1 }))[0]?.id;
  await bot.say('operator', line);
  const [row] = await bot.store.operations.list({ limit: 1 });
  if (row === undefined || row.id === before) return false;
  await bot.press('operator', 'Confirm');
  await bot.until(async () => (await bot.store.operations.find(row.id))?.state === 'done', `the end of ${line}`);
  await bot.settle();
  return true;
}

test('a restore to any version gives back exactly that version, and then no difference is left', async () => {
  const bot = await startTestBot({ policy });
  const random = createRandom(seed);
  const oneOf = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const byHand = () => {
    const { id = 0 } = oneOf(entriesOf(bot).filter(({ type }) => type !== 'NS'));
    const ttl = oneOf([null, null, 300, 3600, 86_400]);
    const value = oneOf(['mail.example.net', 'Mail.Example.net.']);
    const host = `h${Math.floor(random() * 1_000)}`;
    const change = oneOf([
      { remove: [id] },
      { set: [{ id, ttl }] },
      { set: [{ id, ttl }] },
      { add: [{ host, type: 'MX' as const, value, prio: 10, ttl }] },
      { add: [{ host, type: 'A' as const, value: '192.0.2.66', ttl }] },
    ]);
    bot.sim.records({ domain: 'example.org', ...change });
  };
  const versions = new Map<number, string[]>();
  const rounds = isNightly ? 8 : 2;
  for (let round = 0; round < rounds; round += 1) {
    for (let change = 0; change < 3; change += 1) {
      await bot.say('operator', 'dns list example.org');
      versions.set(await newest(bot), linesOf(bot));
      if (random() < 0.7) byHand();
      else await confirmed(bot, `dns add example.org b${round}-${change} A 192.0.2.${round} ttl=300`);
    }
    const [n, lines] = oneOf([...versions]);
    await confirmed(bot, `dns restore example.org v${n}`);
    expect(linesOf(bot), `HOSTLER_SEED=${seed}, v${n}`).toEqual(lines);
    await bot.say('operator', `dns diff example.org v${n}`);
    expect(bot.transcript().split('(only visible to @operator)').at(-1)).toContain('The records are the same.');
  }
});

test('a restore and its undo tell the provider’s default TTL from 3600', async () => {
  const bot = await requested('dns list example.org', { policy });
  const { id = 0, ttl: before } = entriesOf(bot).find(({ host }) => host === 'www') ?? {};
  const ttl = () => entriesOf(bot).find((entry) => entry.id === id)?.ttl;
  expect(before).toBe(null);
  bot.sim.records({ domain: 'example.org', set: [{ id, ttl: 3600 }] });
  await confirmed(bot, 'dns restore example.org v1');
  expect(bot.transcript()).toContain('www.example.org CNAME example.org has ttl default; the zone has it.');
  expect(ttl()).toBe(null);
  const [{ undo } = { undo: null }] = await bot.store.operations.list({ limit: 1 });
  expect(await confirmed(bot, String(undo))).toBe(true);
  expect(ttl()).toBe(3600);
});

/** Adds the given number of records by hand, waits until the bot has read them, and removes them by hand. */
async function emptied(bot: TestBot, most: number): Promise<void> {
  const add = Array.from({ length: most }, (_, n) => ({ host: `h${n}`, type: 'A' as const, value: '192.0.2.66' }));
  const added = bot.sim.records({ domain: 'example.org', add });
  await bot.say('operator', 'dns list example.org');
  bot.sim.records({ domain: 'example.org', remove: added.map(({ id }) => id) });
}

test.each(engines)('on %s, a restore of a thousand records is one card with sums, and a file', async (engine) => {
  const bot = await startTestBot({ policy, engine });
  await emptied(bot, 1_000);
  await bot.say('operator', 'dns restore example.org v1');
  const [row] = await bot.store.operations.list({ limit: 1 });
  expect(row).toMatchObject({ state: 'waiting', risk: 'dangerous' });
  expect(await bot.store.steps.list(row?.id ?? '')).toHaveLength(1_000);
  expect(JSON.stringify(row?.plan).length).toBeLessThan(3_000);
  const viewOf = (key: string) =>
    JSON.stringify(bot.posted.find((message) => message.key === `${key}:${row?.id}`)?.view);
  expect(viewOf('card')).toContain('1,000 added: 1,000 A');
  expect(viewOf('card')).toContain('It changes 1,000 records at once.');
  expect(viewOf('card').length).toBeLessThan(3_000);
  expect(viewOf('file').match(/192\.0\.2\.66/g)).toHaveLength(1_000);
});

test('a card counts many steps, and names those in trouble only', () => {
  const at = (n: number, state: StepState): OperationStep => ({
    ...newStepRow('a7f3c2ab', { n, target: 'domain:example.org', label: `+ h${n} A`, data: null, state }),
    receipt: null,
    comeback: null,
    startedAt: 1,
  });
  const steps = Array.from({ length: 1_000 }, (_, n) => at(n, n < 300 ? 'done' : 'pending'));
  expect(tasksOf(steps)).toEqual([{ kind: 'text', text: 'Steps: 300 of 1000 done, 700 waiting' }]);
  expect(tasksOf(steps.with(300, at(300, 'failed')))).toMatchObject([
    { title: 'Steps: 300 of 1000 done, 1 failed, 699 waiting', tasks: [{ label: '+ h300 A' }] },
  ]);
  expect(tasksOf(steps.map(({ n }) => at(n, 'done')))).toEqual([]);
});

test('a restore of many records ends in one line, and is undone as one', async () => {
  const bot = await startTestBot({ policy });
  // One more than a card lists.
  const many = 51;
  await emptied(bot, many);
  const before = linesOf(bot);
  await confirmed(bot, 'dns restore example.org v1');
  expect(entriesOf(bot)).toHaveLength(before.length + many);
  expect(bot.transcript()).toContain(`example.org: ${many} records added, read back`);
  const [{ id, undo } = { id: '', undo: null }] = await bot.store.operations.list({ limit: 1 });
  expect(await bot.store.messages.find(`file:${id}`)).toMatchObject({ wanted: 1, delivered: 1 });
  await confirmed(bot, String(undo));
  expect(linesOf(bot)).toEqual(before);
});
