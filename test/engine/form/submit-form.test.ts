import { expect } from 'vitest';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, test } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';

// Slack cuts what is pasted beyond the limit of a field, and says nothing: what is missing would be removed from the domain.
test('a pasted text that fills its field is refused as cut off, and one character less is read', async ({ bot }) => {
  const zone = (length: number) => {
    const line = 'www 300 A 192.0.2.10\n; ';
    return line + 'x'.repeat(length - line.length);
  };
  const form = await bot.open('operator', { line: 'dns apply' });
  const sent = (text: string) => bot.submit('operator', form, { domain: ['example.com'], zone: text, keep: 'yes' });
  const full = 'It fills the field, which holds 3,000 characters, so its end may be cut off. Give it as a file.';
  expect(await sent(zone(3_000))).toEqual({ kind: 'errors', errors: { zone: full } });
  // Slack may count an astral character as one or as two.
  expect(await sent(`${zone(2_998)}😀`)).toEqual({ kind: 'errors', errors: { zone: full } });
  expect(await sent(`${zone(2_999)}😀`)).toEqual({ kind: 'errors', errors: { zone: full } });
  expect(bot.posted.filter(({ key }) => key.startsWith('card:'))).toEqual([]);
  expect(await sent(zone(2_999))).toEqual({ kind: 'accepted' });
});

test('an error in a field is shown at the field, and as a message when the form is closed', async ({ bot }) => {
  const reinstall = await bot.open('operator', { line: 'reinstall web-1' });
  expect(await bot.submit('operator', reinstall, { server: ['web-1'], template: ['4711'] })).toEqual({
    kind: 'errors',
    errors: { template: expect.stringContaining('4711') },
    withoutForm: {
      place: { channel: ops, kind: 'channel' },
      view: expect.objectContaining({ summary: expect.stringContaining('4711') }),
    },
  });
});

const minute = 60_000;

test.each(engines)('on %s, a form that is sent twice makes one request, and tells nobody to wait', async (engine) => {
  const policy = usualPolicy(opsGroup);
  const bot = await startTestBot({
    engine,
    policy: { ...policy, rules: { ...policy.rules, disruptive: 'none' } },
    provider: { jobMs: minute },
  });
  const form = await bot.open('operator', { line: 'restart' });
  const press = () => bot.submit('operator', form, { servers: 'web-1' });
  expect(await Promise.all([press(), press()])).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
  await bot.until(() => bot.writes().length > 0, 'the restart');
  bot.sim.advance(minute);
  await bot.settle();
  const another = await bot.open('operator', { line: 'restart' });
  // One of the two reads until the other is under way.
  bot.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 1_000, times: 1 });
  const both = [1, 2].map(() => bot.submit('operator', another, { servers: 'web-1' }));
  expect(await Promise.all(both)).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
  expect(await bot.store.locks.list()).toHaveLength(1);
  bot.sim.advance(minute);
  await bot.settle();
  expect(bot.writes()).toHaveLength(2);
  expect(bot.posted.filter(({ onlyFor }) => onlyFor !== undefined)).toEqual([]);
  expect(bot.log.filter((line) => line.startsWith('error'))).toEqual([]);
});
