import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { hour, minute } from '../../../src/core/text/words.ts';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { newestRow } from '../time/hours.ts';
import { confirm, idOf, submitAndSettle } from '../told.ts';

// The hour of a request, in its form and in the typed line.

const policy = policySchema.parse({
  ...usualPolicy(opsGroup),
  windows: { maintenance: 'sun 02:00-05:00 Africa/Abidjan' },
});
test('the form has the hour and the windows, an empty hour means now, and a past one is refused under its field', async () => {
  const bot = await startTestBot({ policy });
  const form = await bot.open('operator', { line: 'restart web-1' });
  expect(form).toMatchObject({
    fields: expect.arrayContaining([
      expect.objectContaining({ name: '@at', label: 'When', widget: 'moment', optional: true }),
      expect.objectContaining({ name: '@window', label: 'Maintenance window', optional: false }),
    ]),
  });
  const servers = ['web-1'];
  const past = await bot.submit('operator', form, { servers, '@at': new Date(bot.now() - hour).toISOString() });
  expect(past).toMatchObject({ errors: { '@at': expect.stringMatching(/^\w{3} \w{3} \d+, \d\d:\d\d is past/) } });
  const far = await bot.submit('operator', form, {
    servers,
    '@at': new Date(bot.now() + 100 * 24 * hour).toISOString(),
  });
  expect(far).toMatchObject({ errors: { '@at': expect.stringContaining('at most 90 days are possible') } });
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
  const at = Math.ceil((bot.now() + 2 * hour) / minute) * minute;
  await submitAndSettle(bot, 'operator', form, { servers, '@at': new Date(at).toISOString(), '@window': '' });
  expect(await newestRow(bot)).toMatchObject({
    startsAt: at,
    begins: { kind: 'at', words: new Date(at).toISOString() },
  });
  const later = await bot.open('operator', { line: 'restart db-1 window=maintenance' });
  expect(JSON.stringify(later)).toContain('"initial":"maintenance"');
  await submitAndSettle(bot, 'operator', later, { servers: ['db-1'], '@at': '', '@window': 'maintenance' });
  expect((await newestRow(bot)).begins).toMatchObject({ kind: 'window', window: { name: 'maintenance' } });
  const now = await bot.open('operator', { line: 'restart web-2 in 2h' });
  await submitAndSettle(bot, 'operator', now, { servers: ['web-2'], '@at': '', '@window': '' });
  expect(await newestRow(bot)).toMatchObject({ startsAt: null, begins: { kind: 'now' } });
});

test('without the time zone in Slack, an hour is refused and an instant is taken', async () => {
  const bot = await startTestBot({ replicas: 1 });
  bot.zoneless.add(idOf('operator'));
  await bot.say('operator', 'restart web-1 at="tomorrow 22:00"');
  await bot.until(() => bot.story().includes('Slack did not say your time zone: write the hour like '), 'the refusal');
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
  await confirm(bot, 'operator', `restart web-1 at=${new Date(bot.now() + hour).toISOString().slice(0, 16)}Z`);
  expect(await newestRow(bot)).toMatchObject({ state: 'scheduled', channel: ops });
});
