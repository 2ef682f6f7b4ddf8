import { expect, it } from 'vitest';
import { day, minute } from '../../src/core/text/words.ts';
import { approveWithinMs } from '../../src/engine/context/time-limits.ts';
import { opsGroup, people } from '../support/fake-slack.ts';
import { usualPolicy } from '../support/policy.ts';
import { startTestBot, type TestBot } from '../support/test-bot.ts';
import { mentionsIn, readView } from '../support/view-text.ts';
import { passWithTurn } from './pass-with-turn.ts';

/** The bot requests no approvals from a person who is away, and the card names the person. */

const { lead, reader, admin } = people;
const rule = { approve: 1, by: [`user:${lead}` as const, `user:${reader}` as const], typed: false };
const policy = { ...usualPolicy(opsGroup), rules: { dangerous: rule } };

const of = (bot: TestBot, kind: string) => bot.posted.filter(({ key }) => key.startsWith(`${kind}:`));
const cardOf = (bot: TestBot) => of(bot, 'card').at(-1)?.view ?? { summary: '', parts: [] };
const sentTo = (bot: TestBot, kind: string) => of(bot, kind).map(({ channel }) => bot.nameOf(channel));
const told = (bot: TestBot) => {
  const view = bot.posted.findLast(({ onlyFor }) => onlyFor !== undefined)?.view;
  return view === undefined ? '' : readView(view, bot.nameOf);
};

async function asked(...away: readonly string[]): Promise<TestBot> {
  const bot = await startTestBot({ policy });
  for (const person of away) await bot.say(person, 'away until 2d');
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  return bot;
}

it('a person who is away gets no mention, no direct message and no reminder, and the card says so', async () => {
  const bot = await asked('lead');
  expect(mentionsIn(cardOf(bot).parts)).toContain(reader);
  expect(mentionsIn(cardOf(bot).parts)).not.toContain(lead);
  expect(readView(cardOf(bot), bot.nameOf)).toContain('\nAway: @lead.\n');
  await passWithTurn(bot, 11 * minute);
  expect(sentTo(bot, 'unanswered')).toEqual(['reader']);
  await passWithTurn(bot, approveWithinMs / 2);
  expect(sentTo(bot, 'remind')).toEqual(['reader']);
  // An absence takes no right away.
  await bot.press('lead', 'Approve');
  await bot.settle();
  expect(bot.writes()).toEqual(['POST /vps/34-12345/hard_reset/']);
});

it('where all approvers are away, the card says so, and the admins are asked', async () => {
  const bot = await asked('lead', 'reader');
  expect(readView(cardOf(bot), bot.nameOf)).toContain('All approvers are away, so the admins are asked.');
  await passWithTurn(bot, 11 * minute);
  expect(sentTo(bot, 'unanswered')).toEqual([bot.nameOf(admin ?? '')]);
});

it('an absence ends at its time, or with away off', async () => {
  const bot = await asked('lead', 'reader');
  await bot.say('reader', 'away off');
  expect(told(bot)).toBe('You are back: the bot asks you for approvals again.');
  await passWithTurn(bot, 11 * minute);
  expect(sentTo(bot, 'unanswered')).toEqual(['reader']);
  await bot.pass(3 * day);
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  expect(readView(cardOf(bot), bot.nameOf)).not.toContain('Away');
});

it('the answer says until when, and a line without a time says the same', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('lead', 'away until monday');
  expect(told(bot)).toMatch(/^You are away until .*\. The bot asks others for approvals; you may still decide\./);
  await bot.say('lead', 'away');
  expect(told(bot)).toMatch(/^You are away until /);
});
