import { expect } from 'vitest';
import type { Policy } from '../../../src/core/policy/policy.ts';
import { day, hour, minute } from '../../../src/core/text/words.ts';
import { answer } from '../../commands/answer.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { killAfterWrite } from '../../support/bot/kill-after-write.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { confirm, fillIn, formIn, pressAndSettle, requested, sayAndSettle, submitAndSettle, wordsOf } from '../told.ts';
import { later, offline, restarts } from './hours.ts';

// A standing approval: one decision for several runs, each of which is a request with a card and an end.

const usual = usualPolicy(opsGroup);
/** The usual policy, in which another person approves a restart. */
const approved: Policy = {
  ...usual,
  rules: { ...usual.rules, disruptive: { approve: 1, by: [`group:${opsGroup}`], typed: false } },
};

const standing = async (bot: TestBot) => {
  const found = (await bot.store.operations.list({ limit: 20 })).at(-1);
  if (found === undefined) throw new Error('no request');
  return found;
};
const runs = async (bot: TestBot) =>
  (await bot.store.operations.list({ commands: ['restart'], limit: 20 })).slice(0, -1).toReversed();
const card = (bot: TestBot, id = '') => wordsOf(bot, bot.posted.findLast(({ key }) => key === `card:${id}`)?.view);

/** Moves to the next hour of the standing approval and waits for the end of the request that begins then. */
async function nextHour(bot: TestBot): Promise<void> {
  const { startsAt } = await standing(bot);
  await later(bot, (startsAt ?? 0) - bot.now() + 50);
  await bot.until(async () => {
    const now = await standing(bot);
    return now.startsAt !== startsAt || now.endedAt !== null;
  }, 'the hour');
  await bot.settle();
}

/** The next hour ends the standing approval with these words, and no run begins after it. */
async function stops(bot: TestBot, words: string): Promise<void> {
  await nextHour(bot);
  await bot.until(async () => (await standing(bot)).endedAt !== null, 'the stop');
  expect(await standing(bot)).toMatchObject({
    state: 'stopped',
    endText: expect.stringMatching(/^Stopped after .* No further run begins\.$/),
  });
  expect((await standing(bot)).endText).toContain(words);
}

async function stands(line: string, options: Parameters<typeof startTestBot>[0] = {}): Promise<TestBot> {
  const bot = await startTestBot(options);
  await confirm(bot, 'operator', line);
  expect((await standing(bot)).state).toBe('standing');
  return bot;
}

