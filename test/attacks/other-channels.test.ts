import { expect, test } from 'vitest';
import { type Policy, policySchema } from '../../src/core/policy/policy.ts';
import { freshMs } from '../../src/engine/context/time-limits.ts';
import { clickAndSettle, pressAndSettle, setChannel } from '../engine/told.ts';
import { ops, people } from '../support/bot/fake-slack.ts';
import { granting } from '../support/bot/policy.ts';
import { startTestBot, type TestBotOptions } from '../support/bot/test-bot.ts';

// Requests and rights of a private channel are for the people who are in it.

const other = 'C0OTHER';
const inOther = { place: { channel: other, kind: 'channel' } } as const;

/** The reader is in the other channel only, everybody else in #ops only. */
async function twoChannels(inTheOther: Policy, options: TestBotOptions = {}) {
  const bot = await startTestBot(options);
  setChannel(bot, { name: 'other' }, other);
  await bot.savePolicy(other, inTheOther);
  Object.assign(bot.directory, {
    isInChannel: async (channel: string, user: string) => channel === (user === people.reader ? other : ops),
  });
  const shownToReader = () => JSON.stringify(bot.posted.filter(({ onlyFor }) => onlyFor === people.reader));
  return { bot, shownToReader };
}

const reads = granting({ [`user:${people.reader}`]: 'read on order:34-12345' });

test('a request about a channel is not listed to people who are in another channel', async () => {
  const { bot, shownToReader } = await twoChannels(reads, { config: { publicUrl: 'https://bot.example' } });
  await bot.say('admin', 'alerts hook add json "Project Falcon backup"');
  const { person } = bot.directory;
  // At the second check Slack does not answer about the admin, so the confirmed request waits.
  Object.assign(bot.directory, {
    person: async (user: string, maxAgeMs?: number) => {
      if (maxAgeMs !== undefined) throw new Error('ratelimited');
      return person(user);
    },
  });
  await bot.press('admin', 'Confirm');
  await bot.say('admin', 'jobs');
  expect(bot.transcript()).toContain('(only @admin) Request │ State');
  await bot.say('reader', 'jobs', inOther);
  expect(shownToReader()).toContain('Nothing is running.');
  expect(shownToReader()).not.toContain('Falcon');
});

test('the same words in another channel ask for something else, so no waiting request is offered instead', async () => {
  const operates = policySchema.parse({
    grants: [{ to: [`user:${people.reader}`, `user:${people.operator}`], can: ['read', 'operate'] }],
  });
  const { bot, shownToReader } = await twoChannels(operates);
  const asked = () => bot.store.operations.list({ commands: ['alerts on'], limit: 5 });
  await bot.say('operator', 'alerts on power');
  await bot.say('reader', 'alerts on power', inOther);
  await bot.until(async () => (await asked()).length === 2, 'the second request');
  expect(shownToReader()).not.toContain('waiting already');
  // The requester of both does not see it either.
  await bot.say('operator', 'alerts on traffic');
  await bot.say('operator', 'alerts on traffic', inOther);
  await bot.until(async () => (await asked()).length === 4, 'the fourth request');
  expect(bot.transcript(other)).not.toContain('waiting already');
  // In the same channel one request is enough.
  await bot.say('operator', 'alerts on traffic');
  await bot.until(() => bot.transcript().includes('already requested'), 'the offer');
});

const everyone = granting({ everyone: 'read operate' }, { routine: 'none', disruptive: 'none' });

test('a person who was removed from the channel confirms their own request from Home, and it does not run', async () => {
  const bot = await startTestBot({ policy: { ...everyone, rules: {} } });
  await bot.say('reader', 'restart web-1');
  const [asked] = await bot.store.operations.list({ limit: 1 });
  bot.absent.add(people.reader ?? '');
  const button = { label: 'Confirm', intent: { do: 'vote', operation: asked?.id ?? '', vote: 'confirm' } } as const;
  await clickAndSettle(bot, 'reader', button, { place: { channel: '', kind: 'home' } });
  expect(bot.story()).toContain('Not run: everyone in this channel may do it, and you are not in it.');
  expect(bot.writes()).toEqual([]);
});

test('a person is removed from the channel between two servers of their request: no further one is restarted', async () => {
  const bot = await startTestBot({ policy: everyone, provider: { jobMs: 200 } });
  await bot.say('reader', 'restart 34-12345 34-12399');
  await bot.until(() => bot.writes().length === 1, 'the first restart');
  bot.absent.add(people.reader ?? '');
  await bot.settle();
  expect(bot.writes()).toHaveLength(1);
});

test('whether the person who asked is in the channel is read anew when their request is to run', async () => {
  const policy = policySchema.parse({
    ...everyone,
    rules: { disruptive: { approve: 1, by: [`user:${people.lead}`] } },
  });
  const bot = await startTestBot({ policy });
  await bot.say('reader', 'restart web-1');
  const ages: (number | undefined)[] = [];
  Object.assign(bot.directory, {
    isInChannel: async (_: string, user: string, maxAgeMs?: number) => {
      if (user === people.reader) ages.push(maxAgeMs);
      return true;
    },
  });
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(bot.writes()).toHaveLength(1);
  expect(ages[0]).toBe(freshMs);
});

test('a request waits while Slack does not say whether the person who asked is in the channel', async () => {
  const bot = await startTestBot({ policy: { ...everyone, rules: {} } });
  await bot.say('reader', 'restart web-1');
  const away = async () => {
    throw new Error('ratelimited');
  };
  Object.assign(bot.directory, { isInChannel: away });
  await bot.press('reader', 'Confirm');
  await bot.until(() => bot.story().includes('Slack could not be asked who may decide this.'), 'the delay');
  expect(bot.writes()).toEqual([]);
  await bot.say('reader', 'list');
  expect(bot.transcript()).toContain('Slack could not say whether you are in this channel, so the request is refused');
});

test('a person who was never in the channel does not stop its requests', async () => {
  const mayRead = granting({ [`user:${people.reader}`]: 'read' });
  const { bot } = await twoChannels(mayRead, { provider: { jobMs: 3_600_000 }, policy: everyone });
  await bot.say('operator', 'restart 34-12345 34-12399');
  await bot.until(() => bot.writes().length > 0, 'the first restart');
  const [running] = await bot.store.operations.list({ limit: 1 });
  await bot.say('reader', `request stop ${running?.id}`, inOther);
  await bot.until(() => bot.transcript(other).includes('that you may stop here'), 'the refusal');
  expect((await bot.store.operations.find(running?.id ?? ''))?.stopBy).toBe(null);
  // A person who is in the channel stops the request.
  await bot.say('lead', `request stop ${running?.id}`);
  await bot.until(async () => (await bot.store.operations.find(running?.id ?? ''))?.stopBy === people.lead, 'the stop');
});
