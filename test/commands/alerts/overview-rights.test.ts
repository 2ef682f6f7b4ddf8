import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { openWatch } from '../../alerts/support.ts';
import { people } from '../../support/bot/fake-slack.ts';

test('lists, the menu and Home show and count an alert only to people with the right that its rule needs', async () => {
  const policy = policySchema.parse({
    grants: [
      { to: [`user:${people.operator}`], can: ['read', 'billing', 'operate'] },
      { to: [`user:${people.reader}`], can: ['read'] },
      { to: [`user:${people.lead}`], can: ['read'], on: ['order:34-12345'] },
    ],
  });
  const rules = { 'order-status': { on: ['order:34-12399'] }, balance: { at: [10_000] } };
  const bot = await openWatch(rules, { engine: 'sqlite', policy });
  bot.sim.order({ order: '34-12399', status: 'blocked' });
  await bot.sweep();
  expect(await bot.store.alerts.countOpen()).toBe(2);
  const shown = async (person: string) => {
    const before = bot.posted.length;
    for (const line of ['alerts', 'alerts list']) await bot.say(person, line);
    const home = await bot.replicas[0]?.engine.home(people[person] ?? '');
    return [JSON.stringify(bot.posted.slice(before)), JSON.stringify(home)];
  };
  for (const text of await shown('operator')) expect(text).toMatch(/web-2.*Balance covers|Balance covers.*web-2/);
  for (const text of await shown('reader')) {
    expect(text).toContain('web-2');
    expect(text).not.toContain('Balance covers');
  }
  const menu = async (person: string) => {
    await bot.say(person, '');
    return JSON.stringify(bot.posted.at(-1));
  };
  expect(await menu('operator')).toContain('2 open alerts');
  expect(await menu('reader')).toMatch(/ 1 open alert(?!s)/);
  expect(await menu('lead')).not.toContain('open alert');
  const [answers, home] = await shown('lead');
  expect(answers).toContain('nothing is open');
  expect(answers).toContain('Nothing is open here.');
  expect(home).not.toContain('Open alerts');
});
