import { expect } from 'vitest';
import { minute } from '../../../src/core/text/words.ts';
import type { View } from '../../../src/core/view/view.ts';
import { subscribe } from '../../alerts/support.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { formOf, type TestBot, test } from '../../support/bot/test-bot.ts';
import { confirm, homeOf, requested, wordsOf } from '../told.ts';

/** The provider answers nothing from now on. */
const away = (bot: TestBot) =>
  bot.sim.fault({ kind: 'answer', status: 503, body: { detail: 'Maintenance until noon.' } });

const said = (bot: TestBot): View => bot.posted.at(-1)?.view ?? { summary: '', parts: [] };
const words = (bot: TestBot) => wordsOf(bot, said(bot));
async function answered(bot: TestBot, line: string, user = 'operator'): Promise<string> {
  await bot.say(user, line);
  return words(bot);
}

/** The time that the answer names, in ms since 1970. */
function knownAt({ summary }: View): number {
  for (const span of [summary].flat()) if (typeof span === 'object' && 'date' in span) return span.date;
  throw new Error('it names no time');
}

const openHome = (bot: TestBot, user: string) => bot.replicas[0]?.engine.home(people[user] ?? user);

test('while the provider is offline, a list comes from memory, with the power that Home read and the time of its oldest part', async ({
  bot,
}) => {
  const began = bot.now();
  await openHome(bot, 'operator');
  const read = bot.now();
  // The lists are read again, but not the power.
  bot.skip(5 * minute);
  await bot.say('operator', 'dns domains');
  bot.skip(2 * 60 * minute);
  away(bot);
  expect(await answered(bot, 'list wiki-1')).toMatch(
    /^! The provider is not answering \(503 Maintenance until noon\)\. This is what the bot knew at .*:\nName │/,
  );
  expect(words(bot)).toContain('\nwiki-1 │ 🔴 off │');
  // The buttons are the next page and Try again only, without Start, Share here and Refresh.
  expect(words(bot).match(/\[[^\]]+\]/g)).toEqual(['[Try again]']);
  expect(knownAt(said(bot))).toBeGreaterThanOrEqual(began);
  expect(knownAt(said(bot))).toBeLessThanOrEqual(read);
  bot.sim.clearFaults();
  await bot.press('operator', 'Try again');
  expect(words(bot)).not.toContain('not answering');
  expect(words(bot)).toContain('[Share here] [Refresh]');
});

test('while the provider is offline, status shows the power that a sweep read, and unknown after a change or a long time', async ({
  bot,
}) => {
  await subscribe(bot, { power: {} });
  // Each sweep reads some of the servers.
  for (let sweep = 0; sweep < 6; sweep += 1) {
    await bot.pass(minute);
    await bot.replicas[0]?.sweepAlerts();
  }
  const swept = bot.now();
  away(bot);
  expect(await answered(bot, 'status web-2')).toContain('## web-2  [🟢 on]');
  expect(words(bot)).not.toContain('since then');
  expect(knownAt(said(bot))).toBeLessThanOrEqual(swept);
  bot.sim.clearFaults();
  await confirm(bot, 'operator', 'stop web-2');
  away(bot);
  expect(await answered(bot, 'status web-2')).toContain('## web-2  [⚪ unknown]');
  expect(words(bot)).toContain('· Changes that were made through the bot since then are not in it.');
  expect(await answered(bot, 'status web-1')).toContain('## web-1  [🟢 on]');
  expect(words(bot)).not.toContain('since then');
  expect(await answered(bot, 'list')).toContain('· Changes that were made through the bot since then are not in it.');
  bot.sim.clearFaults();
  bot.skip(15 * minute);
  await bot.say('operator', 'list web-1');
  away(bot);
  bot.skip(minute);
  expect(await answered(bot, 'status web-1')).toContain('## web-1  [⚪ unknown]');
});

test('while the provider is offline, money is shown only to people who may see it now, and only when it was read before', async () => {
  const bot = await requested('list');
  away(bot);
  expect(await answered(bot, 'balance')).toBe(
    '✕ The provider is not answering (503 Maintenance until noon).\n[Try again]',
  );
  bot.sim.clearFaults();
  await openHome(bot, 'operator');
  away(bot);
  bot.skip(minute);
  expect(await answered(bot, 'balance')).toMatch(
    /This is what the bot knew at .*:\n€ 84\.20 · covers \d+ days .* · unpaid invoices unknown\n/,
  );
  expect(await answered(bot, 'balance', 'reader')).not.toContain('€');
  expect(words(bot)).toMatch(/^You may not use \/host balance here/);
  await bot.savePolicy(ops, { ...usualPolicy(opsGroup), grants: [] }, 1);
  for (const line of ['balance', 'list', 'status web-1']) {
    expect(await answered(bot, line)).toMatch(/^You may not use /);
  }
});

