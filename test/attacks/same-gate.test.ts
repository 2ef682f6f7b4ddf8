import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy/policy.ts';
import type { Intent, Vote } from '../../src/core/view/intent.ts';
import { clickAndSettle, passAndSettle, pressAndSettle, sayAndSettle, submitAndSettle } from '../engine/told.ts';
import { opsGroup, people } from '../support/bot/fake-slack.ts';
import { granting } from '../support/bot/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot/test-bot.ts';

// Ways around an approval that worked in other software: cancel and run again, an event about a review, the end of a
// sibling, and the person who starts a request taken as the author of its line. Each path needs the same approval.

const idOf = (name: string) => people[name] ?? '';
const by = [`group:${opsGroup}`];
const hardReset = 'POST /vps/34-12345/hard_reset/';

/** A hard reset needs the approval of another person of the group; everybody may ask for it. */
const approved = granting(
  { everyone: 'read operate dns' },
  { routine: { approve: 1, by }, disruptive: { approve: 1, by }, dangerous: { approve: 1, by } },
);

const byTwo = { approve: 2, by };
const two = policySchema.parse({ ...approved, rules: { disruptive: byTwo, dangerous: byTwo } });

async function asked(line = 'hard-reset web-1', more: TestBotOptions = {}) {
  const bot = await startTestBot({ policy: approved, ...more });
  const id = await newest(bot, bot.say('operator', line));
  return { bot, id };
}

/** The newest first. */
const idsOf = async (bot: TestBot) => (await bot.store.operations.list({ limit: 20 })).map((row) => row.id);
const stateOf = async (bot: TestBot, id: string) => (await bot.store.operations.find(id))?.state;
/** The request that the press or the line of this person makes. */
async function newest(bot: TestBot, act: Promise<unknown>, state = 'waiting') {
  await act;
  await bot.settle();
  const [id = ''] = await idsOf(bot);
  expect(await stateOf(bot, id)).toBe(state);
  return id;
}
const votesOf = async (bot: TestBot, id: string) => (await bot.store.votes.list(id)).filter(({ isVoid }) => !isVoid);

async function click(bot: TestBot, who: string, intent: Intent) {
  await clickAndSettle(bot, who, { label: 'a button', intent });
}

const cast = (bot: TestBot, who: string, operation: string, vote: Vote) =>
  click(bot, who, { do: 'vote', operation, vote });

/** The person votes for a request that they may not approve. */
async function approveInVain(bot: TestBot, who: string, id: string, written = 0) {
  await cast(bot, who, id, 'approve');
  expect(await stateOf(bot, id)).toBe('waiting');
  expect(bot.writes()).toHaveLength(written);
}

test('an expired request that is asked again needs its own approval, and not from the new requester', async () => {
  const { bot, id } = await asked();
  await bot.pass(25 * 3_600_000);
  await bot.until(async () => (await stateOf(bot, id)) === 'expired', 'the end');
  const again = await newest(bot, bot.press('lead', 'Ask again'));
  expect((await bot.store.operations.find(again))?.requester).toBe(idOf('lead'));
  await approveInVain(bot, 'lead', again);
});

test('an approval of a request that was frozen before it ran does not count for the repeated request', async () => {
  const { bot, id } = await asked();
  await sayAndSettle(bot, 'admin', 'freeze tag:prod "release" for=1h');
  await cast(bot, 'lead', id, 'approve');
  await bot.until(async () => (await stateOf(bot, id)) === 'refused', 'the end');
  await bot.pass(61 * 60_000);
  const again = await newest(bot, bot.press('operator', 'Ask again'));
  expect(await votesOf(bot, again)).toEqual([]);
  await approveInVain(bot, 'operator', again);
});

test('a request that was withdrawn after one of two votes begins without votes when it is repeated', async () => {
  const { bot, id } = await asked('hard-reset web-1', { policy: two });
  await cast(bot, 'lead', id, 'approve');
  await cast(bot, 'operator', id, 'withdraw');
  const again = await newest(bot, bot.say('operator', 'hard-reset web-1'));
  expect(again).not.toBe(id);
  expect(await votesOf(bot, again)).toEqual([]);
});

test('a decline, a withdrawal, a reminder and a review by people who may not decide approve nothing', async () => {
  const { bot, id } = await asked();
  for (const vote of ['decline', 'withdraw', 'continue', 'stop', 'confirm', 'approve'] as const)
    await cast(bot, 'reader', id, vote);
  for (const intent of [
    { do: 'review', operation: id },
    { do: 'why', operation: id },
    { do: 'remind', operation: id },
  ] as const)
    await click(bot, 'reader', intent);
  expect(await stateOf(bot, id)).toBe('waiting');
  expect(await votesOf(bot, id)).toEqual([]);
});

