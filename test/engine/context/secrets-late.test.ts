import { expect, test } from 'vitest';
import { minute } from '../../../src/core/text/words.ts';
import { opsGroup, people } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { formOf, startTestBot } from '../../support/test-bot.ts';
import { readView } from '../../support/view-text.ts';

// The bot removes useless buttons; a late press of one still gets a true answer.

test('ten minutes later nothing offers to show a password that nobody opened, and a late press says so', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await bot.say('operator', 'password web-1');
  await bot.press('lead', 'Approve');
  await bot.settle();
  await bot.until(() => bot.posted.some(({ key }) => key.startsWith('secret:')), 'the message with the button');
  const message = () =>
    readView(bot.posted.find(({ key }) => key.startsWith('secret:'))?.view ?? { summary: '', parts: [] }, bot.nameOf);
  const { intent } = bot.findButton('Reveal once').button;
  bot.skip(9 * minute);
  await bot.replicas[0]?.sweep();
  expect(message()).toContain('[Reveal once]');
  bot.skip(2 * minute);
  await bot.replicas[0]?.sweep();
  await bot.until(() => !message().includes('[Reveal once]'), 'the button to go');
  expect(message()).toBe('The new root password of web-1 was not shown in time, and can no longer be shown.');
  const place = { channel: people.operator ?? '', kind: 'dm' } as const;
  const press = {
    id: 'late',
    actor: people.operator ?? '',
    place,
    at: bot.now(),
    ask: { kind: 'intent', intent },
  } as const;
  const late = bot.replicas[0]?.engine.accept(press, 'wanted');
  expect(JSON.stringify(late && (await formOf(late)))).toContain('It is gone. Ask for a new one');
});

test('a direct message by Remind loses its button when the request no longer waits', async () => {
  const rule = { approve: 1, by: [`group:${opsGroup}` as const], typed: false, notify: 'dm' as const };
  const bot = await startTestBot({ replicas: 1, policy: { ...usualPolicy(opsGroup), rules: { dangerous: rule } } });
  await bot.say('operator', 'hard-reset web-1');
  await bot.settle();
  await bot.press('operator', 'Remind approvers');
  const reminders = () => bot.posted.filter(({ key }) => key.startsWith('remind:'));
  await bot.until(() => reminders().length > 0, 'the reminder');
  const words = () => reminders().map(({ view }) => readView(view, bot.nameOf));
  expect(words()).toEqual([expect.stringContaining('[Review…]')]);
  await bot.press('operator', 'Withdraw');
  await bot.until(() => words().every((one) => !one.includes('[Review…]')), 'the button to go');
  expect(words()).toEqual([expect.stringContaining('Hard reset web-1 no longer waits for an approval.')]);
});
