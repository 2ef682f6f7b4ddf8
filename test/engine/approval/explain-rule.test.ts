import { expect, it } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { pressAndSettle, requested, sayAndSettle, setChannel, told } from '../told.ts';

const asked = () => requested('hard-reset web-1');

async function why(bot: TestBot, who: string): Promise<string> {
  const before = bot.posted.length;
  await bot.press(who, 'Why this rule?');
  await bot.until(() => bot.posted.slice(before).some(({ onlyFor }) => onlyFor === people[who]), 'the answer');
  return told(bot, who).replace(/expires .*/g, '');
}

it('a card that needs an approval says which rule asks for it, of whom, and who can change it, to people who may read there', async () => {
  const bot = await asked();
  expect(await why(bot, 'operator')).toMatchInlineSnapshot(`
    "Dangerous: one approval from @ops or an admin
    Request: Hard reset web-1
    Affects: web-1
    Risk: /host hard-reset is dangerous.
    Rule: #ops has its own rule for what is dangerous.
    Asked by: @operator (granted to @ops: read, billing, operate, dns, organize, destroy, secrets, spend on everything).
    Decided by: @ops or an admin.
    Can be changed by: An admin, with /host access: @admin.
    · Open the request in #ops
    [Who may do what]"
  `);
  expect(await why(bot, 'lead')).toContain('Asked by: @operator (granted to @ops: read, ');
  expect(await why(bot, 'guest')).toBe('You may not see this request.\n[Show the request]');
  await bot.click('lead', { label: 'Why this rule?', intent: { do: 'why', operation: 'unknown' } });
  await bot.until(() => told(bot, 'lead').includes('This request is no longer available.'), 'the answer');
});

it('the answer names the reason of a raised risk, and says that the channel has its own rule', async () => {
  const rules = { dangerous: { approve: 2, by: [`user:${people.lead}`] } };
  const bot = await startTestBot({ policy: policySchema.parse({ ...usualPolicy(opsGroup), solo: true, rules }) });
  await sayAndSettle(bot, 'operator', 'restart tag:web db-1 cache-1');
  const answer = await why(bot, 'operator');
  expect(answer).toContain('Dangerous: 2 approvals from @lead or an admin');
  expect(answer).toContain('Risk: /host restart is disruptive. Here it is dangerous: It changes 5 servers at once.');
  expect(answer).toContain('Rule: #ops has its own rule for what is dangerous.');
  expect(answer).toContain(
    'Decided by: @lead or an admin. The person who asked may approve, too: this channel is set to solo.',
  );
});

it('a request that opens rights elsewhere is explained by the channel whose grant would reach more', async () => {
  const to = [`user:${people.operator}`];
  const bot = await startTestBot({
    policy: policySchema.parse({ grants: [{ to, can: ['read', 'organize'] }], rules: { routine: 'none' } }),
  });
  setChannel(bot, { name: 'dev' }, 'C0DEV');
  const elsewhere = policySchema.parse({ grants: [{ to, can: ['read', 'destroy'], on: ['tag:scratch'] }] });
  await bot.savePolicy('C0DEV', elsewhere);
  await sayAndSettle(bot, 'operator', 'tag add db-1 scratch');
  const answer = await why(bot, 'operator');
  expect(answer).toContain('Risk: /host tag is routine. Here it is dangerous: This changes who may do what: ');
  expect(answer).toContain('Rule: An admin decides, since a grant of #dev would reach more.');
  expect(answer).toContain('Decided by: @admin.');
});

it('on a card that has ended the answer says so, and the rights that changed since are mentioned', async () => {
  const bot = await asked();
  const { button } = bot.findButton('Why this rule?');
  await pressAndSettle(bot, 'operator', 'Withdraw');
  await bot.savePolicy(ops, { ...usualPolicy(opsGroup), reads: 'public' }, 1);
  const before = bot.posted.length;
  await bot.click('operator', button);
  await bot.until(() => bot.posted.length > before, 'the answer');
  expect(told(bot, 'operator')).toContain('Hard reset web-1 (it no longer waits)');
  expect(told(bot, 'operator')).toContain('The rights here changed since');
});
