import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { areas } from '../../src/core/policy/areas.ts';
import { ProviderError } from '../../src/core/view/errors.ts';
import type { Columns } from '../../src/core/view/view.ts';
import { effectOf } from '../../src/provider/endpoint.ts';
import { table } from '../../src/provider/table.ts';
import { oddTablesIn } from '../support/bot/raw-words.ts';
import { openDns } from './dns/open.ts';
import { twice } from './twice.ts';

// Each command against the simulated provider: people read the provider's words when it refuses, and nothing else is
// sent. Requested twice, done once: the second request has no effect, or is refused in a sentence that says why. A
// command that people may want again and again, or whose effect cannot be read, asks again first; the table says why.

const words = 'The account is under maintenance until noon.';
const commands = await loadCommands();
/** A plan writes what its lines write. */
const ofBot: readonly (string | undefined)[] = [areas.bot, areas.alerts, areas.plans, areas.machines];
const ofProvider = commands.filter(({ area }) => !ofBot.includes(area));
/** Reads a secret, and sends no write to the provider. */
const sendsNothing = ['s3 secret'];
/** Writes only where the zone has a past, which the tests of the history of zones give it. */
const needsPast = ['dns restore'];
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const routes = Object.values(table).flatMap((area) => Object.values(area));

async function open(more: { readonly jobMs?: number } = {}) {
  const dns = await openDns({
    ...more,
    commands,
    uploads: { 'project logo': 'F0LOGO' },
    file: async () => ({ name: 'logo.png', type: 'image/png', bytes: png }),
  });
  const refuse = (effect: 'read' | 'write') => {
    for (const row of routes)
      if (effectOf(row.route) === effect)
        dns.sim.fault({ kind: 'answer', match: row.route, status: 409, body: { detail: words } });
  };
  return { ...dns, refuse };
}

test('the table has every command that writes to the provider', () => {
  const writing = ofProvider.filter(
    ({ kind, path }) => kind === 'action' && ![...sendsNothing, ...needsPast].includes(path),
  );
  expect(Object.keys(twice).toSorted()).toEqual(writing.map(({ path }) => path).toSorted());
});

test.each(Object.entries(twice))(
  '%s quotes the provider when it refuses the write, and a second run does what the table says',
  async (path, { before, line, again }) => {
    const dns = await open();
    if (before !== undefined) await dns.done(before);
    const sent = dns.writes().length;
    dns.refuse('write');
    expect(await dns.done(line, 'b8g4d3')).toMatchObject({ end: 'failed', note: words });
    expect(dns.writes()).toHaveLength(sent + 1);
    dns.sim.clearFaults();
    const first = await dns.done(line, 'b8g4d3');
    // A command whose target cannot be read ends there.
    expect(first.end).toBe(['dns nameservers', 'reinstall'].includes(path) ? 'unverified' : 'done');
    const sentByFirst = dns.writes().length;
    const second = await dns.ask(line);
    if ('refused' in again) {
      expect(
        second.kind === 'refused' && [second.error.message, 'hint' in second.error && second.error.hint].join(' '),
      ).toContain(again.refused);
    } else {
      if (second.kind !== 'plan') throw new Error(`${line}: ${second.kind}`);
      if ('nothing' in again) expect(second.plan.nothingToDo).toContain(again.nothing);
      else expect(second.plan.nothingToDo).toBeUndefined();
    }
    expect(dns.writes()).toHaveLength(sentByFirst);
  },
);

// The end after a lost response, and what was read. Those of start and stop depend on their job: test/stories/endings.ts.
const lost = `
restart | unknown | web-1 is on now; whether it restarted cannot be read
hard-reset | unknown | web-1 is on now; whether it was reset cannot be read
rescue | unknown | web-1 is on now; whether it is in rescue mode cannot be read
net connect | unknown | the API does not show whether a server is connected; asking for the same again does no harm
net disconnect | unknown | the API does not show whether a server is connected; asking for the same again does no harm
password | unknown | whether the root password of web-1 was replaced cannot be read; if none was sent to you, asking again makes one that is known
reinstall | unknown | web-1 is unknown now; whether it was erased cannot be read from outside: check the server itself before you ask again
create | done | order 34-12500 is there, new and called web-4: it is pending
rename | done | its name is www
tag | done | the tags of web-1 are web, blue
move | done | it is in Internal
cancel | done | the cancellation is set
keep | done | no cancellation is set
dns add | done | the zone has it
dns set | done | the zone has it
dns edit | done | the zone has it
dns remove | done | the zone no longer has it
dns apply | done | the zone has it
dns replace | done | the zone has it; the zone has it; the zone has it
dns undo | done | the zone has it
dns domain-add | done | the domain is in the account, with 5 records
dns domain-remove | done | the domain is no longer in the account
dns nameservers | unknown | the API cannot be asked which name servers a domain has; a resolver can, once the registry has them
project create | done | in the list of projects as 3
project edit | done | its name is Website, and its comment is sells
project delete | done | there is no project Internal now
project add | done | the orders show it
project remove | done | the orders show it
project logo | done | its new logo is at
net create | done | the private network is in the list
ssh-key add | done | key 4 is in the account; linked to 12 of the 12 servers read
ssh-key remove | done | the key is no longer in the account
ssh-key link | done | CI deploy is linked to db-1
ssh-key unlink | done | CI deploy is not linked to web-1
s3 threshold | unknown | the threshold cannot be read; setting it again does no harm
ticket open | unknown | whether the ticket was opened cannot be read: check the customer area before you ask again
ticket webhook set | done | the provider has the address of this channel
ticket webhook off | done | no address is set
net delete | done | private network 1 is no longer in the list
`;
const lostRows = lost
  .trim()
  .split('\n')
  .map((row) => row.split(' | '));

