import { expect, it } from 'vitest';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { answerTo, confirm, pressAndSettle, requested, sayAndSettle, setChannel } from '../told.ts';

it('the requests of one person are found by the chosen or typed name, and an unknown name is quoted', async () => {
  const bot = await requested('restart web-1', { replicas: 1 });
  await sayAndSettle(bot, 'lead', 'restart web-2');
  for (const line of ['requests @lead', `requests @${people.lead}`, 'requests open @lead']) {
    const text = await answerTo(bot, 'operator', line);
    expect(text, line).toContain('Restart web-2');
    expect(text, line).not.toContain('Restart web-1');
    expect(text, line).toMatch(/1 (open )?request here by @lead/);
  }
  expect(await answerTo(bot, 'operator', 'requests @nobody')).toContain('No person is called nobody.');
});

it('grants, why, who can and changed rules show people by name', async () => {
  const bot = await startTestBot({ replicas: 1 });
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

it.each([
  ['stranger', /@partner is from another organization\./],
  ['guest', /@partner is a guest in this workspace\./],
  ['deactivated', /@partner is deactivated, and may do nothing\./],
] as const)('a grant to a %s carries a warning', async (membership, words) => {
  const bot = await startTestBot({ replicas: 1 });
  bot.roster.set('U0PARTNER', { name: 'partner', membership });
  expect(await answerTo(bot, 'admin', 'access grant @U0PARTNER read')).toMatch(words);
  expect(await answerTo(bot, 'admin', 'access grant @lead billing')).not.toMatch(words);
});

it('a grant to everyone in a shared channel says who is meant', async () => {
  const bot = await startTestBot({ replicas: 1, policy: usualPolicy(opsGroup) });
  const words = /This channel is shared with another organization: "everyone" means/;
  expect(await answerTo(bot, 'admin', 'access grant everyone billing')).not.toMatch(words);
  setChannel(bot, { isShared: true, teams: ['T0PARTNER1'] });
  await confirm(bot, 'admin', 'access confirm');
  expect(await answerTo(bot, 'admin', 'access grant everyone tickets')).toMatch(words);
});
