import { expect, test } from 'vitest';
import { people } from '../support/fake-slack.ts';
import { startTestBot, type TestBot } from '../support/test-bot.ts';

// Slack delivers again what an app missed. A command of hours ago is asked about, and does nothing by itself.

const hour = 3_600_000;
const oneReplica = { replicas: 1, engine: 'sqlite' } as const;
const late = (bot: TestBot) => ({ saidAt: bot.now() - 2 * hour });
const questions = (bot: TestBot) => bot.posted.filter(({ key }) => key.startsWith('late:'));

test('a change that was asked for two hours ago waits for the button, which asks for it as the person who presses it', async () => {
  const bot = await startTestBot(oneReplica);
  await bot.mention('operator', 'restart web-1 because no ping', { thread: '77.7', ...late(bot) });
  await bot.settle();
  expect(questions(bot)).toMatchObject([{ threadTs: '77.7' }]);
  expect(bot.transcript()).toMatch(
    /@operator asked at .*, 2 h ago: `?\/host restart web-1`?\. Slack delivered it only now, so nothing was done\. Still wanted\?/,
  );
  expect(await bot.store.operations.list({ limit: 5 })).toEqual([]);
  await bot.press('lead', 'Ask now');
  await bot.settle();
  expect(await bot.store.operations.list({ limit: 5 })).toMatchObject([
    { command: 'restart', state: 'waiting', requester: people.lead, plan: { reason: 'no ping' } },
  ]);
});

test('a read that was asked for two hours ago is asked about in the same way', async () => {
  const bot = await startTestBot(oneReplica);
  const read = bot.sim.requests().length;
  await bot.mention('operator', 'status web-1', late(bot));
  await bot.settle();
  expect(questions(bot)).toMatchObject([{ threadTs: expect.stringMatching(/\.9$/) }]);
  expect(bot.sim.requests().length).toBe(read);
});

test('a command that is delivered late several times is asked about once', async () => {
  const bot = await startTestBot(oneReplica);
  for (let n = 0; n < 3; n++) await bot.mention('operator', 'restart web-1', { id: 'event:Ev1', ...late(bot) });
  await bot.settle();
  expect(questions(bot)).toHaveLength(1);
});

test('a line that would run nothing is answered as ever, however late', async () => {
  const bot = await startTestBot(oneReplica);
  await bot.mention('operator', 'restrat everything now', late(bot));
  await bot.settle();
  expect(questions(bot)).toEqual([]);
  expect(bot.transcript()).toContain('(only @operator)');
});

test('a line that is too long for a button is not offered as one', async () => {
  const bot = await startTestBot(oneReplica);
  await bot.mention('operator', `restart ${'web-1 '.repeat(400)}`, late(bot));
  await bot.settle();
  expect(bot.transcript()).toContain('Send it again if it is still wanted.');
  expect(bot.transcript()).not.toContain('[Ask now]');
});
