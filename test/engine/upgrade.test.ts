import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/all.ts';
import type { Json } from '../../src/core/json.ts';
import { policySchema } from '../../src/core/policy.ts';
import { ops, opsGroup, people } from '../support/fake-slack.ts';
import { startTestBot, type TestBot, type Version } from '../support/test-bot.ts';

// Two versions on one database: one after the other, or side by side while replicas are replaced.

const minute = 60_000;
const commands = await loadCommands();
type Commands = Awaited<ReturnType<typeof loadCommands>>;
type Facts = Readonly<Record<string, Json>>;

/** The present version as the next one would be, in which a restart tells its facts like this. */
function wording(change: (facts: Facts) => Facts): Commands {
  return commands.map((command) => {
    if (command.kind !== 'action' || command.path !== 'restart') return command;
    return {
      ...command,
      prepare: (raw, reading) => {
        const prepared = command.prepare(raw, reading);
        const plan: typeof prepared.plan = async (context) => {
          const made = await prepared.plan(context);
          return { ...made, facts: change(made.facts) };
        };
        return { ...prepared, plan };
      },
    };
  });
}

const renamed = (facts: Facts): Facts =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [`the ${name}`, value]));
const otherValues = (facts: Facts): Facts =>
  Object.fromEntries(Object.entries(renamed(facts)).map(([name, value]) => [name, { state: value }]));

/** Asked of one version, confirmed of the next. */
async function upgrade(next: Version, meanwhile: (bot: TestBot) => void = () => {}) {
  const bot = await startTestBot({ engine: 'sqlite', replicas: 1, build: 1_000 });
  await bot.say('operator', 'restart web-1');
  await bot.until(() => bot.story().includes('Confirm'), 'its card');
  await bot.restart(next);
  meanwhile(bot);
  await bot.press('operator', 'Confirm', { first: true });
  await bot.until(async () => {
    const rows = await bot.store.operations.list({ limit: 9 });
    return rows.some(({ state }) => state === 'done' || state === 'refused');
  }, 'its end');
  await bot.settle();
  return bot;
}

test('an approval still holds after an upgrade that words the facts differently', async () => {
  const bot = await upgrade({ build: 1_001, commands: wording(renamed) });
  expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
  expect(bot.story()).toContain('web-1 restarted');
});

test('facts that cannot be compared after an upgrade need a new approval, and nothing runs before it', async () => {
  const bot = await upgrade({ build: 1_001, commands: wording(otherValues) });
  expect(bot.writes()).toEqual([]);
  expect(bot.story()).toContain('the bot was upgraded since it was asked for');
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.writes().length > 0, 'the new card to run');
  await bot.settle();
  expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
});

test('a fact that changed during an upgrade does not count as another wording', async () => {
  const bot = await upgrade({ build: 1_001, commands: wording(renamed) }, ({ sim }) =>
    sim.power({ order: '34-12345', state: 'off' }),
  );
  expect(bot.writes()).toEqual([]);
});

test('a fact with the same name and another value counts as changed, however the other facts are worded', async () => {
  const firstOther = (facts: Facts): Facts => {
    const [[name, value] = ['', null], ...rest] = Object.entries(facts);
    return { ...renamed(Object.fromEntries(rest)), [name]: `not ${value}` };
  };
  const bot = await upgrade({ build: 1_001, commands: wording(firstOther) });
  expect(bot.writes()).toEqual([]);
  expect(bot.story()).toContain('web-1 changed since it was asked for.');
});

test('facts that the same version words differently count as changed', async () => {
  const bot = await upgrade({ build: 1_000, commands: wording(renamed) });
  expect(bot.writes()).toEqual([]);
  expect(bot.story()).not.toContain('upgraded');
});

/** As the version before it would be: it has no restart, or reads another shape of its steps. */
const without: Commands = commands.filter(({ path }) => path !== 'restart');
const unreadable: Commands = commands.map((command) =>
  command.kind === 'action' && command.path === 'restart'
    ? {
        ...command,
        step: () => {
          throw new Error('another shape of step');
        },
      }
    : command,
);

