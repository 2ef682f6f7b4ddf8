import { expect } from 'vitest';
import { plain } from '../../../src/core/view/view.ts';
import { ops, people } from '../../support/bot/fake-slack.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { buttonsIn } from '../../support/bot/view-text.ts';
import { asked } from '../asked.ts';
import { clickAndSettle, messagesOf, pressAndSettle, requested, submitAndSettle } from '../told.ts';

// Slack delivers missed payloads again. The bot asks about a command of hours ago instead of running it.

const hour = 3_600_000;
const late = (bot: TestBot) => ({ saidAt: bot.now() - 2 * hour });
const questions = (bot: TestBot) => messagesOf(bot, 'late');
const requests = (bot: TestBot) => bot.store.operations.list({ limit: 5 });

/** A bot to which this line is delivered two hours late, this often. */
async function mentionedLate(line: string, times = 1) {
  const bot = await startTestBot();
  for (let n = 0; n < times; n++)
    await bot.mention('operator', line, { thread: '77.7', id: 'event:Ev1', ...late(bot) });
  await bot.settle();
  return bot;
}

test('a change that is handled two hours late waits for a button, which requests it for the person who presses it', async () => {
  // Slack delivers it several times, and the bot asks once.
  const bot = await mentionedLate('restart web-1 because no ping', 3);
  expect(questions(bot)).toMatchObject([{ threadTs: '77.7' }]);
  expect(bot.transcript()).toMatch(
    /@operator asked at .*, 2 h ago: `?\/host restart web-1`?\. Slack delivered it only now, so nothing was done\. Still wanted\?/,
  );
  expect(await requests(bot)).toEqual([]);
  await pressAndSettle(bot, 'lead', 'Ask now');
  expect(await requests(bot)).toMatchObject([
    { command: 'restart', state: 'waiting', requester: people.lead, plan: { reason: 'no ping' } },
  ]);
});

test('a read that is handled two hours late waits for a button, too; a line that runs nothing or is too long has none', async () => {
  const bot = await mentionedLate('status web-1');
  expect(questions(bot)).toHaveLength(1);
  expect(bot.sim.requests()).toEqual([]);
  const other = await mentionedLate('restrat everything now');
  expect(questions(other)).toEqual([]);
  expect(other.transcript()).toContain('(only @operator)');
  const long = await mentionedLate(`restart ${'web-1 '.repeat(400)}`);
  expect(long.transcript()).toContain('Send it again if it is still wanted.');
  expect(long.transcript()).not.toContain('[Ask now]');
});

const pressedLate = /You pressed this at .*, 2 h ago\. Press it again if you still want it\./;

test('a button that asks for a change waits for another press when its click is two hours old, and one that reads does not', async ({
  bot,
}) => {
  const restart = { label: 'Restart', intent: { do: 'run', line: 'restart web-1', alert: 'a1' } } as const;
  for (let n = 0; n < 3; n++) await clickAndSettle(bot, 'operator', restart, { id: 'click:1', ...late(bot) });
  expect(questions(bot)).toHaveLength(1);
  expect(bot.transcript()).toMatch(/@operator asked at .*, 2 h ago: .*restart web-1.*Still wanted\?/);
  expect(await requests(bot)).toEqual([]);
  expect(bot.findButton('Ask now').button.intent).toEqual(restart.intent);
  await pressAndSettle(bot, 'operator', 'Ask now');
  expect(await requests(bot)).toMatchObject([{ command: 'restart', state: 'waiting' }]);
  await clickAndSettle(bot, 'operator', { label: 'List', intent: { do: 'run', line: 'list' } }, late(bot));
  expect(questions(bot)).toHaveLength(1);
  expect(bot.transcript()).toContain('12 servers');
  // A late click on Home is asked about in a direct message.
  await clickAndSettle(bot, 'operator', restart, { place: { channel: '', kind: 'home' }, ...late(bot) });
  expect(questions(bot)[1]).toMatchObject({ channel: people.operator });
});

