import { expect } from 'vitest';
import { idOf, answerTo as saidBy, sayAndSettle } from '../engine/told.ts';
import { granting } from '../support/bot/policy.ts';
import { startTestBot, test } from '../support/bot/test-bot.ts';

const ofServer = 'name, tag, project, plan or state of a server';
const ofOrder = 'name, address, tag, type, project, plan or status of an order';
const ofAddress = 'server, address, location or reverse DNS name';
const ofDomain = 'name, tag or address of a domain';
const ofRecord = 'host, type, value or id of a record';
const ofSchedule = 'name of a server, order, domain, project or action';
const ofAudit = 'name of a server, order, domain or project';

test('a read with a word that names nothing says so, with the nearest name and the whole list', async ({ bot }) => {
  for (const [line, word, kinds, end] of [
    ['list germany', 'germany', ofServer, 'See /host list.\n[All servers]'],
    ['list all projects', 'projects', ofServer, 'See /host list.\n[Project list] [All servers]'],
    ['list showing', 'showing', ofServer, 'Did you mean staging?\n[staging] [All servers]'],
    ['list please show me the web servers', 'show', ofServer, 'See /host list.\n[All servers]'],
    ['list foo bar', 'foo', ofServer, 'See /host list.\n[All servers]'],
    ['list web-1 tag foo', 'tag:foo', ofServer, 'See /host list.\n[All servers]'],
    ['list "a(b*"', 'a(b*', ofServer, 'See /host list.\n[All servers]'],
    ['list wbe-1 on', 'wbe-1', ofServer, 'Did you mean web-1?\n[web-1] [All servers]'],
    ['orders foo', 'foo', ofOrder, 'See /host orders.\n[All orders]'],
    ['orders tag=foo expiring 7d', 'tag:foo', ofOrder, 'See /host orders.\n[All orders]'],
    ['orders type:foo', 'type:foo', ofOrder, 'See /host orders.\n[All orders]'],
    ['orders status:active status:foo', 'status:foo', ofOrder, 'See /host orders.\n[All orders]'],
    ['orders "constructor:x"', 'constructor:x', ofOrder, 'See /host orders.\n[All orders]'],
    ['orders expiring 14d wbe-1', 'wbe-1', ofOrder, 'Did you mean web-1?\n[web-1] [All orders]'],
    ['ip list foo', 'foo', ofAddress, 'See /host ip list.\n[All addresses]'],
    ['ip list mali-1', 'mali-1', ofAddress, 'Did you mean mail-1?\n[mail-1] [All addresses]'],
    ['dns domains foo', 'foo', ofDomain, 'See /host dns domains.\n[All domains]'],
    ['dns domains tag:foo', 'tag:foo', ofDomain, 'See /host dns domains.\n[All domains]'],
    ['dns domains 192.0.2.99', '192.0.2.99', ofDomain, 'See /host dns domains.\n[All domains]'],
    ['dns domains exampel.com', 'exampel.com', ofDomain, 'Did you mean example.com?\n[example.com] [All domains]'],
    ['dns list example.com foo', 'foo', ofRecord, 'See /host dns list example.com.\n[All records]'],
    ['dns list example.com wwww', 'wwww', ofRecord, 'Did you mean www?\n[www] [All records]'],
    ['scheduled foo', 'foo', ofSchedule, 'See /host scheduled.\n[All that is scheduled]'],
    ['scheduled restart wbe-1', 'wbe-1', ofSchedule, 'Did you mean web-1?\n[web-1] [All that is scheduled]'],
    ['audit foo', 'foo', ofAudit, 'See /host audit.\n[All entries]'],
    ['audit exampel.com 7d', 'exampel.com', ofAudit, 'Did you mean example.com?\n[example.com] [All entries]'],
  ] as const)
    expect(await saidBy(bot, 'operator', line), line).toBe(`${word} is no ${kinds} here. ${end}`);
  for (const line of ['requests waiting by foo', 'requests by @foo', 'audit by foo'])
    expect(await saidBy(bot, 'operator', line), line).toContain('No person is called foo.');
  for (const [line, offer] of Object.entries({ 'list wbe-1 on': 'web-1', 'dns list example.com wwww A': 'www' })) {
    await sayAndSettle(bot, 'operator', line);
    const before = bot.posted.length;
    await bot.press('operator', offer);
    expect(bot.posted.length, line).toBeGreaterThan(before);
    expect(bot.story(), line).toMatch(offer === 'www' ? /www │ A 192/ : /web-1 │ 🟢 on/);
  }
});

test('a read with a word that names something without a match says that nothing fits', async ({ bot }) => {
  bot.sim.order({ order: '34-12360', status: 'canceled', name: 'gone-1' });
  for (const [line, words] of [
    ['list blocked', 'No server fits blocked.'],
    ['list tag:web off', 'No server fits tag:web off.'],
    ['list web-1 db-1', 'No server fits web-1 db-1.'],
    ['list gone-1', 'No server fits gone-1.'],
    ['list unknown please', 'No server fits unknown please.'],
    ['orders blocked', 'No order fits: status blocked.'],
    ['orders expiring 1d', 'No order fits: expiring within 1 day.'],
    ['orders web-1 tag=db', 'No order fits: tagged db, with "web-1".'],
    ['dns domains example.com tag:marketing', 'No domain fits.'],
    ['dns list example.com www type=MX', 'No record matches.'],
    ['dns list example.com srv', 'No record matches.'],
    ['scheduled web', 'Nothing is scheduled here'],
    ['scheduled cache-1 this sunday', 'Nothing is scheduled here'],
    ['scheduled restart example.com', 'Nothing is scheduled here'],
    ['audit web-3', 'No audit entries fit.'],
    ['audit www.example.com', 'No audit entries fit.'],
    ['requests waiting by @reader', 'There are no open requests here by @reader.'],
  ] as const)
    expect(await saidBy(bot, 'operator', line), line).toContain(words);
  expect(await saidBy(bot, 'operator', `list ${'canceled'.replace('l', 'll')}`)).toContain('gone-1 │');
  expect(await saidBy(bot, 'operator', 'list custom')).toContain('db-2 │');
});

test('a name that the person may not read is as unknown as any other word', async () => {
  const policy = granting({ [`user:${idOf('reader')}`]: 'read on tag:web, order:375-12, domain:example.net' }, {});
  const bot = await startTestBot({ policy });
  for (const [path, hidden, nearly] of [
    ['list', 'mail-1', 'mial-1'],
    ['list', 'tag:db', 'tag:bd'],
    ['orders', 'mail-1', 'mial-1'],
    ['ip list', 'mail-1', 'mial-1'],
    ['dns domains', 'example.org', 'exampel.org'],
    ['scheduled', 'mail-1', 'mial-1'],
    ['audit', 'mail-1', 'mial-1'],
  ] as const) {
    expect(await saidBy(bot, 'reader', `${path} ${hidden}`), path).toContain(`${hidden} is no `);
    const said = await saidBy(bot, 'reader', `${path} ${nearly}`);
    expect(said, path).toContain(`${nearly} is no `);
    expect(said, path).not.toContain(hidden);
  }
});

test('while a part of the account is unread, no word is called unknown', async ({ bot }) => {
  bot.sim.fault({ kind: 'answer', match: 'GET /dns/domain/', status: 500, body: {} });
  expect(await saidBy(bot, 'operator', 'dns domains foo')).toContain('Domains: unknown.');
  expect(await saidBy(bot, 'operator', 'scheduled foo')).toContain('Nothing is scheduled here');
  expect(await saidBy(bot, 'operator', 'audit foo')).toContain('No audit entries fit.');
});
