import { expect } from 'vitest';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, test } from '../../support/bot/test-bot.ts';
import { answerTo, confirm, pressAndSettle, requested, sayAndSettle, setChannel, told } from '../told.ts';

test('the requests of one person are found by the chosen or typed name, and an unknown name is quoted', async () => {
  const bot = await requested('restart web-1');
  await sayAndSettle(bot, 'lead', 'restart web-2');
  for (const line of ['requests @lead', `requests @${people.lead}`, 'requests open @lead']) {
    const text = await answerTo(bot, 'operator', line);
    expect(text, line).toContain('Restart web-2');
    expect(text, line).not.toContain('Restart web-1');
    expect(text, line).toMatch(/1 (open )?request here by @lead/);
  }
  expect(await answerTo(bot, 'operator', 'requests @nobody')).toContain('No person is called nobody.');
});

test('grants, why, who can and changed rules show people by name', async ({ bot }) => {
  const said = [
    await answerTo(bot, 'admin', `access grant @${opsGroup},@${people.reader} billing`),
    await answerTo(bot, 'admin', `access grant @${people.lead} tickets`),
    await answerTo(bot, 'operator', `why @${people.reader} restart web-1`),
    await answerTo(bot, 'operator', `who can restart web-1`),
  ];
  await pressAndSettle(bot, 'admin', 'Confirm', { first: true });
  await pressAndSettle(bot, 'admin', 'Confirm');
  const all = [...said, bot.story()].join('\n');
  expect(all).toContain('Becomes possible: @reader: billing on everything');
  expect(all).not.toMatch(/[UCS]0[A-Z]+|[0-9a-f]{12}/);
});

test.each([
  ['stranger', /@partner is from another organization\./],
  ['guest', /@partner is a guest in this workspace\./],
  ['deactivated', /@partner is deactivated, and may do nothing\./],
] as const)('a grant to a %s carries a warning', async (membership, words) => {
  const bot = await startTestBot();
  bot.roster.set('U0PARTNER', { name: 'partner', membership });
  expect(await answerTo(bot, 'admin', 'access grant @U0PARTNER read')).toMatch(words);
  expect(await answerTo(bot, 'admin', 'access grant @lead billing')).not.toMatch(words);
});

test('a grant to everyone in a shared channel says who is meant', async ({ bot }) => {
  const words = /This channel is shared with another organization: "everyone" means/;
  expect(await answerTo(bot, 'admin', 'access grant everyone billing')).not.toMatch(words);
  setChannel(bot, { isShared: true, teams: ['T0PARTNER1'] });
  await confirm(bot, 'admin', 'access confirm');
  expect(await answerTo(bot, 'admin', 'access grant everyone tickets')).toMatch(words);
});

// Queries about rights are answered in words, for what the asking person may read.

const policy = granting({ [`group:${opsGroup}`]: 'read operate dns', everyone: 'read on tag:web' });
test('"who can" lists people, and "why" explains the rights of one, only for what the asking person may read', async () => {
  const bot = await startTestBot({ policy });
  expect(await answerTo(bot, 'reader', 'who can restart web-1')).toContain(
    'Who may use /host restart web-1 here\n• @ops\n· Disruptive: the person who asks confirms it',
  );
  expect(await answerTo(bot, 'reader', 'who can read web-1')).toContain('• @ops\n• everyone');
  expect(await answerTo(bot, 'reader', 'who can read')).toContain('• @ops on everything\n• everyone on tag:web');
  expect(await answerTo(bot, 'reader', 'who can balance')).toContain('Nobody may use /host balance here');
  expect(await answerTo(bot, 'reader', 'who can access grant')).toContain(
    'Only the admins may use /host access grant.',
  );
  expect(await answerTo(bot, 'reader', 'who can help')).toContain('Every member of this channel may use /host help.');
  const hidden = await answerTo(bot, 'reader', 'who can restart db-1');
  expect(hidden).not.toContain('@ops');
  const why = (user: string, about: string) => answerTo(bot, user, `why ${about}`);
  expect(await why('admin', '@operator restart web-1')).toContain('operator may use /host restart web-1 here');
  expect(await why('operator', '@reader restart web-1')).toContain('reader may not use /host restart web-1 here');
  expect(await why('reader', '@operator restart db-1')).not.toContain('may use');
  expect(await why('reader', '@nobody restart web-1')).toContain('No person is called @nobody.');
});

test('"who can" about a name of both a domain and a server says which it took, and its button asks about the other', async () => {
  const bot = await startTestBot({ policy });
  bot.sim.order({ order: '34-12345', name: 'example.com' });
  const both = await answerTo(bot, 'operator', 'who can read example.com');
  expect(both).toContain('Who may use “read” on example.com here\n• @ops\n');
  expect(both).toContain(
    'This is about the domain example.com, and not about the order 375-13 and the server 34-12345 of the same name.',
  );
  expect(both).not.toContain('everyone');
  await bot.press('operator', 'About the server 34-12345');
  const other = told(bot, 'operator');
  expect(other).toContain('Who may use “read” on 34-12345 here\n• @ops\n• everyone');
  expect(other).not.toContain('This is about');
  // The reader may read the server with its tag, and no domain.
  const visible = await answerTo(bot, 'reader', 'who can read example.com');
  expect(visible).toContain('• everyone');
  expect(visible).not.toContain('domain');
});
