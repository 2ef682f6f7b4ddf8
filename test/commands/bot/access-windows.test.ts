import { expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { cardOf, confirm, policyOf, pressAndSettle, sayAndSettle, told } from '../../engine/told.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, test } from '../../support/bot/test-bot.ts';

// The maintenance windows of a channel, and the rules that require one.

const lead = [`user:${people.lead}`];

/** The channel has a window, which this rule may require. */
function policyWith(rule?: object) {
  const usual = usualPolicy(opsGroup);
  return policySchema.parse({
    ...usual,
    windows: { maintenance: 'sun 02:00-05:00 Africa/Abidjan' },
    rules: { ...usual.rules, ...(rule && { disruptive: { by: lead, ...rule } }) },
  });
}

test('a rule is set with a maintenance window and a grace, and one that the policy does not name is refused', async () => {
  const bot = await startTestBot({ policy: policyWith() });
  const set = async (rule: string) => {
    await sayAndSettle(bot, 'admin', `access rule dangerous ${rule} by=@${people.lead}`);
  };
  await set('approve 1 window=nightly');
  expect(bot.story()).toContain(
    'The policy of this channel names no maintenance window nightly. It names maintenance.',
  );
  await set('none window=maintenance');
  expect(bot.story()).toContain('The rule none has no maintenance window and no grace.');
  await set('approve 1 window=maintenance grace=30m');
  await pressAndSettle(bot, 'admin', 'Confirm');
  await set('approve 1 typed');
  await pressAndSettle(bot, 'admin', 'Confirm');
  await bot.say('admin', 'access');
  expect(bot.story()).toContain('with the name typed, only in maintenance, at most 30 min late');
  expect(bot.story()).toContain('maintenance window maintenance: ');
});

test('an admin adds a maintenance window, changes it and removes it, and each is in the audit', async ({ bot }) => {
  const windows = async () => (await policyOf(bot))?.windows;
  const set = (line: string) => confirm(bot, 'admin', `access rule ${line}`);
  await set('hours maintenance sun 02:00-05:00 Europe/Berlin');
  expect(await windows()).toEqual({ maintenance: 'sun 02:00-05:00 Europe/Berlin' });
  expect(cardOf(bot)).toContain('Maintenance window “maintenance”: none → sun 02:00-05:00 Europe/Berlin');
  await set('hours nightly: daily 22:00-04:00 UTC');
  await set('hours maintenance "sat 1am-4am America/New_York"');
  const saved = await windows();
  expect(saved).toEqual({ nightly: 'daily 22:00-04:00 UTC', maintenance: 'sat 01:00-04:00 America/New_York' });
  await set(`disruptive approve 1 window=maintenance by=@${people.lead}`);
  await sayAndSettle(bot, 'operator', 'restart web-1');
  expect(cardOf(bot)).toContain('Restart web-1 in “maintenance”, ');
  await set('hours nightly none');
  expect(Object.keys((await windows()) ?? {})).toEqual(['maintenance']);
  const entries = await bot.store.audit.list({ kind: 'policy', limit: 9 });
  expect(entries.filter(({ data }) => JSON.stringify(data).includes('"windows"'))).toHaveLength(5);
});

test('hours that cannot be read, an invalid name and a maintenance window that a rule requires are refused', async () => {
  const bot = await startTestBot({ policy: policyWith({ approve: 1, window: 'maintenance' }) });
  const refused = async (line: string) => {
    const before = bot.posted.length;
    await bot.say('admin', `access rule ${line}`);
    await bot.until(() => bot.posted.length > before, 'the refusal');
    return told(bot);
  };
  expect(await refused('hours nightly sun 02:00-05:00')).toContain(
    'Write it like sun 02:00-05:00 UTC, sun 02:00-05:00 Europe/Berlin or daily 22:00-04:00 UTC.',
  );
  expect(await refused('hours nightly whenever')).toContain('whenever does not say days, two hours and a time zone.');
  expect(await refused('hours nightly')).toContain('The hours of the maintenance window “nightly” are missing.');
  expect(await refused('hours n_1 sun 02:00-05:00 UTC')).toContain('n_1 cannot name a maintenance window.');
  expect(await refused('hours nightly none')).toContain('names no maintenance window nightly. It names maintenance.');
  expect(await refused('hours nightly sun 02:00-05:00 UTC by=@ops')).toContain('A maintenance window has no by.');
  const required = await refused('hours maintenance none');
  expect(required).toContain('The maintenance window “maintenance” stays: the rule for disruptive requires it.');
  expect(required).toContain('Set the rule for disruptive with window=none first.');
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
  await sayAndSettle(bot, 'operator', 'access rule hours nightly sun 02:00-05:00 UTC');
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
});

test('the form of a rule names a maintenance window, and refuses unreadable hours at their field', async ({ bot }) => {
  await bot.say('admin', 'access');
  const form = await bot.open('admin', { button: 'Hours…' });
  expect(JSON.stringify(form)).toContain('"initial":"hours"');
  const wrong = await bot.submit('admin', form, { risk: 'hours', rule: 'maintenance sun 02:00-05:00' });
  const rule = expect.stringContaining('does not say its time zone');
  expect(wrong).toMatchObject({ kind: 'errors', errors: { rule } });
  await bot.submit('admin', form, { risk: 'hours', rule: 'maintenance sun 02:00-05:00 Europe/Berlin' });
  await pressAndSettle(bot, 'admin', 'Confirm');
  expect((await policyOf(bot))?.windows).toEqual({ maintenance: 'sun 02:00-05:00 Europe/Berlin' });
});

test('the button that sets a maintenance window names a window, not a rule', async ({ bot }) => {
  await sayAndSettle(bot, 'admin', 'access rule hours maintenance sun 02:00-05:00 UTC');
  expect(cardOf(bot)).toContain('[Set maintenance window]');
});
