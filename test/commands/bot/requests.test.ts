import { expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { hour } from '../../../src/core/text/words.ts';
import { approveWithinMs } from '../../../src/engine/context/time-limits.ts';
import { decide } from '../../engine/asked.ts';
import { passWithTurn } from '../../engine/pass-with-turn.ts';
import { answerTo, confirm, pressAndSettle, requested, sayAndSettle, setChannel } from '../../engine/told.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { readerOf } from '../../support/bot/policy.ts';
import { startTestBot, test } from '../../support/bot/test-bot.ts';

// `/host requests` says how long requests for approval wait in the channel, and how many of them nobody answered.

const minute = 60_000;
const day = 24 * 60 * minute;

test('the list says the median time to a decision, and how many requests expired without a vote', async ({ bot }) => {
  expect(await answerTo(bot, 'operator', 'requests')).not.toContain('Approvals of the last 30 days');
  for (const [line, waitMs] of Object.entries({ 'hard-reset web-1': 4 * minute, 'hard-reset web-2': 8 * minute })) {
    await sayAndSettle(bot, 'operator', line);
    await passWithTurn(bot, waitMs);
    await pressAndSettle(bot, 'lead', 'Approve');
  }
  await sayAndSettle(bot, 'operator', 'hard-reset db-1');
  await bot.pass(approveWithinMs + minute);
  await bot.until(async () => (await bot.store.operations.list({ limit: 1 }))[0]?.state === 'expired', 'the end');
  await bot.settle();
  const said = /Approvals of the last 30 days: 2 decided, the median after 6 min( \d+ s)?; 1 expired without a vote\./;
  for (const line of ['requests', 'requests waiting', 'requests ended'])
    expect(await answerTo(bot, 'operator', line)).toMatch(said);
  for (const line of ['requests mine', 'requests by=@operator'])
    expect(await answerTo(bot, 'operator', line)).not.toContain('Approvals of');
  bot.skip(31 * day);
  expect(await answerTo(bot, 'operator', 'requests')).not.toContain('Approvals of');
});

test('the figures count only the requests that their reader may see', async () => {
  const bot = await startTestBot({ policy: readerOf('order:web-2') });
  for (const line of ['hard-reset web-1', 'hard-reset web-2']) {
    await decide(bot, line, 'lead', 'Approve');
  }
  expect(await answerTo(bot, 'lead', 'requests')).toContain('Approvals of the last 30 days: 2 decided');
  expect(await answerTo(bot, 'reader', 'requests')).toContain('Approvals of the last 30 days: 1 decided');
  expect(await bot.store.responseTimes.listIn(ops)).toHaveLength(2);
});

test('the list of jobs shows those of other channels only when the person may read them', async () => {
  const bot = await requested('restart web-1', { provider: { jobMs: 60_000 } });
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('accepted by the provider'));
  const elsewhere = 'C0CLIENT';
  setChannel(bot, { name: 'client' }, elsewhere);
  const narrow = policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'], on: ['tag:nothing'] }] });
  await bot.savePolicy(elsewhere, narrow);
  await bot.say('reader', 'jobs', { place: { channel: elsewhere, kind: 'channel' } });
  expect(bot.transcript(elsewhere)).toContain('Nothing is running.');
  await bot.say('reader', 'jobs');
  expect(bot.transcript()).toContain('Restart web-1 │ ⏳ running');
  bot.sim.advance(60_000);
  await bot.settle();
  expect(await answerTo(bot, 'reader', 'jobs')).toContain('Nothing is running.');
});

test('a freeze says which scheduled requests will not run, and the list by hour says why', async ({ bot }) => {
  await confirm(bot, 'lead', 'restart web-1 in=30m');
  await confirm(bot, 'lead', 'restart db-1 in=5h');
  await confirm(bot, 'lead', 'restart mail-1 in=40m if-frozen=wait');
  expect(await answerTo(bot, 'operator', 'freeze here "release" for=2h')).toMatch(
    /\n1 scheduled request will not run: Restart web-1 [^,]*\.\n/,
  );
  const list = await answerTo(bot, 'lead', 'scheduled');
  expect(list).toMatch(/Restart web-1.* · will not run: frozen until \S+ \S+ UTC: release · scheduled/);
  expect(list.match(/will not run/g)).toHaveLength(1);
});

test('a pin says which scheduled requests will not run, and the list by hour says why', async ({ bot }) => {
  await confirm(bot, 'lead', 'restart web-1 in=30m');
  await confirm(bot, 'lead', 'restart web-1 every="mon 04:00" until="in 30 days"');
  expect(await answerTo(bot, 'operator', 'pin web-1 customer data')).toMatch(
    /\n1 scheduled request will not run: Restart web-1 [^,]*\.\n/,
  );
  const list = await answerTo(bot, 'lead', 'scheduled');
  expect(list.match(/will not run: pinned: customer data/g)).toHaveLength(1);
});

test('the requests about a server are offered the new hour, which the button moves one to', async ({ bot }) => {
  await confirm(bot, 'operator', 'restart web-1 in 2h');
  await confirm(bot, 'operator', 'restart web-2 in 3h');
  const before = (await bot.store.operations.list({ limit: 9 })).find(({ args }) =>
    JSON.stringify(args).includes('34-12345'),
  );
  await sayAndSettle(bot, 'operator', 'scheduled restart web-1 by 1h');
  expect(bot.story()).not.toMatch(/\(only @operator\) .*web-2/);
  const label = /\[(Move to [^\]]+)\]/.exec(bot.story())?.[1] ?? '';
  await pressAndSettle(bot, 'operator', label);
  const after = await bot.store.operations.find(before?.id ?? '');
  expect((after?.startsAt ?? 0) - (before?.startsAt ?? 0)).toBe(hour);
  expect(await answerTo(bot, 'operator', 'scheduled Web-2 this sunday')).toMatch(/Restart web-2/);
  expect(await answerTo(bot, 'operator', 'scheduled db-1')).toContain('Nothing scheduled is about “db-1”.');
});
