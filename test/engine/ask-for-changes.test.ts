import { expect, it } from 'vitest';
import { minute } from '../../src/core/text/words.ts';
import { approveWithinMs } from '../../src/engine/context/time-limits.ts';
import { opsGroup, people } from '../support/fake-slack.ts';
import { usualPolicy } from '../support/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../support/test-bot.ts';
import { mentionsIn, readView } from '../support/view-text.ts';
import { passWithTurn } from './pass-with-turn.ts';

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

it('the card and the thread say the line, and the requester gets a button', async () => {
  const bot = await sentBack();
  expect(cards(bot).at(-1)).toContain('@lead asks for changes: “web-2 is the broken one”');
  const [reply, ...others] = of(bot, 'change');
  expect(others).toEqual([]);
  expect(reply).toMatchObject({ threadTs: of(bot, 'card')[0]?.ts });
  expect(mentionsIn(reply?.view.parts ?? [])).toContain(people.operator);
  expect(reply && readView(reply.view, bot.nameOf)).toBe(
    '@operator @lead asks for changes to Hard reset web-1: “web-2 is the broken one”\n[Change it…]',
  );
  expect(await bot.store.audit.list({ kind: 'changes_asked', limit: 9 })).toMatchObject([{ actor: people.lead }]);
});

it('the changed request replaces the old card, and no vote is carried over', async () => {
  const bot = await sentBack();
  const form = await bot.open('operator', { button: 'Change it…' });
  expect(form).toMatchObject({ title: 'Hard reset a server' });
  if (!('fields' in form)) throw new Error('no form');
  const [field] = form.fields;
  expect(JSON.stringify(field)).toContain('web-1');
  const answer = await bot.submit('operator', form, { [field?.name ?? '']: ['web-2'] });
  expect(answer).toMatchObject({ kind: 'accepted' });
  await bot.settle();
  expect(await states(bot)).toEqual(['waiting', 'withdrawn']);
  const [before, after] = cards(bot);
  expect(before).toContain('Replaced by a new request. Nothing was done.');
  expect(after).toContain('Hard reset web-2');
  expect(after).toContain('Needs 2 of');
  await bot.press('lead', 'Approve');
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  await bot.press('reader', 'Approve');
  await bot.settle();
  expect(bot.writes()).toHaveLength(1);
});

it('only the requester or an admin may change the request, and only an approver may ask for it', async () => {
  const bot = await sentBack();
  const refused = await bot.open('lead', { button: 'Change it…' });
  expect('parts' in refused && readView(refused, bot.nameOf)).toMatch(
    /^Only the person who asked, or an admin, can replace this request\./,
  );
  const form = await bot.open('operator', { button: 'Ask for changes…' });
  expect(await bot.submit('operator', form, { words: 'no' })).toMatchObject({
    errors: { words: expect.stringMatching(/^You cannot ask for changes to this: you asked for this/) },
  });
  expect(of(bot, 'change')).toHaveLength(1);
});

it('a request that was sent back can be approved all the same, and its button then says that it is decided', async () => {
  const bot = await sentBack();
  const { button } = bot.findButton('Change it…');
  await bot.press('lead', 'Approve');
  await bot.settle();
  expect(bot.writes()).toEqual(['POST /vps/34-12345/hard_reset/']);
  expect(cards(bot).at(-1)).not.toContain('asks for changes');
  expect(button.intent).toMatchObject({ do: 'form' });
  const late = await bot.open('operator', { button: 'Change it…' });
  expect('parts' in late && readView(late, bot.nameOf)).toMatch(/This has ended already\./);
});

it('an approver is not reminded of a request that was sent back', async () => {
  const bot = await sentBack();
  await passWithTurn(bot, approveWithinMs / 2 + minute);
  expect(of(bot, 'remind')).toEqual([]);
});

it('a line is needed, and the same submission sent twice is one message', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('operator', 'hard-reset web-1');
  const form = await bot.open('lead', { button: 'Ask for changes…' });
  expect(await bot.submit('lead', form, { words: '  ' })).toMatchObject({
    errors: { words: 'Write what should be different.' },
  });
  await bot.submit('lead', form, { words: 'later' }, { id: 'same' });
  await bot.submit('lead', form, { words: 'later' }, { id: 'same' });
  await bot.settle();
  expect(of(bot, 'change')).toHaveLength(1);
});
