import { expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { day } from '../../../src/core/text/words.ts';
import { decide } from '../../engine/asked.ts';
import {
  answerTo,
  clickAndSettle,
  pressAndSettle,
  requested,
  sayAndSettle,
  submitAndSettle,
} from '../../engine/told.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { readerOf, usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';

async function restarted(bot: TestBot, ...servers: string[]): Promise<void> {
  for (const server of servers) await decide(bot, `restart ${server}`);
}

test('the audit shows one row for each request, with buttons for the reads and for each entry', async ({ bot }) => {
  await restarted(bot, 'web-1');
  await bot.say('operator', 'list');
  const text = await answerTo(bot, 'operator', 'audit');
  expect(text.match(/Restart web-1/g)).toHaveLength(1);
  expect(text).toMatch(/@operator · @operator │ done · Restart web-1 · [a-z0-9]{10}/);
  expect(text).not.toContain('answered');
  expect(text).toContain('[Entry by entry] [As a file]');
  const all = await answerTo(bot, 'operator', 'audit --reads');
  expect(all).toContain('│ vote · confirmed: Restart web-1');
  expect(all).toContain('│ answered · list');
});

test('the audit is in the order of the times that it shows, also when an older request ended last', async ({ bot }) => {
  await sayAndSettle(bot, 'operator', 'hard-reset web-1');
  bot.skip(120_000);
  await restarted(bot, 'web-2');
  bot.skip(120_000);
  await pressAndSettle(bot, 'lead', 'Approve');
  const text = await answerTo(bot, 'operator', 'audit');
  const times = [...text.matchAll(/^(\S+ \S+ UTC|\S+) │ @/gm)].map(([, when]) => when ?? '');
  expect(times.length).toBeGreaterThanOrEqual(2);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(text.indexOf('Hard reset web-1')).toBeLessThan(text.indexOf('Restart web-2'));
});

test('a line that named nothing is in nobody else’s audit, and the chain keeps it', async ({ bot }) => {
  await bot.say('operator', 'restart web-77');
  await bot.say('reader', 'restart web-1');
  const own = await answerTo(bot, 'operator', 'audit');
  expect(own).toContain('restart web-77');
  // Everybody may read a refusal for missing rights.
  expect(own).toContain('You may not use /host restart');
  for (const line of ['audit', 'audit --reads']) {
    const others = await answerTo(bot, 'lead', line);
    expect(others).not.toContain('web-77');
    expect(others).toContain('You may not use /host restart');
    expect(others).not.toMatch(/`|hostler audit/);
  }
  const rows = await bot.store.audit.list({ channel: ops, limit: 50 });
  expect(rows.map(({ data }) => JSON.stringify(data)).filter((data) => data.includes('web-77'))).toHaveLength(1);
});

test('the audit names who approved and who declined a request, also with a filter on either', async ({ bot }) => {
  await decide(bot, 'hard-reset web-1', 'lead', 'Approve');
  await bot.say('operator', 'hard-reset web-2');
  const form = await bot.open('lead', { button: 'Decline…' });
  await submitAndSettle(bot, 'lead', form, { words: 'not now' });
  for (const line of ['audit', 'who approved web-1', 'audit @operator']) {
    const text = await answerTo(bot, 'operator', line);
    expect(text).toContain('When │ Who · decided by │ What happened');
    expect(text).toMatch(/@operator · @lead │ done · Hard reset web-1/i);
  }
  expect(await answerTo(bot, 'operator', 'who declined web-2')).toMatch(/@operator · @lead │ declined · /);
});

test('the audit of a host name has its requests and changes by hand, and none of other names', async ({ bot }) => {
  await bot.say('operator', 'dns list example.org');
  for (const line of ['dns add example.org blog2 A 192.0.2.10', 'dns add example.org other A 192.0.2.11']) {
    await decide(bot, line);
  }
  bot.sim.records({ domain: 'example.org', add: [{ host: 'blog2', type: 'A', value: '192.0.2.66' }] });
  bot.skip(60_000);
  await bot.say('operator', 'dns list example.org');
  for (const line of ['audit blog2.example.org', 'who changed blog2.example.org', 'history blog2.example.org.']) {
    const text = await answerTo(bot, 'operator', line);
    expect(text).toContain('Add A blog2');
    expect(text).toMatch(/│ by hand │ changed · \+ blog2 A 192\.0\.2\.66/);
    expect(text).not.toContain('other');
  }
  expect(await answerTo(bot, 'operator', 'audit example.org')).toMatch(/by hand[\s\S]*Add A other[\s\S]*Add A blog2/);
  expect(await answerTo(bot, 'operator', 'audit nothing.example.org')).toContain(
    'No request here is about nothing.example.org, but 2 about example.org.\n[Show them]',
  );
});

test('a broken glass, a call-off and a standing approval decide in words, in the audit, its file and a handover', async () => {
  const policy = policySchema.parse({ ...usualPolicy(opsGroup), breakGlass: [`user:${people.operator}`] });
  const bot = await startTestBot({ policy });
  const [why, found] = ['the database is down', 'the disk was full, logs rotate now'];
  await bot.say('operator', 'hard-reset web-1');
  await submitAndSettle(bot, 'operator', await bot.open('operator', { button: 'Break glass…' }), { reason: why });
  const open = '🔨 broke glass, not closed yet';
  expect(await answerTo(bot, 'operator', 'audit web-1')).toContain(`│ @operator · ${open} │ done · `);
  await submitAndSettle(bot, 'lead', await bot.open('lead', { button: 'Close break glass…' }), { reason: found });
  await decide(bot, 'restart web-2 in 2h');
  await pressAndSettle(bot, 'lead', 'Call off');
  await decide(bot, 'restart web-3 every="daily 03:00" until="in 10 days" runs=2');
  const [standing] = await bot.store.operations.list({ limit: 1 });
  bot.skip((standing?.startsAt ?? 0) - bot.now() + 50);
  await bot.store.presence.note();
  await bot.pass(0);
  await bot.until(async () => (await bot.store.operations.list({ limit: 9 })).length === 4, 'the run');
  await bot.settle();
  const words = {
    'Hard reset web-1': '🔨 broke glass, closed by @lead',
    'Restart web-2': '@operator, called off by @lead',
    'Restart web-3': 'standing approval of @operator',
  };
  const text = await answerTo(bot, 'operator', 'audit');
  const said = await answerTo(bot, 'operator', 'shift 2d ago');
  const before = bot.posted.length;
  await bot.say('operator', 'audit --csv');
  const [file] = bot.posted[before]?.view.files ?? [];
  const rows = new TextDecoder().decode(file?.bytes);
  for (const [title, how] of Object.entries(words)) {
    expect(text).toMatch(new RegExp(`│ @operator · ${how} │ \\S+ · ${title}`));
    expect(rows).toContain(`"${how.replaceAll('@', '')}"`);
    if (!how.includes('called')) expect(said).toContain(`@operator, ${how}`);
  }
});

test('the audit says who stopped a request', async () => {
  const bot = await requested('restart web-1', { config: { isPaused: true } });
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('Continue'), 'the hold');
  const [row] = await bot.store.operations.list({ limit: 1 });
  await clickAndSettle(bot, 'lead', { label: 'Stop', intent: { do: 'vote', operation: row?.id ?? '', vote: 'stop' } });
  expect(await answerTo(bot, 'operator', 'audit web-1')).toContain(
    '│ @operator · @operator, stopped by @lead │ not run',
  );
});

test('the audit can be filtered by server, domain, person and time', async ({ bot }) => {
  await restarted(bot, 'web-1', 'web-2');
  bot.skip(3 * day);
  await decide(bot, 'dns add example.com blog2 A 192.0.2.10');
  await sayAndSettle(bot, 'lead', 'restart web-3');
  const titles = async (line: string) => [
    ...new Set((await answerTo(bot, 'operator', line)).match(/Restart web-\d|Add A blog2/g)),
  ];
  expect(await titles('audit web-1')).toEqual(['Restart web-1']);
  expect(await titles('audit on=192.0.2.10')).toEqual(['Restart web-1']);
  expect(await titles('audit example.com')).toEqual(['Add A blog2']);
  expect(await titles('audit 1d')).toEqual(['Restart web-3', 'Add A blog2']);
  expect(await titles('audit @lead 7d')).toEqual(['Restart web-3']);
  expect(await titles('audit web-1 1d')).toEqual([]);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const found = await titles(`audit from=${dayOf(bot.now() - 4 * day)} to=${dayOf(bot.now() - 2 * day)}`);
  expect(found).toEqual(['Restart web-2', 'Restart web-1']);
  expect(await answerTo(bot, 'operator', 'audit from=2026-11-02 to=2026-11-01')).toContain('before the first');
});

test('a call of the provider that failed stands entry by entry, not in the list', async ({ bot }) => {
  bot.sim.fault({ kind: 'answer', match: 'GET /vps/{order_id}/stats/{field}/', status: 503, body: {} });
  await bot.say('operator', 'stats web-1');
  const list = await answerTo(bot, 'operator', 'audit');
  expect(list).toMatch(/│ failed · stats web-1\n/);
  expect(list).not.toContain('GET /');
  expect(await answerTo(bot, 'operator', 'audit --reads')).toContain('GET /vps/');
});

test('the audit as a file is sent only to the person who asked, and no text in it is a formula', async ({ bot }) => {
  await restarted(bot, 'web-1');
  await sayAndSettle(bot, 'operator', 'restart web-2 because =HYPERLINK("x")');
  await bot.press('operator', 'Withdraw');
  await bot.store.audit.append({ kind: 'answered', actor: people.operator, channel: ops, text: '=1+1' });
  const before = bot.posted.length;
  await bot.say('operator', 'audit 1d --csv');
  const [message] = bot.posted.slice(before);
  expect(message?.onlyFor).toBe(people.operator);
  const [file] = message?.view.files ?? [];
  const text = new TextDecoder().decode(file?.bytes);
  const rows = text.trimEnd().split('\r\n');
  expect(rows[0]).toBe('"number","when","kind","who","user id","channel","request","decided by","text"');
  const vote = /"vote","operator","U\w+","C\w+","[a-z0-9]{10}","operator","confirmed: Restart web-1"/;
  expect(rows.filter((row) => vote.test(row))).toHaveLength(1);
  expect(text).not.toMatch(/(^|,)"[=+@-]/m);
  expect(text).toContain(`"'=1+1"`);
});

test('a request is found by its id, and a person who may not read it does not find it', async () => {
  const bot = await startTestBot({ policy: readerOf('order:34-12318') });
  await restarted(bot, 'web-1');
  const [found] = await bot.store.operations.list({ limit: 1 });
  const text = await answerTo(bot, 'operator', `request ${found?.id}`);
  expect(text).toMatch(/## ✅ Restart web-1/);
  expect(text).toContain('│ vote · confirmed: Restart web-1');
  expect(text).toContain('[Open it]');
  expect(await answerTo(bot, 'reader', `request ${found?.id}`)).toContain('that you may see');
  expect(await answerTo(bot, 'operator', 'request zzzzzzzzzz')).toContain('There is no request zzzzzzzzzz here');
});