test('Confirm of two hours ago does not count, the card stays, and another press counts; a late Withdraw counts', async () => {
  const { bot, row } = await asked();
  await pressAndSettle(bot, 'operator', 'Confirm', late(bot));
  expect(bot.transcript()).toMatch(pressedLate);
  expect(await row()).toMatchObject({ state: 'waiting' });
  expect(await bot.store.votes.list((await row())?.id ?? '')).toEqual([]);
  expect(bot.writes()).toEqual([]);
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(await row()).toMatchObject({ state: 'done' });
  await bot.say('operator', 'restart web-2');
  await pressAndSettle(bot, 'operator', 'Withdraw', late(bot));
  expect((await requests(bot))[0]).toMatchObject({ state: 'withdrawn' });
});

test('Continue of two hours ago lets nothing begin, and Stop of two hours ago counts', async () => {
  const { bot, row } = await asked({ config: { isPaused: true } });
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
  bot.pause(false);
  await bot.restart();
  await bot.press('operator', 'Continue', late(bot));
  expect(bot.transcript()).toMatch(pressedLate);
  expect((await row())?.heldAt).not.toBeNull();
  await pressAndSettle(bot, 'operator', 'Leave it', late(bot));
  expect(await row()).toMatchObject({ state: 'refused', stopBy: people.operator });
  expect(bot.writes()).toEqual([]);
});

test('an approver is not reminded, and nothing is asked of the admins or said to the channel, by a click of two hours ago', async () => {
  const bot = await requested('restart web-1');
  const [{ id: operation = '' } = {}] = await bot.store.operations.list({ limit: 1 });
  const intents = [
    { do: 'remind', operation },
    { do: 'ask-access', line: 'restart web-2' },
    { do: 'share', line: 'list', answer: 'x' },
    { do: 'alert', alert: 'a1', act: 'snooze', forMs: hour },
  ] as const;
  for (const [n, intent] of intents.entries())
    await clickAndSettle(bot, 'operator', { label: 'x', intent }, { id: `late${n}`, ...late(bot) });
  expect(bot.transcript().match(new RegExp(pressedLate, 'g'))).toHaveLength(4);
  expect(bot.posted.filter(({ key }) => key !== '' && !key.startsWith('card:'))).toEqual([]);
  expect(await bot.store.audit.list({ kind: 'reminded', limit: 1 })).toEqual([]);
});

/** The answer to a form that is sent two hours after it was opened; nothing is requested. */
async function sentLate(bot: TestBot, ...given: Parameters<TestBot['submit']>) {
  bot.skip(2 * hour);
  const answer = await bot.submit(...given);
  if (answer.kind !== 'said') throw new Error(answer.kind);
  expect(await requests(bot)).toEqual([]);
  return { says: plain(answer.view.summary), buttons: answer.view.parts.flatMap(buttonsIn) };
}

test('a form that is sent after two hours does nothing, and its content waits behind a button', async ({ bot }) => {
  const form = await bot.open('operator', { line: 'restart web-1' });
  const filled = { servers: ['34-12399'], '@reason': 'no ping' };
  const { says, buttons } = await sentLate(bot, 'operator', form, filled);
  expect(says).toMatch(/^You opened this form at .*, 2 h ago, and it arrived only now\. Nothing was done\./);
  expect(buttons[0]?.intent).toEqual({ do: 'form', line: 'restart 34-12399 because no ping' });
});

test('an approval whose dialog was opened two hours ago does not count, and a decline does', async () => {
  const bot = await requested('cancel web-1');
  const approve = await bot.open('lead', { button: 'Approve' });
  const decline = await bot.open('lead', { button: 'Decline…' });
  bot.skip(2 * hour);
  expect(await bot.submit('lead', approve, { words: 'web-1' })).toMatchObject({ kind: 'said' });
  expect(await requests(bot)).toMatchObject([{ state: 'waiting' }]);
  await submitAndSettle(bot, 'lead', decline, { words: 'not today' });
  expect(await requests(bot)).toMatchObject([{ state: 'declined' }]);
});

test('a line in the dialog "Ask Hostler" that is sent two hours after it opened is asked about', async ({ bot }) => {
  const opened = await bot.shortcut('operator', { kind: 'ask' });
  if (opened === undefined || !('form' in opened)) throw new Error('no form');
  const { buttons } = await sentLate(bot, 'operator', opened.form, { line: 'restart web-1', channel: ops });
  expect(buttons).toMatchObject([{ label: 'Ask now', intent: { do: 'run', line: 'restart web-1', in: ops } }]);
});
