import { expect } from 'vitest';
import { test } from '../../support/bot/test-bot.ts';

// Lines that are not written as a command, as they are answered.

test('a line that is not understood is answered with what is used most, a search, all commands', async ({ bot }) => {
  await bot.say('operator', 'paint the fence');
  const answer = bot.story();
  expect(answer).toContain('paint the fence was not understood.');
  expect(answer).toContain('[Restart…] [Stats…] [DNS] [Alerts]');
  expect(answer).toContain('Find a server, domain, order or request');
  expect(answer).toContain('All commands');
  await bot.say('operator', 'hello');
  expect(bot.story().slice(answer.length)).not.toContain('All commands');
});

test('the form of a sentence says how the sentence was read and which words are left out', async ({ bot }) => {
  await bot.say('operator', 'load on dbs last hr');
  expect(bot.story()).toContain('Took “load on dbs last hr” as stats. Left out: “dbs last hr”.');
  expect(bot.writes()).toEqual([]);
});
