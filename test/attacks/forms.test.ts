import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy/policy.ts';
import { suggested } from '../engine/told.ts';
import { ops, people } from '../support/bot/fake-slack.ts';
import { startTestBot } from '../support/bot/test-bot.ts';

// A form and its search show names before any request is made.

const id = (person: string) => people[person] ?? '';
const granted = '34-12345';
const can = ['read', 'operate', 'organize', 'destroy', 'secrets'];
/** The lead may act on one order; nobody else has a right. */
const narrow = policySchema.parse({
  grants: [{ to: [`user:${id('lead')}`], can, on: [`order:${granted}`] }],
});
const dm = { channel: 'D0PERSON', kind: 'dm' } as const;
const start = async () => {
  const bot = await startTestBot({ policy: narrow });
  await bot.say('lead', 'list');
  return bot;
};

test.each(['reader', 'guest', 'lead'])('no form of a grant opens in a direct message for the %s', async (person) => {
  const bot = await start();
  expect(await bot.open(person, { line: 'access grant' }, dm)).not.toHaveProperty('fields');
  expect(await bot.open(person, { line: 'create' }, dm)).not.toHaveProperty('fields');
});

test.each(['reader', 'lead'])('the line of Ask Hostler opens no form that the %s may not use', async (person) => {
  const bot = await start();
  const asked = await bot.shortcut(person, { kind: 'ask' });
  if (asked === undefined || !('form' in asked)) throw new Error(JSON.stringify(asked));
  expect(await bot.submit(person, asked.form, { channel: ops, line: 'access grant' })).toMatchObject({
    kind: 'errors',
    errors: { line: expect.stringContaining('You may not use `/host access grant` here.') },
  });
});

test('a search offers nothing at all to a person who lost the right while the form was open', async () => {
  const bot = await start();
  const form = await bot.open('lead', { line: 'move' });
  const search = () => suggested(bot, 'lead', form, 'projects-or-none');
  expect((await search()).map(({ value }) => value)).toEqual(['none']);
  await bot.savePolicy(ops, policySchema.parse({ grants: [] }), 1);
  expect(await search()).toEqual([]);
});

test.each(['tag:staging', '192.0.2.11', 'web-2'])('a form does not tell which server %s is', async (guess) => {
  const bot = await start();
  const form = await bot.open('lead', { line: `reinstall ${guess}` });
  expect(JSON.stringify(form)).not.toMatch(/34-(?!12345)\d/);
  // A name that the person may not know is left out like one that does not exist.
  expect(JSON.stringify(form)).not.toContain(`For ${guess}`);
  const own = await bot.open('lead', { line: 'reinstall web-1' });
  expect(own).toMatchObject({ notes: expect.arrayContaining(['For web-1 (34-12345)']) });
});
