import { expect, test } from 'vitest';
import { createPolicies } from '../../src/engine/access/policies.ts';
import { ops } from '../support/fake-slack.ts';
import { startTestBot } from '../support/test-bot.ts';

// Answers are read by everybody who is in the channel, so its rights hold for those who were there when they were given.

test('a second organization joins a channel that was confirmed for the first: its rights rest', async () => {
  const bot = await startTestBot();
  const be = (is: object) => {
    const channel = bot.channels.get(ops);
    if (channel) bot.channels.set(ops, { ...channel, ...is });
  };
  const standing = () => createPolicies(bot.store, bot.directory).standing(ops);
  be({ isShared: true, teams: ['T0PARTNER1', 'T0OURS0001'] });
  expect(await standing()).toBe('shared');
  await bot.say('admin', 'access confirm');
  expect(bot.transcript()).toContain('shared with another organization (T0OURS0001, T0PARTNER1)');
  await bot.press('admin', 'Confirm');
  await bot.settle();
  expect(await standing()).toBe('ok');
  be({ teams: ['T0OURS0001', 'T0PARTNER1', 'T0OTHER001'] });
  expect(await standing()).toBe('shared');
  // One that leaves takes nothing away from what was confirmed.
  be({ teams: ['T0OURS0001'] });
  expect(await standing()).toBe('ok');
});

test('a channel is shared between the card and the click: what is confirmed is what was shown', async () => {
  const bot = await startTestBot();
  const channel = bot.channels.get(ops);
  if (channel === undefined) throw new Error('no channel');
  bot.channels.set(ops, { ...channel, isPrivate: false });
  await bot.say('admin', 'access confirm');
  expect(bot.transcript()).toContain('public, not shared');
  bot.channels.set(ops, { ...channel, isPrivate: false, isShared: true, teams: ['T0PARTNER1'] });
  await bot.press('admin', 'Confirm');
  await bot.settle();
  expect(await createPolicies(bot.store, bot.directory).standing(ops)).toBe('shared');
  const confirmed = (await bot.store.audit.list({ limit: 50 })).filter(({ kind }) => kind === 'policy');
  expect(confirmed).toEqual([]);
});
