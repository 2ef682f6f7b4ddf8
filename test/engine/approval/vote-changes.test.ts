import { expect, it } from 'vitest';
import { opsGroup, people } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/test-bot.ts';
import { mentionsIn, readView } from '../../support/view-text.ts';

/** An approver sends a request back with one line, and the requester sends it again with changes. */

const rule = { approve: 2, by: [`group:${opsGroup}` as const, `user:${people.reader}` as const], typed: false };
const policy = { ...usualPolicy(opsGroup), rules: { dangerous: rule } };

const of = (bot: TestBot, kind: string) => bot.posted.filter(({ key }) => key.startsWith(`${kind}:`));
const cards = (bot: TestBot) => of(bot, 'card').map(({ view }) => readView(view, bot.nameOf));
const states = async (bot: TestBot) => (await bot.store.operations.list({ limit: 9 })).map(({ state }) => state);

async function sentBack(options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await startTestBot({ policy, ...options });
  await bot.say('operator', 'hard-reset web-1');
  await bot.press('reader', 'Approve');
  const form = await bot.open('lead', { button: 'Ask for changes…' });
  expect(form).toMatchObject({ title: 'Ask for changes', submit: 'Send back' });
  expect(await bot.submit('lead', form, { words: 'web-2 is the broken one' })).toEqual({ kind: 'accepted' });
  await bot.settle();
  return bot;
}

it('the request ends with the line, which its requester reads, and gets a button that opens its form', async () => {
  const bot = await sentBack();
  expect(cards(bot)).toHaveLength(1);
  expect(cards(bot)[0]).toContain('Hard reset web-1  [sent back]');
  expect(cards(bot)[0]).toContain('Sent back by @lead: web-2 is the broken one. Nothing was done.');
  expect(cards(bot)[0]).toContain('[Change it…]');
  const [reply, ...others] = of(bot, 'end');
  expect(others).toEqual([]);
  expect(reply).toMatchObject({ threadTs: of(bot, 'card')[0]?.ts });
  expect(mentionsIn(reply?.view.parts ?? [])).toContain(people.operator);
  expect(reply && readView(reply.view, bot.nameOf)).toBe(
    '@operator Hard reset web-1: sent back by @lead: web-2 is the broken one. Nothing was done.',
  );
  expect(await bot.store.audit.list({ kind: 'declined', limit: 9 })).toMatchObject([{ actor: people.lead }]);
});

it('the changed request is a new one, and no vote is carried over', async () => {
  const bot = await sentBack();
  const form = await bot.open('operator', { button: 'Change it…' });
  expect(form).toMatchObject({ title: 'Hard reset a server' });
  if (!('fields' in form)) throw new Error('no form');
  const [field] = form.fields;
  expect(JSON.stringify(field)).toContain('web-1');
  const answer = await bot.submit('operator', form, { [field?.name ?? '']: ['web-2'] });
  expect(answer).toMatchObject({ kind: 'accepted' });
  await bot.settle();
  expect(await states(bot)).toEqual(['waiting', 'declined']);
  expect(cards(bot).at(-1)).toContain('Hard reset web-2');
  expect(cards(bot).at(-1)).toContain('Needs 2 of');
  await bot.press('lead', 'Approve');
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  await bot.press('reader', 'Approve');
  await bot.settle();
  expect(bot.writes()).toEqual(['POST /vps/34-12399/hard_reset/']);
});

it('only an approver may ask for changes', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('operator', 'hard-reset web-1');
  expect(await bot.open('operator', { button: 'Ask for changes…' })).toMatchObject({
    summary: expect.stringMatching(/^You cannot ask for changes to this: you asked for this/),
  });
  expect(await states(bot)).toEqual(['waiting']);
});

it('a request that was sent back cannot be approved, also by people who still see its former card', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('operator', 'hard-reset web-1');
  await bot.press('reader', 'Approve');
  const { button } = bot.findButton('Approve');
  const form = await bot.open('lead', { button: 'Ask for changes…' });
  await bot.submit('lead', form, { words: 'web-2 is the broken one' });
  await bot.click('lead', button);
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  expect(await states(bot)).toEqual(['declined']);
  expect(bot.transcript()).toContain('(only @lead) This has ended already. Hard reset web-1: sent back by @lead');
});

it.each(['decline', 'change'] as const)('a %s without a line, where no form was opened, asks for one', async (vote) => {
  const bot = await startTestBot({ policy });
  await bot.say('operator', 'hard-reset web-1');
  const [row] = await bot.store.operations.list({ limit: 1 });
  const label = vote === 'decline' ? 'Decline…' : 'Ask for changes…';
  await bot.click('lead', { label, intent: { do: 'vote', operation: row?.id ?? '', vote } });
  expect(await states(bot)).toEqual(['waiting']);
  const asked = vote === 'decline' ? 'Write why not.' : 'Write what should be different.';
  expect(bot.transcript()).toContain(`(only @lead) ${asked} Its requester reads it.\n[${label}]`);
});

it('a line is needed, and the same submission sent twice is one message', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('operator', 'hard-reset web-1');
  const form = await bot.open('lead', { button: 'Ask for changes…' });
  expect(await bot.submit('lead', form, { words: '  ' })).toMatchObject({
    errors: { words: expect.stringContaining('Write what should be different.') },
  });
  await bot.submit('lead', form, { words: 'later' }, { id: 'same' });
  await bot.submit('lead', form, { words: 'later' }, { id: 'same' });
  await bot.settle();
  expect(of(bot, 'end')).toHaveLength(1);
});
