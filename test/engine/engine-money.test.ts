import { expect, test } from 'vitest';
import { alertRules } from '../../src/alerts/all.ts';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { type Capability, policySchema } from '../../src/core/policy/policy.ts';
import { plain } from '../../src/core/view/view.ts';
import { day, openWatch } from '../alerts/support.ts';
import { opsGroup } from '../support/bot/fake-slack.ts';
import { openOperations } from '../support/bot/open-operations.ts';
import { usualPolicy } from '../support/bot/policy.ts';
import { answerTo, homeOf, nextPage } from './told.ts';

// People with `billing` see amounts of money, and the people who decide on an order see its price.

const commands = await loadCommands();
const amount = /(?:[€£$]|\b(?:EUR|USD|GBP|RUB))\s?\d|\d\s?(?:€|EUR|USD|GBP|RUB)\b/;

function policyWithout(...out: readonly Capability[]) {
  const usual = usualPolicy(opsGroup);
  const grants = usual.grants.map((grant) => ({ ...grant, can: grant.can.filter((one) => !out.includes(one)) }));
  return policySchema.parse({ ...usual, grants });
}

test('in a channel where nobody has billing or spend, nothing that the bot says has an amount of money', async () => {
  const bot = await openWatch(Object.fromEntries(alertRules.map(({ name }) => [name, {}])), {
    policy: policyWithout('billing', 'spend'),
    config: { requestsPerMinute: 100_000 },
  });
  bot.sim.balance({ balance: 3.5, unpaid: [12.5] });
  await bot.sweep();
  // A query whose answer names prices is private in every channel.
  const isPrice = (command: (typeof commands)[number]) => command.kind === 'query' && command.visibility === 'money';
  const lines = commands
    .filter((command) => !isPrice(command) && command.path !== 'freeze')
    .map(({ examples: [line] }) => line);
  expect(lines.length).toBeGreaterThan(60);
  for (const line of lines) {
    await bot.say('operator', line);
    for (const { id } of (await openOperations(bot.store)).filter(({ state }) => state === 'waiting'))
      for (const [user, vote] of [
        ['operator', 'confirm'],
        ['lead', 'approve'],
      ] as const)
        await bot.click(user, { label: '', intent: { do: 'vote', operation: id, vote } });
  }
  await bot.later(day);
  await bot.later(day);
  for (const line of ['audit', 'requests', 'alerts list', 'jobs', 'list', 'balance', 'invoices'])
    await bot.say('operator', line);
  const said = [
    ...bot.transcript().split('\n'),
    ...(await homeOf(bot, 'operator')).split('\n'),
    ...(await bot.store.audit.list({ limit: 5_000 })).map((row) => JSON.stringify(row)),
  ];
  expect(said.join('\n')).toMatch(/Balance covers|The balance/);
  expect(said.filter((line) => /\[done in/.test(line)).length).toBeGreaterThan(20);
  expect(said.filter((line) => amount.test(line))).toEqual([]);
});

test('a card shows the price to the people who decide, and never the balance', async () => {
  const bot = await openWatch({}, { policy: policyWithout('billing') });
  const wish = 'create name=web-4 template="Debian 13" location=de';
  await bot.say('operator', `${wish} plan="Cloud NVMe 2"`);
  expect(bot.transcript()).toContain('paid from the balance: € 5.50 for 1 month');
  bot.sim.balance({ balance: 2.75, unpaid: [] });
  expect(await answerTo(bot, 'operator', `${wish} plan="Cloud NVMe 4"`)).toContain('the balance does not cover it');
  expect(bot.transcript()).not.toMatch(/84\.20|2\.75|78\.70/);
});

test('the form of create shows the price so far to everybody who may order, and the balance to people with billing', async () => {
  const notes = async (out: readonly Capability[]) => {
    const bot = await openWatch({}, { policy: policyWithout(...out) });
    const form = await bot.open('operator', { line: 'create' });
    return (await nextPage(bot, 'operator', form, { hardware: 'plan', plan: 'Cloud NVMe 1' })).notes
      .map(plain)
      .join('\n');
  };
  expect(await notes([])).toMatch(/price € 3\.50 a month · balance € 84\.20 now, € 80\.70 after/);
  const without = await notes(['billing']);
  expect(without).toContain('price € 3.50 a month');
  expect(without).not.toMatch(/· balance|84\.20|80\.70/i);
});