test('while the provider is offline, unread data is called that, and memory plans no request', async ({ bot }) => {
  const alone = '✕ The provider is not answering (503 Maintenance until noon).\n[Try again]';
  away(bot);
  expect(await answered(bot, 'list')).toBe(alone);
  bot.sim.clearFaults();
  await openHome(bot, 'operator');
  away(bot);
  bot.skip(minute);
  for (const line of ['stats web-1', 'dns zone example.com', 'status nowhere']) {
    expect(await answered(bot, line)).toBe(alone);
  }
  expect(await answered(bot, 'restart web-1')).toMatch(/^✕ \/host restart web-1: the provider answered 503/);
  expect(await bot.store.operations.list({ limit: 5 })).toEqual([]);
});

test('while the provider is offline, also without a status code, a mention is answered like Home', async ({ bot }) => {
  await openHome(bot, 'operator');
  bot.skip(minute);
  away(bot);
  const request = {
    id: 'open-1',
    actor: people.operator ?? '',
    place: { channel: '', kind: 'home' },
    at: bot.now(),
    ask: { kind: 'intent', intent: { do: 'open', line: 'status web-1' } },
  } as const;
  const [replica] = bot.replicas;
  if (replica === undefined) throw new Error('no replica');
  const answer = await formOf(replica.engine.accept(request, 'wanted'));
  expect(wordsOf(bot, 'view' in answer ? answer.view : undefined)).toMatch(
    /^! The provider is not answering .*\n## web-1 {2}\[🟢 on\]/,
  );
  await bot.mention('operator', 'dns list example.com');
  expect(bot.posted.at(-1)?.onlyFor).toBe(people.operator);
  expect(words(bot)).toMatch(/knew at .*:\n## example\.com\nHost │/);
  bot.sim.clearFaults();
  bot.sim.fault({ kind: 'drop' });
  bot.skip(minute);
  expect(await answered(bot, 'list wiki-1')).toMatch(
    /^! The provider is not answering \(.*\)\. This is what the bot knew/,
  );
  expect(words(bot)).toContain('\nwiki-1 │');
});

test('a list is answered from memory when only the power cannot be read; a single server without power is shown as unknown', async ({
  bot,
}) => {
  await openHome(bot, 'operator');
  away(bot);
  for (const line of ['list', 'status']) {
    expect(await answered(bot, line)).toMatch(/This is what the bot knew at /);
    expect(words(bot)).toContain('12 servers: 10 on, 2 off');
  }
  bot.sim.clearFaults();
  bot.sim.fault({ kind: 'answer', only: '34-12345', status: 503, body: { detail: 'away' } });
  expect(await answered(bot, 'list')).toContain('12 servers: 9 on, 2 off, 1 unknown');
});

test('balance shows what the provider answers when the invoices cannot be read', async ({ bot }) => {
  bot.sim.fault({ kind: 'answer', match: 'GET /account/invoices', status: 503, body: { detail: 'away' } });
  expect(await answered(bot, 'balance')).toMatch(/^€ 84\.20 · covers \d+ days .* · unpaid invoices unknown\n/);
});

test('while the provider is offline, Home says that it read no power, and from when the rest is', async ({ bot }) => {
  const footOf = (view: View | undefined) =>
    view?.parts.findLast((part) => part.kind === 'context' && JSON.stringify(part).includes('read '));
  const before = await openHome(bot, 'operator');
  const [read, text] = [bot.now(), wordsOf(bot, before)];
  expect(text).toContain('## Servers  [10 of 12 on]');
  bot.skip(10 * minute);
  away(bot);
  const view = await openHome(bot, 'operator');
  expect(wordsOf(bot, view)).toContain('## Servers  [power not read]');
  const foot = footOf(view);
  expect(knownAt({ summary: foot?.kind === 'context' ? foot.text : '', parts: [] })).toBeLessThanOrEqual(read);
  bot.sim.clearFaults();
  bot.sim.fault({ kind: 'answer', only: '34-12345', status: 503, body: { detail: 'away' } });
  bot.skip(minute);
  expect(await homeOf(bot, 'operator')).toContain('## Servers  [9 of 12 on, 1 not read]');
});