test.each(engines)('on %s, one approval lets a restart run at each hour with a card until the last', async (engine) => {
  const bot = await stands('restart web-1 every="daily 03:00" until="in 10 days" runs=2', { engine });
  const first = await standing(bot);
  expect(card(bot, first.id)).toMatch(/^## ⏳ Restart web-1 every day 3:00 AM until \w{3} \d+ /m);
  expect(card(bot, first.id)).toContain('0 of 2 runs · next ');
  expect(restarts(bot)).toBe(0);
  await nextHour(bot);
  expect(restarts(bot)).toBe(1);
  expect(await standing(bot)).toMatchObject({ state: 'standing' });
  expect(((await standing(bot)).startsAt ?? 0) - (first.startsAt ?? 0)).toBe(day);
  const [run] = await runs(bot);
  expect(run).toMatchObject({ state: 'done', startsAt: first.startsAt, requester: first.requester });
  expect(card(bot, run?.id)).toContain('Run 1 of at most 2 under the standing approval of @operator: daily 03:00.');
  await nextHour(bot);
  expect(restarts(bot)).toBe(2);
  await bot.until(async () => (await standing(bot)).endedAt !== null, 'the end');
  const seen = await standing(bot);
  expect(seen).toMatchObject({ state: 'expired', endText: 'The standing approval is over after 2 of 2 runs.' });
  await later(bot, 2 * day);
  expect(restarts(bot)).toBe(2);
  // The end is recorded after the row has it.
  const kinds = async () =>
    (await bot.store.audit.list({ operationId: first.id, limit: 20 })).map(({ kind }) => kind).toReversed();
  await expect.poll(kinds).toEqual(['asked', 'vote', 'standing', 'expired']);
});

test('a line that cannot stand is refused with the reason, and asks for nothing', async ({ bot }) => {
  for (const [line, why] of [
    ['restart web-1 every="sun 03:00"', 'until when?'],
    ['restart web-1 every="sun 03:00" until="in 91 days"', 'at most 90 days are possible'],
    ['restart web-1 every="sometimes" until="in 9 days"', 'does not say days and an hour'],
    ['restart web-1 every="sun 03:00" until="in 9 days" runs=101', 'a number from 1 to 100'],
    ['restart web-1 every="daily 03:00" until="in 9 days" at=23:00', 'has its own hours'],
    ['restart web-1 until="in 9 days"', 'back by itself at an hour'],
    ['hard-reset web-1 every="sun 03:00" until="in 9 days"', 'at most for what is disruptive'],
  ] as const) {
    await bot.say('operator', line);
    await bot.until(() => bot.story().includes(why), why);
  }
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
});

test('a person stops a standing approval on its card or with the command, and no run begins afterwards', async () => {
  const bot = await stands('restart web-1 every="daily 03:00" until="in 10 days"');
  const { id, startsAt } = await standing(bot);
  await bot.press('reader', 'Stop');
  await bot.until(() => bot.story().includes('You may not stop Restart web-1'), 'the refusal');
  await bot.say('operator', `request stop ${id}`);
  await bot.until(async () => (await standing(bot)).endedAt !== null, 'the end');
  expect(await standing(bot)).toMatchObject({
    state: 'withdrawn',
    endText: 'Stopped by @operator after 0 of 10 runs. No further run begins.',
  });
  await later(bot, (startsAt ?? 0) - bot.now() + minute);
  await bot.settle();
  expect(restarts(bot)).toBe(0);
});

const thirdLine = 'restart web-1 every="daily 03:00" until="in 20 days"';

test.each<[why: string, change: (bot: TestBot) => Promise<unknown>, says: string]>([
  [
    'the requester lost the right',
    async (bot) => bot.groups.get(opsGroup)?.delete(people.operator ?? ''),
    'Stopped after 1 of 20 runs: you need “operate”',
  ],
  [
    'the rule became stricter',
    (bot) => bot.savePolicy(ops, approved, 1),
    'the rule asks for more now than its standing approval.',
  ],
  [
    'the target is pinned',
    async (bot) => {
      await sayAndSettle(bot, 'operator', 'pin web-1 "the shop"');
    },
    'nothing runs on a pinned target under a standing approval.',
  ],
])('a standing approval stops with its next run if %s, and nothing is sent', async (_, change, says) => {
  const bot = await stands(thirdLine);
  await change(bot);
  await stops(bot, says);
  expect(restarts(bot)).toBe(0);
  await later(bot, 2 * day);
  expect(await runs(bot)).toHaveLength(1);
});

test('the vote of an approver who lost the right no longer counts for the next run, and the approval stops', async () => {
  const bot = await requested(thirdLine, { policy: approved });
  await pressAndSettle(bot, 'lead', 'Approve');
  await nextHour(bot);
  expect(restarts(bot)).toBe(1);
  expect(card(bot, (await runs(bot))[0]?.id)).toContain('under the standing approval of @lead');
  bot.groups.get(opsGroup)?.delete(people.lead ?? '');
  const why = 'the approval of @lead no longer counts: only an approver of this channel may do this.';
  await stops(bot, `after 2 of 20 runs: ${why}`);
  expect(restarts(bot)).toBe(1);
});

test('another name of the target stops the standing approval at its next hour, and there is no run', async () => {
  const bot = await stands(thirdLine);
  bot.sim.order({ order: '34-12345', name: 'web-9' });
  await stops(bot, 'after 0 of 20 runs: its targets are not those that were approved.');
  expect(restarts(bot)).toBe(0);
  expect(await runs(bot)).toEqual([]);
});

test('a server that gets the tag later is not in the approval, and no run changes it', async () => {
  const bot = await stands('restart tag:web every="daily 03:00" until="in 20 days"');
  const before = (await standing(bot)).plan;
  bot.sim.order({ order: '34-12346', tags: ['web'] });
  await nextHour(bot);
  await bot.until(async () => (await runs(bot)).length > 0 || (await standing(bot)).endedAt !== null, 'the run');
  await bot.settle();
  expect(JSON.stringify(before)).not.toContain('34-12346');
  expect(bot.writes().filter((write) => write.includes('34-12346'))).toEqual([]);
});

test('three failed runs in a row stop a standing approval, and the third says so', async () => {
  const bot = await stands(thirdLine);
  bot.sim.fault(answer('POST /vps/{order_id}/restart/', 409, { detail: 'Busy.' }, 3));
  const failed = async () => (await runs(bot)).filter(({ state }) => state === 'failed').length;
  for (const n of [1, 2]) {
    await nextHour(bot);
    await bot.until(async () => (await failed()) === n, 'the failure');
    await bot.settle();
  }
  await stops(bot, 'after 3 of 20 runs: 3 runs failed in a row.');
  expect(await failed()).toBe(3);
});

test('without a number of runs, a series has each of its hours until its end', async () => {
  const bot = await stands('restart web-1 every="daily 03:00" until="in 90 days"');
  expect((await standing(bot)).begins).toMatchObject({ kind: 'weekly', mostRuns: 90 });
});

test('a series of stops begins while servers are off, and stops only those on at its hour', async ({ bot }) => {
  for (const order of ['34-12371', '34-12422']) bot.sim.power({ order, state: 'off' });
  await confirm(bot, 'operator', 'stop ci-1 staging-1 every="daily 20:00" until="in 10 days"');
  expect(await standing(bot)).toMatchObject({ state: 'standing', plan: { title: 'Stop ci-1 and staging-1' } });
  await nextHour(bot);
  expect(bot.story()).toContain('ci-1 and staging-1 are already off');
  bot.sim.power({ order: '34-12422', state: 'on' });
  await nextHour(bot);
  const [run] = await bot.store.operations.list({ limit: 1 });
  expect(run).toMatchObject({ command: 'stop', state: 'done', plan: { title: 'Stop staging-1' } });
  expect(await standing(bot)).toMatchObject({ state: 'standing' });
});

test('a run that has not ended leaves the next hour without a run, and the thread says so', async () => {
  const bot = await startTestBot({ provider: { jobMs: minute } });
  await confirm(bot, 'operator', 'restart web-1 web-2 every="daily 03:00" until="in 20 days"');
  const { startsAt } = await standing(bot);
  await later(bot, (startsAt ?? 0) - bot.now() + 50);
  await bot.until(() => restarts(bot) === 1, 'the first step');
  await offline(bot, hour);
  await bot.until(async () => (await runs(bot))[0]?.heldAt !== null, 'the question whether to continue');
  await later(bot, (startsAt ?? 0) + day - bot.now() + 50);
  await bot.until(() => bot.story().includes('the previous run has not ended.'), 'the words');
  expect(await runs(bot)).toHaveLength(1);
});

test('hours that pass while the bot is offline have no run, and the thread counts them', async () => {
  const bot = await stands(thirdLine);
  const { startsAt } = await standing(bot);
  await offline(bot, (startsAt ?? 0) - bot.now() + 2 * day + hour);
  await bot.until(async () => (await standing(bot)).startsAt === (startsAt ?? 0) + 3 * day, 'the next hour');
  await bot.settle();
  expect(bot.story()).toContain('3 runs could not begin within 10 min after its hour');
  expect(restarts(bot)).toBe(0);
  await nextHour(bot);
  expect(restarts(bot)).toBe(1);
});

test('a run waits while Slack does not say which targets its requester may name, and begins then', async () => {
  const line = 'dns replace 192.0.2.98 192.0.2.99 every="daily 03:00" until="in 20 days"';
  const bot = await startTestBot();
  bot.sim.records({ domain: 'example.com', add: [{ host: 'beta', type: 'A', value: '192.0.2.98' }] });
  await confirm(bot, 'operator', line);
  const { person } = bot.directory;
  let asked = 0;
  Object.assign(bot.directory, {
    person: async (user: string) => {
      if (user !== people.operator) return person(user);
      asked += 1;
      throw new Error('ratelimited');
    },
  });
  const { startsAt } = await standing(bot);
  await later(bot, (startsAt ?? 0) - bot.now() + 50);
  await bot.until(async () => asked > 0 && (await standing(bot)).turnUntil <= bot.now(), 'the question to Slack');
  expect(await standing(bot)).toMatchObject({ state: 'standing', startsAt, endText: null });
  Object.assign(bot.directory, { person });
  await bot.pass(11_000);
  await bot.until(() => bot.writes().length === 1, 'the run');
  await bot.settle();
});

test.each([
  ['the run was created', /^insert /],
  ['the next hour was stored', /^reschedule /],
])('a process that is killed right after %s leaves one run for the hour', async (_, counts) => {
  const mortal = killAfterWrite(1, counts);
  const bot = await stands(thirdLine, { process: { mortal } });
  const { startsAt, id } = await standing(bot);
  mortal.begin();
  await later(bot, (startsAt ?? 0) - bot.now() + 50).catch(() => {});
  await mortal.died;
  await bot.crash();
  await bot.until(async () => (await standing(bot)).startsAt === (startsAt ?? 0) + day, 'the next hour');
  await bot.settle();
  expect(await runs(bot)).toMatchObject([{ state: 'done', startsAt }]);
  expect(restarts(bot)).toBe(1);
  expect((await standing(bot)).begins).toMatchObject({ kind: 'weekly', ran: [startsAt] });
  const asked = (await bot.store.audit.list({ limit: 100 })).filter(({ kind }) => kind === 'asked');
  expect(asked).toHaveLength(2);
  expect(bot.posted.filter(({ key }) => key === `skipped:${id}:${startsAt}`)).toEqual([]);
});

test('a standing approval that is sent back opens with its hours, its end and its number of runs', async () => {
  const bot = await requested('restart web-1 every="sun,wed 03:00" until="in 20 days" runs=4', { policy: approved });
  const first = await standing(bot);
  await fillIn(bot, 'lead', 'Ask for changes…', { words: 'twice a week is too much, but as said' });
  const form = formIn(await bot.open('operator', { button: 'Change it…' }));
  const [servers] = form.fields;
  expect(await submitAndSettle(bot, 'operator', form, { [servers?.name ?? '']: ['web-1'] })).toMatchObject({
    kind: 'accepted',
  });
  const [again] = await bot.store.operations.list({ limit: 1 });
  expect(again?.id).not.toBe(first.id);
  expect(again).toMatchObject({ state: 'waiting', begins: first.begins });
});
