import { expect } from 'vitest';
import { commands } from '../../stories/commands.ts';
import { dns } from '../../stories/dns.ts';
import { tellEach } from '../../stories/with-engine.ts';
import { startTestBot, test } from '../../support/bot/test-bot.ts';
import { answerTo, confirm, policyOf, sayAndSettle } from '../told.ts';

// The commands as the channel reads them, through the whole engine.

tellEach([...commands, ...dns]);

test('the full name of a record finds its domain; its card names the servers of both addresses', async ({ bot }) => {
  await bot.say('reader', 'dns domains');
  await sayAndSettle(bot, 'operator', 'dns set www.example.com A 192.0.2.11');
  expect(bot.story()).toContain('cached up to 5 minutes · 192.0.2.10 is web-1 and 192.0.2.11 is web-2');
});

test('people and groups are found by their typed name, and a name that two share is refused', async () => {
  const bot = await startTestBot({ policy: null });
  await confirm(bot, 'admin', 'access grant @ops,@lead read', 'access rule dangerous approve 1 by=@ops');
  bot.roster.set('U0SECOND', { name: 'ops', membership: 'member' });
  await bot.say('admin', 'access grant @ops billing');
  await bot.say('admin', 'access grant @nobody read');
  expect(await policyOf(bot)).toMatchObject({
    grants: [{ to: ['group:S0OPS', 'user:U0LEAD'], can: ['read'] }],
    rules: { dangerous: { by: ['group:S0OPS'] } },
  });
  expect(bot.story()).toContain('More than one person or user group is called @ops.');
  expect(bot.story()).toContain('No person or user group is called @nobody.');
  expect(await answerTo(bot, 'lead', 'audit by=@admin')).toContain('policy');
});
