import { expect } from 'vitest';
import { people } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { type TestBot, test } from '../../support/bot/test-bot.ts';
import { unreadable } from '../../support/bot/unreadable.ts';
import { buttonsIn } from '../../support/bot/view-text.ts';
import { answerTo, confirm, formIn } from '../told.ts';

// The dialog of a command that others may have to approve asks why, as `because …` does behind a typed line.

const labelsOf = async (bot: TestBot, line: string) =>
  formIn(await bot.open('operator', { line })).fields.map(({ label }) => label);

test('a typed reason is filled into the form, and the reason of the form is on the card', async ({ bot }) => {
  const form = formIn(await bot.open('operator', { line: 'hard-reset web-1 because no ping' }));
  expect(form.fields.at(-1)).toMatchObject({ label: 'Reason', optional: true, initial: 'no ping' });
  expect(await bot.submit('operator', form, { server: 'web-1', '@reason': 'no ping since 4:20' })).toEqual({
    kind: 'accepted',
  });
  await bot.until(() => bot.transcript().includes('“no ping since 4:20” — '), 'the reason on the card');
});

test('the form of every action that waits for people has a Reason field, and only one', async ({ bot }) => {
  expect(await labelsOf(bot, 'stats')).not.toContain('Reason');
  for (const line of ['tag', 'start', 'stop', 'dns add', 'rename', 'alerts on', 'freeze'])
    expect(
      (await labelsOf(bot, line)).filter((label) => label === 'Reason'),
      line,
    ).toHaveLength(1);
});

test('where the rule requires a reason, a line without one is refused with the form, and one with a reason is requested', async ({
  bot,
}) => {
  await confirm(bot, 'admin', 'access rule dangerous a reason and one approval by @ops');
  await bot.say('operator', 'hard-reset web-1');
  expect(bot.story()).toContain('The rule of this channel requires a reason. Give it after because, or in the form.');
  expect(await openOperations(bot.store)).toEqual([]);
  const form = await bot.open('operator', { button: 'Give the reason…' });
  expect(await bot.submit('operator', form, { server: 'web-1' })).toMatchObject({
    errors: { '@reason': expect.stringContaining('requires a reason') },
  });
  for (const sign of unreadable) {
    await bot.say('operator', `hard-reset web-1 because ${sign.repeat(3)}`);
    await bot.say('operator', `pin db-2 "${sign.repeat(3)}"`);
    await bot.say('operator', `freeze tag:web "${sign.repeat(3)}"`);
  }
  expect(await bot.store.operations.list({ commands: ['hard-reset', 'pin', 'freeze'], limit: 5 })).toEqual([]);
  await bot.say('operator', 'hard-reset web-1 because the console is black');
  expect(bot.transcript()).toContain('the console is black');
  expect(await openOperations(bot.store)).toHaveLength(1);
  await bot.say('operator', 'why hard-reset web-2');
  expect(bot.story()).toContain('Dangerous: a reason and one approval from @ops or an admin');
});

test('a reason follows a zone text and its flags, and a record called because stays a record', async ({ bot }) => {
  await bot.say('operator', 'dns apply example.com "beta 300 A 192.0.2.10" --keep because a new host');
  expect(bot.transcript()).toContain('“a new host” — ');
  await bot.say('operator', 'dns apply example.com "gamma 300 A 192.0.2.10" because of the move');
  expect(bot.transcript()).toContain('“the move” — ');
  // A person who was chosen from the list is there by name.
  expect(await answerTo(bot, 'operator', `restart web-1 because @${people.lead} asked`)).toContain('“@lead asked” — ');
  const form = formIn(await bot.open('operator', { line: 'dns apply example.com because 300 A 192.0.2.10' }));
  expect(form.fields.find(({ name }) => name === 'zone')).toMatchObject({ initial: 'because 300 A 192.0.2.10' });
});

/** The lines of the buttons that the newest private answer offers. */
function offeredLines(bot: TestBot): string[] {
  const view = bot.posted.findLast(({ onlyFor }) => onlyFor !== undefined)?.view;
  return (view?.parts ?? [])
    .flatMap(buttonsIn)
    .flatMap(({ intent }) => (intent.do === 'run' || intent.do === 'form' ? [intent.line] : []));
}

test('the button of an answer keeps the reason, also while the provider does not answer', async ({ bot }) => {
  const keeps = async (line: string) => {
    await bot.say('operator', line);
    expect(offeredLines(bot)).toEqual([line]);
  };
  await keeps('restart because the console says "no route"');
  await keeps('restart nowhere because it hangs');
  await keeps('restart web-1 parallel=99 because it hangs');
  bot.sim.fault({ kind: 'answer', match: '*', status: 503, body: { detail: 'down' }, times: 99 });
  bot.skip(600_000);
  await keeps('dns add example.com test A 192.0.2.9 because a new host');
});

test('a reason that is too long for the card is refused in the line and at its field, not cut', async ({ bot }) => {
  const long = 'no ping '.repeat(30).trim();
  await bot.say('operator', `restart web-1 because ${long}`);
  expect(bot.transcript()).toContain('The reason has 239 characters. Say it in at most 200.');
  const form = await bot.open('operator', { line: 'restart web-1' });
  expect(await bot.submit('operator', form, { servers: ['web-1'], '@reason': long })).toEqual({
    kind: 'errors',
    errors: { '@reason': 'The reason has 239 characters. Say it in at most 200.' },
  });
  expect(await openOperations(bot.store)).toEqual([]);
});