test('an approval that became void does not count again when the person may approve once more', async () => {
  const { bot, id } = await asked('hard-reset web-1', { policy: two });
  bot.groups.get(opsGroup)?.add(idOf('reader'));
  await cast(bot, 'reader', id, 'approve');
  bot.groups.get(opsGroup)?.delete(idOf('reader'));
  await cast(bot, 'lead', id, 'approve');
  await bot.until(async () => (await bot.store.votes.list(id)).some(({ isVoid }) => isVoid), 'the void vote');
  bot.groups.get(opsGroup)?.add(idOf('reader'));
  await passAndSettle(bot, 60_000);
  expect(await stateOf(bot, id)).toBe('waiting');
  expect(bot.writes()).toEqual([]);
});

async function askedTwice() {
  const { bot, id } = await asked();
  await bot.say('lead', 'hard-reset web-1');
  const other = await newest(bot, bot.press('lead', 'Ask anyway'));
  return { bot, id, other };
}

test.each(['withdraw', 'decline'] as const)('a %s of one of two requests is no approval of the other', async (vote) => {
  const { bot, id, other } = await askedTwice();
  if (vote === 'withdraw') await cast(bot, 'operator', id, vote);
  else {
    const form = await bot.open('lead', { intent: { do: 'vote', operation: id, vote } });
    await submitAndSettle(bot, 'lead', form, { words: 'no' });
  }
  expect(await stateOf(bot, id)).toBe(vote === 'withdraw' ? 'withdrawn' : 'declined');
  expect(await stateOf(bot, other)).toBe('waiting');
  expect(await votesOf(bot, other)).toEqual([]);
  await approveInVain(bot, 'lead', other);
});

test('an approval of one of two requests for the same lets that one run, and the other still waits for its own', async () => {
  const { bot, id, other } = await askedTwice();
  await cast(bot, 'lead', id, 'approve');
  await bot.until(() => bot.writes().length === 1, 'the reset');
  expect(await stateOf(bot, other)).toBe('waiting');
  expect(bot.writes()).toEqual([hardReset]);
});

test('a vote for a request does not count for the one that replaces it, one at a time', async () => {
  const bot = await startTestBot({ policy: two });
  bot.sim.records({ domain: 'example.com', add: [{ host: 'www', type: 'A', value: '192.0.2.11' }] });
  const id = await newest(bot, bot.say('operator', 'restart web-1 web-2 --parallel 2'));
  await cast(bot, 'lead', id, 'approve');
  const slower = await newest(bot, bot.press('operator', 'One at a time'));
  expect(await stateOf(bot, id)).toBe('withdrawn');
  expect(await votesOf(bot, slower)).toEqual([]);
});

test('a button of a card runs its line with the rights of the person who presses it', async () => {
  const grants = [
    { to: by, can: ['read', 'operate'] },
    { to: ['everyone'], can: ['read'] },
  ];
  const { bot, id } = await asked('hard-reset web-1', { policy: policySchema.parse({ ...approved, grants }) });
  await bot.pass(25 * 3_600_000);
  await bot.until(async () => (await stateOf(bot, id)) === 'expired', 'the end');
  await pressAndSettle(bot, 'reader', 'Ask again');
  expect(await idsOf(bot)).toEqual([id]);
  expect(bot.transcript()).toContain('(only @reader) You may not use');
});

test('a person who undoes the change of another is the requester of the undo, and may not approve it', async () => {
  const { bot, id } = await asked('dns add example.com gate A 192.0.2.9');
  await cast(bot, 'lead', id, 'approve');
  await bot.until(async () => (await stateOf(bot, id)) === 'done', 'the change');
  const undo = await newest(bot, bot.press('lead', 'Undo'));
  expect((await bot.store.operations.find(undo))?.requester).toBe(idOf('lead'));
  await approveInVain(bot, 'lead', undo, 1);
  await cast(bot, 'operator', undo, 'approve');
  await bot.until(async () => (await stateOf(bot, undo)) === 'done', 'the undo');
});

test('a request that waits for Continue is continued by a person who may approve it, and not by its requester', async () => {
  const { bot, id } = await asked('hard-reset web-1', { config: { isPaused: true } });
  await bot.press('lead', 'Approve');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  bot.pause(false);
  await bot.crash();
  for (const who of ['operator', 'reader']) await bot.press(who, 'Continue');
  expect((await bot.store.operations.find(id))?.heldAt).not.toBeNull();
  expect(bot.writes()).toEqual([]);
  await cast(bot, 'lead', id, 'continue');
  await bot.until(() => bot.writes().length === 1, 'the reset');
});

test('a card that was asked anew because the server changed keeps its requester, who may not approve it', async () => {
  const { bot, id } = await asked();
  bot.sim.order({ order: '34-12345', name: 'web-9' });
  await cast(bot, 'lead', id, 'approve');
  await bot.until(async () => (await stateOf(bot, id)) === 'refused', 'the end');
  const anew = await newest(bot, bot.settle());
  expect((await bot.store.operations.find(anew))?.requester).toBe(idOf('operator'));
  expect(await votesOf(bot, anew)).toEqual([]);
  await approveInVain(bot, 'operator', anew);
});