test('the table of lost responses has every command that writes to the provider', () =>
  expect(['start', 'stop', ...lostRows.map(([path]) => path)].toSorted()).toEqual(Object.keys(twice).toSorted()));

test.each(lostRows)('after a lost response to %s the end is %s, nothing is resent', async (path, end, note = '') => {
  const { sim, planOf, run, done, writes } = await open({ jobMs: 3_600_000 });
  const { before, line = '' } = twice[path ?? ''] ?? {};
  if (before !== undefined) await done(before);
  const sent = writes().length;
  for (const row of routes) if (effectOf(row.route) === 'write') sim.fault({ kind: 'lose', match: row.route });
  const planned = await planOf(line);
  const ran = await run(planned);
  expect({ end: ran.end, note: ran.note }).toEqual({ end, note: expect.stringContaining(note) });
  expect(writes()).toHaveLength(sent + planned.plan.steps.length);
});

test('a request asks again when its target changes between the approval and the run, and sends nothing', async () => {
  const { sim, planOf, run, writes } = await open();
  const record = (host: string, value: string) => () =>
    sim.records({ domain: 'example.net', add: [{ host, type: 'A', value }] });
  const changes: readonly (readonly [line: string, change: () => unknown])[] = [
    ['restart web-1', () => sim.power({ order: '34-12345', state: 'off' })],
    ['cancel web-1', () => sim.renew({ order: '34-12345' })],
    ['rename web-1 web-9', () => sim.order({ order: '34-12345', name: 'web-7' })],
    ['move mail-1 Website', () => sim.order({ order: '34-12360', project: 2 })],
    ['tag add db-1 blue', () => sim.order({ order: '34-12346', tags: ['handmade'] })],
    ['project delete Internal', () => sim.order({ order: '34-12352', project: 2 })],
    ['dns domain-remove example.net', record('new', '192.0.2.1')],
    ['dns replace 192.0.2.10 192.0.2.77', record('late', '192.0.2.10')],
  ];
  for (const [line, change] of changes) {
    const planned = await planOf(line);
    change();
    expect((await run(planned)).end, line).toBe('changed');
  }
  expect(writes()).toEqual([]);
});

/** A new account has no jobs and no earlier zones. */
const empty = ['job', 'dns diff', 'dns history'];
const queries = ofProvider.filter(({ kind }) => kind === 'query');

// A phone shows three columns of a table. The engine's tests read the tables of the bot's own commands.
test('no query draws a table of more than three columns, and each quotes the provider when it refuses a read', async () => {
  const dns = await open();
  const kinds = new Map<string, string>();
  for (const { path, examples } of queries) kinds.set(path, (await dns.ask(examples[0])).kind);
  for (const { path } of queries) if (!empty.includes(path)) expect(kinds.get(path), path).toBe('view');
  dns.refuse('read');
  for (const { path, examples } of queries) {
    // The provider lists no tickets: `ticket list` reads the database of the bot.
    if (path === 'ticket list') continue;
    const asked = await dns.ask(examples[0]);
    expect(asked.kind === 'refused' && asked.error instanceof ProviderError && asked.error.words, path).toBe(words);
  }
});

test('the type of a table and the tests refuse a fourth column, and a cell without a column', () => {
  const three: Columns = [{ name: 'Name' }, { name: 'State' }, { name: 'Paid' }];
  // @ts-expect-error
  const four: Columns = [...three, { name: 'Tags' }];
  expect(oddTablesIn([{ kind: 'table', columns: three, rows: [['web-1', 'on', '19 days']] }])).toEqual([]);
  expect(oddTablesIn([{ kind: 'table', columns: four, rows: [] }])).toEqual([
    'a table of 4 columns: Name, State, Paid, Tags',
  ]);
  expect(oddTablesIn([{ kind: 'table', columns: three, rows: [['web-1']] }])).toHaveLength(1);
});
