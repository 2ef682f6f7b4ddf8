import { expect, it } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { decide } from '../asked.ts';

async function start(policy = usualPolicy(opsGroup)) {
  const bot = await startTestBot({ policy });
  const count = () => bot.posted.filter(({ key }) => key.startsWith('card:')).length;
  return {
    bot,
    /** Waits for this number of cards, which are all. */
    cards: async (number: number) => {
      await bot.until(() => count() >= number, `${number} cards`);
      expect(count()).toBe(number);
    },
    offer: (words: string) => bot.until(() => bot.transcript().includes(words), `the offer: ${words}`),
  };
}

it('a request that waits already is offered instead of a second one, which is made only by a click', async () => {
  const { bot, cards, offer } = await start();
  await bot.say('operator', 'restart web-1');
  await bot.say('operator', 'restart web-2');
  await cards(2);
  await bot.say('operator', 'restart web-1');
  await offer('You already requested Restart web-1');
  await bot.say('lead', 'restart web-1 because slow');
  await offer('@operator already requested Restart web-1');
  expect(bot.transcript()).toContain('[Open it] [Ask anyway]');
  await cards(2);
  await bot.press('lead', 'Ask anyway');
  await cards(3);
  expect(bot.transcript()).toContain('“slow” — ');
});

it('a request about something else, one that has ended, or one that changes only names and tags is not offered', async () => {
  const { bot, cards, offer } = await start();
  await bot.say('operator', 'dns add example.com beta A 192.0.2.10');
  await bot.say('operator', 'dns add example.com beta A 192.0.2.11');
  await cards(2);
  await decide(bot, 'restart web-1', 'operator', 'Withdraw');
  await bot.say('operator', 'restart web-1');
  await cards(4);
  await bot.say('operator', 'restart web-2');
  await bot.say('lead', 'tag add web-1 blue');
  await cards(6);
  await bot.say('operator', 'stop web-2 because of a patch');
  await offer('Another request for web-2 is waiting');
  await cards(6);
});

it('a request for a server with another waiting request is offered that one first, by name', async () => {
  const { bot, cards } = await start();
  await bot.say('operator', 'hard-reset web-1');
  await cards(1);
  const offered = 'Another request for web-1 is waiting. @operator already requested Hard reset web-1';
  for (const line of ['restart web-2 web-1', 'stop web-1', 'rescue on web-1']) {
    const before = bot.transcript().split(offered).length;
    await bot.say('lead', line);
    await bot.until(() => bot.transcript().split(offered).length === before + 1, line);
  }
  expect(bot.transcript()).toContain('[Open it] [Ask anyway]');
  await cards(1);
  await bot.press('lead', 'Ask anyway');
  await cards(2);
});

it('a waiting request that the person may not see is not named to them', async () => {
  const grant = (who: string, on: string) => ({ to: [`user:${people[who]}`], can: ['read', 'operate'], on: [on] });
  const grants = [grant('operator', 'all'), grant('lead', 'order:web-1')];
  const { bot, cards } = await start(policySchema.parse({ grants }));
  await bot.say('operator', 'restart web-1 web-2');
  await cards(1);
  await bot.say('lead', 'stop web-1');
  await cards(2);
  expect(bot.transcript()).not.toContain('already requested');
});

it('a second request for an hour is offered the scheduled one, and the same line for another hour is made at once', async () => {
  const { bot, cards, offer } = await start();
  await decide(bot, 'restart web-1 in 2h');
  await bot.say('lead', 'restart web-1 in 2h');
  await offer('@operator already scheduled Restart web-1 in #ops for ');
  await bot.say('lead', 'stop web-1 in 2h because of a patch');
  await offer('Another request for web-1 is scheduled.');
  await cards(1);
  await bot.say('lead', 'restart web-1 in 3h');
  await cards(2);
  await bot.say('lead', 'restart web-1');
  await cards(3);
});

it('a second removal during the countdown of the first is offered the first', async () => {
  const destructive = { approve: 1, by: [`group:${opsGroup}`], typed: true, wait: '15m' };
  const policy = policySchema.parse({ ...usualPolicy(opsGroup), rules: { destructive } });
  const { bot, offer } = await start(policy);
  await bot.say('lead', 'dns domain-remove example.com');
  await bot.submit('operator', await bot.open('operator', { button: 'Approve' }), { words: 'example.com' });
  await bot.until(() => bot.story().includes('[counting down]'), 'the countdown');
  await bot.say('operator', 'dns domain-remove example.com');
  await offer('@lead already requested Remove the domain example.com');
});