test.each([
  ['does not know the command', without],
  ['cannot read the steps', unreadable],
])('an old replica that %s leaves the request to the new replica', async (_, old) => {
  const bot = await startTestBot({ engine: 'sqlite', replicas: 1, build: 1_000, commands: old, jobMs: 2_000 });
  // The last time that the old one looked around there was no other.
  await bot.replicas[0]?.sweep();
  await bot.openReplica({ build: 1_001 });
  await bot.say('operator', 'restart web-1', { replica: 1 });
  await bot.until(() => bot.story().includes('Confirm'), 'its card');
  // The click arrives at the old one, which also looks again and again while the new one works.
  await bot.press('operator', 'Confirm', { replica: 0 });
  const [row] = await bot.store.operations.list({ limit: 1 });
  for (let n = 0; n < 40 && !bot.story().includes('[done'); n += 1) {
    bot.replicas[0]?.wake(row?.id ?? '');
    await bot.replicas[0]?.sweep();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await bot.settle();
  expect(bot.story()).toContain('[done');
  expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
  expect(bot.log.filter((line) => line.includes('went wrong'))).toEqual([]);
});

test('a click on a card that the old replica cannot read is answered and does not count', async () => {
  const bot = await startTestBot({ engine: 'sqlite', replicas: 1, build: 1_000 });
  await bot.say('operator', 'restart web-1');
  await bot.database.run(`update operations set format = 1001, plan = '{"title":"Restart web-1","subject":7}'`);
  await bot.press('operator', 'Confirm');
  expect(bot.transcript()).toContain('A newer version of the bot posted this card, and this one cannot read it.');
  expect(bot.transcript()).toContain('An upgrade is under way. Click the button again in a minute.');
  const [row] = await bot.store.operations.list({ limit: 1 });
  expect([row?.state, await bot.store.votes.list(row?.id ?? '')]).toEqual(['waiting', []]);
});

test('after a rollback the old version takes over the rows of the new one, and reports what it cannot do', async () => {
  const bot = await startTestBot({ engine: 'sqlite', replicas: 1, build: 1_001 });
  await bot.replicas[0]?.sweep();
  await bot.say('operator', 'restart web-1');
  await bot.until(() => bot.story().includes('Confirm'), 'its card');
  await bot.restart({ build: 1_000, commands: without });
  await bot.press('operator', 'Confirm');
  const [row] = await bot.store.operations.list({ limit: 1 });
  const rest = async (ms: number) => {
    bot.skip(ms);
    await bot.replicas[0]?.sweep();
    bot.replicas[0]?.wake(row?.id ?? '');
    await new Promise((resolve) => setTimeout(resolve, 300));
    return (await bot.store.operations.find(row?.id ?? ''))?.state;
  };
  // The new one may come back at any moment.
  expect(await rest(minute)).toBe('approved');
  expect(await rest(11 * minute)).toBe('refused');
  await bot.settle();
  expect(bot.story()).toContain('this version of the bot has no command restart. Nothing was done.');
  expect((await bot.store.operations.find(row?.id ?? ''))?.endReason).toBe('impossible');
  expect(bot.writes()).toEqual([]);
});

test('facts in other words are not taken for the same where the rule became stricter', async () => {
  const rules = (disruptive: object | string) =>
    policySchema.parse({ grants: [{ to: ['everyone'], can: ['read', 'operate'] }], rules: { disruptive } });
  const bot = await startTestBot({ engine: 'sqlite', replicas: 1, build: 1_000, policy: rules('confirm') });
  await bot.say('operator', 'restart web-1');
  await bot.until(() => bot.story().includes('Confirm'), 'its card');
  await bot.savePolicy(ops, rules({ approve: 1, by: [`group:${opsGroup}`] }), 1);
  await bot.restart({ build: 1_001, commands: wording(renamed) });
  await bot.press('operator', 'Confirm', { first: true });
  await bot.until(() => bot.story().includes('[not run]'), 'its end');
  expect(bot.story()).toContain('the rule of this channel changed since it was asked for');
  expect(bot.writes()).toEqual([]);
});

test('a request that was killed before its first write is not run by a version that describes it in other words', async () => {
  const bot = await startTestBot({ engine: 'sqlite', replicas: 1, build: 1_000 });
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  const [{ id } = { id: '' }] = await bot.store.operations.list({ limit: 1 });
  await bot.store.votes.cast({ operationId: id, userId: people.operator ?? '', vote: 'confirm' });
  await bot.store.operations.move(id, 'waiting', 'approved');
  await bot.store.operations.move(id, 'approved', 'running');
  await bot.restart({ build: 1_001, commands: wording(otherValues) });
  bot.replicas[0]?.wake(id);
  await bot.settle();
  expect((await bot.store.operations.find(id))?.endText).toMatch(
    /^Not run: the bot was upgraded since it was asked for/i,
  );
  expect(bot.writes()).toEqual([]);
});
