import { expect, it } from 'vitest';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import type { TestBot } from '../../support/bot/test-bot.ts';
import { mentionsIn } from '../../support/bot/view-text.ts';
import {
  cardOf,
  clickAndSettle,
  formIn,
  messagesOf,
  pressAndSettle,
  requested,
  submitAndSettle,
  wordsOf,
} from '../told.ts';

/** An approver sends a request back with one line, and the requester sends it again with changes. */

const rule = { approve: 2, by: [`group:${opsGroup}` as const, `user:${people.reader}` as const], typed: false };
const policy = { ...usualPolicy(opsGroup), rules: { dangerous: rule } };

const states = async (bot: TestBot) => (await bot.store.operations.list({ limit: 9 })).map(({ state }) => state);

const asked = () => requested('hard-reset web-1', { policy });

it('the request ends with the line, its former card decides nothing, and the changed request keeps no vote', async () => {
  const bot = await asked();
  await bot.press('reader', 'Approve');
  const { button } = bot.findButton('Approve');
  const opened = await bot.open('lead', { button: 'Ask for changes…' });
  expect(opened).toMatchObject({ title: 'Ask for changes', submit: 'Send back' });
  expect(await bot.submit('lead', opened, { words: 'web-2 is the broken one' })).toEqual({ kind: 'accepted' });
  await clickAndSettle(bot, 'lead', button);
  expect(bot.transcript()).toContain('(only @lead) This has ended already. Hard reset web-1: sent back by @lead');
  expect(await states(bot)).toEqual(['declined']);
  expect(messagesOf(bot, 'card')).toHaveLength(1);
  expect(cardOf(bot)).toContain('Hard reset web-1  [sent back]');
  expect(cardOf(bot)).toContain('Sent back by @lead: web-2 is the broken one. Nothing was done.');
  const [reply, ...others] = messagesOf(bot, 'end');
  expect(others).toEqual([]);
  expect(reply).toMatchObject({ threadTs: messagesOf(bot, 'card')[0]?.ts });
  expect(mentionsIn(reply?.view.parts ?? [])).toContain(people.operator);
  expect(wordsOf(bot, reply?.view)).toBe(
    '@operator Hard reset web-1: sent back by @lead: web-2 is the broken one. Nothing was done.',
  );
  expect(await bot.store.audit.list({ kind: 'declined', limit: 9 })).toMatchObject([{ actor: people.lead }]);
  const form = formIn(await bot.open('operator', { button: 'Change it…' }));
  expect(form).toMatchObject({ title: 'Hard reset a server' });
  const [field] = form.fields;
  expect(JSON.stringify(field)).toContain('web-1');
  const answer = await bot.submit('operator', form, { [field?.name ?? '']: ['web-2'] });
  expect(answer).toMatchObject({ kind: 'accepted' });
  await bot.settle();
  expect(await states(bot)).toEqual(['waiting', 'declined']);
  expect(cardOf(bot)).toContain('Hard reset web-2');
  expect(cardOf(bot)).toContain('Needs 2 of');
  await pressAndSettle(bot, 'lead', 'Approve');
  expect(bot.writes()).toEqual([]);
  await pressAndSettle(bot, 'reader', 'Approve');
  expect(bot.writes()).toEqual(['POST /vps/34-12399/hard_reset/']);
});

it('only an approver may ask for changes, and with a line', async () => {
  const bot = await asked();
  expect(await bot.open('operator', { button: 'Ask for changes…' })).toMatchObject({
    summary: expect.stringMatching(/^You cannot ask for changes to this: you asked for this/),
  });
  const [row] = await bot.store.operations.list({ limit: 1 });
  // A click that opened no form has no line.
  for (const [vote, label, words] of [
    ['decline', 'Decline…', 'Write why not.'],
    ['change', 'Ask for changes…', 'Write what should be different.'],
  ] as const) {
    await bot.click('lead', { label, intent: { do: 'vote', operation: row?.id ?? '', vote } });
    expect(bot.transcript()).toContain(`(only @lead) ${words} Its requester reads it.\n[${label}]`);
  }
  const form = await bot.open('lead', { button: 'Ask for changes…' });
  expect(await bot.submit('lead', form, { words: '  ' })).toMatchObject({
    errors: { words: expect.stringContaining('Write what should be different.') },
  });
  expect(await states(bot)).toEqual(['waiting']);
  // The same submission sent twice is one message.
  for (let n = 0; n < 2; n++) await submitAndSettle(bot, 'lead', form, { words: 'later' }, { id: 'same' });
  expect(messagesOf(bot, 'end')).toHaveLength(1);
});
