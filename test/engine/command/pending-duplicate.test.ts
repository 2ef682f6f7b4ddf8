import { expect, it } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { opsGroup, people } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot } from '../../support/test-bot.ts';

it('a request that waits already is offered instead of a second one, which is made only by a click', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const cards = () => bot.posted.filter(({ key }) => key.startsWith('card:')).length;
  await bot.say('operator', 'restart web-1');
  await bot.say('operator', 'restart web-2');
  await bot.until(() => cards() === 2, 'two cards');
  await bot.say('operator', 'restart web-1');
  await bot.until(() => bot.transcript().includes('You already requested Restart web-1'), 'the offer to its requester');
  await bot.say('lead', 'restart web-1 because slow');
  await bot.until(() => bot.transcript().includes('@operator already requested Restart web-1'), 'the offer');
  expect(bot.transcript()).toContain('[Open it] [Ask anyway]');
  expect(cards()).toBe(2);
  await bot.press('lead', 'Ask anyway');
  await bot.until(() => cards() === 3, 'the third card');
  expect(bot.transcript()).toContain('“slow” — ');
});

it('the same command about something else, or one that has ended, is not offered', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const cards = () => bot.posted.filter(({ key }) => key.startsWith('card:')).length;
  await bot.say('operator', 'dns add example.com beta A 192.0.2.10');
  await bot.say('operator', 'dns add example.com beta A 192.0.2.11');
  await bot.until(() => cards() === 2, 'two cards');
  await bot.say('operator', 'restart web-1');
  await bot.press('operator', 'Withdraw');
  await bot.settle();
  await bot.say('operator', 'restart web-1');
  await bot.until(() => cards() === 4, 'the fourth card');
});

it('a request for a server with another waiting request is offered that one first, by name', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const cards = () => bot.posted.filter(({ key }) => key.startsWith('card:')).length;
  await bot.say('operator', 'hard-reset web-1');
  await bot.until(() => cards() === 1, 'the card');
  const offered = 'Another request for web-1 is waiting. @operator already requested Hard reset web-1';
  for (const line of ['restart web-2 web-1', 'stop web-1', 'rescue on web-1']) {
    const before = bot.transcript().split(offered).length;
    await bot.say('lead', line);
    await bot.until(() => bot.transcript().split(offered).length === before + 1, line);
  }
  expect(bot.transcript()).toContain('[Open it] [Ask anyway]');
  expect(cards()).toBe(1);
  await bot.press('lead', 'Ask anyway');
  await bot.until(() => cards() === 2, 'the second card');
});

it('a request for another server, or one that changes only names and tags, is made at once', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const cards = () => bot.posted.filter(({ key }) => key.startsWith('card:')).length;
  await bot.say('operator', 'restart web-1');
  await bot.until(() => cards() === 1, 'the first card');
  await bot.say('operator', 'restart web-2');
  await bot.say('lead', 'tag add web-1 blue');
  await bot.until(() => cards() === 3, 'three cards');
  await bot.say('operator', 'stop web-2 because of a patch');
  await bot.until(() => bot.transcript().includes('Another request for web-2 is waiting'), 'the offer');
  expect(cards()).toBe(3);
});

it('a waiting request that the person may not see is not named to them', async () => {
  const bot = await startTestBot({
    replicas: 1,
    policy: policySchema.parse({
      grants: [
        { to: [`user:${people.operator}`], can: ['read', 'operate'], on: ['all'] },
        { to: [`user:${people.lead}`], can: ['read', 'operate'], on: ['order:web-1'] },
      ],
    }),
  });
  const cards = () => bot.posted.filter(({ key }) => key.startsWith('card:')).length;
  await bot.say('operator', 'restart web-1 web-2');
  await bot.until(() => cards() === 1, 'the first card');
  await bot.say('lead', 'stop web-1');
  await bot.until(() => cards() === 2, 'the second card');
  expect(bot.transcript()).not.toContain('already requested');
});

it('a second request for an hour is offered the scheduled one, and the same line for another hour is made at once', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const cards = () => bot.posted.filter(({ key }) => key.startsWith('card:')).length;
  await bot.say('operator', 'restart web-1 in 2h');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  await bot.say('lead', 'restart web-1 in 2h');
  await bot.until(
    () => bot.transcript().includes('@operator already scheduled Restart web-1 in #ops for '),
    'the offer',
  );
  await bot.say('lead', 'stop web-1 in 2h because of a patch');
  await bot.until(() => bot.transcript().includes('Another request for web-1 is scheduled.'), 'the offer');
  expect(cards()).toBe(1);
  await bot.say('lead', 'restart web-1 in 3h');
  await bot.until(() => cards() === 2, 'the second card');
  await bot.say('lead', 'restart web-1');
  await bot.until(() => cards() === 3, 'the third card');
});

it('a second removal during the countdown of the first is offered the first', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await bot.savePolicy(
    'C0OPS',
    policySchema.parse({
      ...usualPolicy(opsGroup),
      rules: { destructive: { approve: 1, by: [`group:${opsGroup}`], typed: true, wait: '15m' } },
    }),
    1,
  );
  await bot.say('lead', 'dns domain-remove example.com');
  const form = await bot.open('operator', { button: 'Approve' });
  await bot.submit('operator', form, { words: 'example.com' });
  await bot.until(() => bot.story().includes('[counting down, '), 'the countdown');
  await bot.say('operator', 'dns domain-remove example.com');
  await bot.until(
    () => bot.transcript().includes('@lead already requested Remove the domain example.com'),
    'the offer',
  );
});
