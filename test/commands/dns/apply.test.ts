import { expect } from 'vitest';
import { zoneFile } from '../../support/bot/run-command.ts';
import { planText, viewText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { openDns, sayRefusal, test } from './open.ts';

const fenced = (text: string) => `\`\`\`\n${text}\n\`\`\``;

test('dns apply of the unchanged zone file has nothing to do', async ({ dns }) => {
  for (const domain of ['example.com', 'example.org', 'example.net']) {
    const text = await dns.reader.dns.zoneFile({ name: domain });
    const { plan } = await dns.planOf(`dns apply ${domain} ${fenced(text)}`);
    expect(plan.nothingToDo).toMatch(/^example\.\w+ is already as the text says: \d+ records\.$/);
  }
});

test('lines without a TTL in the provider’s own file have the default TTL, and change nothing', async ({ dns }) => {
  const zone = await dns.reader.dns.zoneFile({ name: 'example.com' });
  expect(zone).toContain('$TTL 21600');
  const entries = await dns.reader.dns.entries({ name: 'example.com' });
  expect(entries.some(({ ttl }) => ttl === null)).toBe(true);
  const bare = zone.replaceAll('\t3600\tIN\t', '\t\tIN\t');
  const { plan } = await dns.planOf(`dns apply example.com ${fenced(bare)}`);
  expect(plan.nothingToDo).toContain('is already as the text says');
});

test('dns apply makes one plan of the difference, in an order in which each step can be done', async ({ dns }) => {
  const line = `dns apply example.net ${fenced(`
$TTL 1h
@         A      203.0.113.50
wiki      300 A  203.0.113.51
wiki      300 A  203.0.113.52
files-1   CNAME  wiki
backup-1  A      192.0.2.200
staging   300 A  203.0.113.140
monitor   A      203.0.113.40
new       A      203.0.113.60   ; beside a SOA that is not ours to change
@         SOA    ns1.hosting.example. hostmaster.example.net. ( 1 2 3 4 5 )
`)}`;
  const planned = await dns.planOf(line);
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Change example.net: 2 records added, 3 changed, 1 removed
      example.net · 10 records · tags internal
      + wiki       A      203.0.113.52        ttl 300
      + new        A      203.0.113.60        ttl 3600
      − wiki       A      203.0.113.50        ttl 7200
      + wiki       A      203.0.113.51        ttl 300
      − files-1    A      198.51.100.200      ttl default
      + files-1    CNAME  wiki.example.net    ttl 3600
      − monitor    CNAME  status.example.com  ttl default
      + monitor    A      203.0.113.40        ttl 3600
      − backup-mx  A      203.0.113.25        ttl default
      Effect: 2 records added, 3 changed, 1 removed, one after another, stopping at the first that fails. The old answers stay cached up to 2 hours, or for the provider's default time.
      Servers: 203.0.113.50 is wiki-1, 198.51.100.200 is files-1, 203.0.113.40 is monitor-1 and 203.0.113.25 is mail-1
      Affected: 2 records point here: example.com MX and files-1.example.net CNAME.
      Note: Line 10: the SOA is the provider's own and is left as it is.
      Note: The text names no NS for the domain itself, so its 3 stay.
      raised to destructive: It removes records. It changes or removes 4 of the 10 records."
  `);
  const ran = await dns.done(`dns apply example.net ${fenced('x A 192.0.2.1')} --keep`, 'k9m2x4');
  expect(ran.end).toBe('done');
  expect(await dns.run(planned)).toMatchObject({ end: 'changed' });
  await dns.runCommand('dns remove example.net x A');
  expect(await dns.runCommand(line)).toMatchObject({
    end: 'done',
    ending: { text: 'example.net: 2 records added, 3 changed, 1 removed, read back', undo: 'dns undo a7f3c2' },
  });
  expect((await dns.records('example.net')).filter((line) => !line.startsWith('@'))).toEqual(
    expect.arrayContaining([
      'wiki A 203.0.113.51 300',
      'wiki A 203.0.113.52 300',
      'files-1 CNAME wiki.example.net 3600',
      'monitor A 203.0.113.40 3600',
    ]),
  );
});

test('dns apply --keep removes nothing', async ({ dns }) => {
  const { plan } = await dns.planOf('dns apply example.com "www 300 A 192.0.2.11" --keep');
  expect(plan.steps.map((step) => step.label)).toEqual(['± www A 192.0.2.11']);
  expect(plan.raised).toBeUndefined();
  expect(sayRefusal(await dns.refusalOf('dns apply example.com "mail CNAME shop" --keep'))).toContain(
    'A CNAME must be the only record of its name',
  );
});

test('dns apply --keep adds records beside those that the text does not name', async ({ dns }) => {
  const expected = await dns.records('example.com', '');
  for (const [text, added] of [
    ['@ 3600 TXT hello', '@ TXT hello 3600'],
    ['@ MX 30 mx3.example.net.', '@ MX 30 mx3.example.net 3600'],
    // The prio of another mail server.
    ['@ MX 10 mx4.example.net.', '@ MX 10 mx4.example.net 3600'],
    ['@ NS ns9.other.example.', '@ NS ns9.other.example 3600'],
    ['@ CAA 0 iodef mailto:a@example.com', '@ CAA 0 iodef "mailto:a@example.com" 3600'],
  ] as const) {
    expect(await dns.runCommand(`dns apply example.com ${fenced(text)} --keep`), text).toMatchObject({ end: 'done' });
    expected.push(added);
    expect((await dns.records('example.com', '')).sort(), text).toEqual(expected.sort());
  }
});

test('an approval of dns apply holds for the shown zone, with --keep also if others changed', async ({ dns }) => {
  const zone = await dns.reader.dns.zoneFile({ name: 'example.com' });
  const all = await dns.planOf(`dns apply example.com \`\`\`\n${zone}\nbeta A 192.0.2.9\n\`\`\``);
  const kept = await dns.planOf('dns apply example.com "gamma 300 A 192.0.2.11" --keep');
  dns.sim.records({ domain: 'example.com', set: [{ id: await dns.idOf('example.com', 'status', 'A'), ttl: 300 }] });
  expect(await dns.run(all)).toMatchObject({ end: 'changed' });
  expect(dns.writes()).toEqual([]);
  expect(await dns.run(kept)).toMatchObject({ end: 'done' });
});

test('removals, mail records and more than a third of the zone each raise the risk, with a reason', async ({ dns }) => {
  const text = await dns.reader.dns.zoneFile({ name: 'example.com' });
  const without = (pattern: RegExp) =>
    text
      .split('\n')
      .filter((line) => !pattern.test(line))
      .join('\n');
  const raised = async (zone: string) => (await dns.planOf(`dns apply example.com ${fenced(zone)}`)).plan.raised;
  expect(await raised(`${text}\nnew A 192.0.2.1`)).toBeUndefined();
  expect(await raised(without(/^status/))).toEqual({ risk: 'dangerous', why: 'It removes records.' });
  const seen = await raised(text.replace('\t10 mail', '\t5 mail'));
  expect(seen).toEqual({ risk: 'dangerous', why: 'It changes the mail servers (MX) of example.com itself.' });
  expect(await raised(without(/\tMX\t20/))).toEqual({
    risk: 'destructive',
    why: 'It removes records. It changes the mail servers (MX) of example.com itself.',
  });
  expect(await raised(text.replaceAll('192.0.2.1', '192.0.2.2').replaceAll('203.0.113', '203.0.114'))).toMatchObject({
    risk: 'dangerous',
    why: expect.stringContaining('It changes or removes 8 of the 18 records.'),
  });
});

test('dns apply reports what it cannot read by line, and sends nothing', async ({ dns }) => {
  for (const [zone, says] of [
    [fenced('www A 192.0.2.300\nx DNAME a.b.'), 'zone: 2 lines of the zone text do not fit:\nline 1: `192.0.2.300` is'],
    [fenced('; nothing but a comment'), 'zone: There is no record in the zone text.'],
    ['@ 300 A 192.0.2.1', 'zone: The lines of the zone text are joined into one. Put it into a code block,'],
  ] as const)
    expect(sayRefusal(await dns.refusalOf(`dns apply example.com ${zone}`))).toContain(says);
  expect(dns.writes()).toEqual([]);
});

test('dns apply of more than fifty changes has their sums on the card, and each change in a file', async ({ dns }) => {
  const text = Array.from({ length: 60 }, (_, index) => `h${index} A 192.0.2.1`).join('\n');
  const { plan } = await dns.planOf(`dns apply example.com ${fenced(text)}`);
  expect(plan.diff?.map(({ sign, text }) => `${sign} ${text}`)).toEqual([
    '+ 60 added: 60 A',
    expect.stringMatching(/^− \d+ removed: /),
    '  each of the 75 lines: a file in the thread',
  ]);
  expect(plan.file).toMatch(/^\+ h59 +A +192\.0\.2\.1 +ttl 3600$/m);
  expect(plan.raised?.risk).toBe('destructive');
  expect(plan.steps).toHaveLength(75);
});

test('dns apply stops at the first step that fails', async ({ dns }) => {
  dns.sim.fault(answer('PUT /dns/domain/{name}/entry_set/{id}/', 409, { detail: 'The zone is locked.' }));
  const ran = await dns.runCommand(`dns apply example.com ${fenced('new A 192.0.2.1\nwww A 192.0.2.11')} --keep`);
  expect(ran).toMatchObject({ end: 'failed', note: 'The zone is locked.' });
  expect(dns.writes().map(({ request }) => request.split(' ')[0])).toEqual(['POST', 'PUT']);
});

const withFile = (bytes: Uint8Array | string) => openDns(zoneFile(bytes, 'example.net.zone'));
const upload = 'dns apply example.net --keep';

test('a zone file is applied like a text, of any length', async () => {
  const dns = await withFile(`${'; as it was\n'.repeat(2_000)}beta 300 IN A 192.0.2.10\n`);
  expect(await dns.done(upload)).toMatchObject({ end: 'done' });
  expect(await dns.records('example.net', 'beta')).toEqual(['beta A 192.0.2.10 300']);
  expect((await dns.planOf(upload)).plan.nothingToDo).toMatch(/^example.net is already as the text says/);
});

test.each<[string, Uint8Array | string, string]>([
  ['a picture', Uint8Array.from([0x89, 0x50, 0xff, 0xfe]), 'example.net.zone is no text.'],
  ['a text of zeros', 'a\0b', 'example.net.zone is no text.'],
  ['more than any zone', 'x'.repeat(1_000_001), 'example.net.zone has 1001 kB, which is too long for a zone.'],
  ['lines that are none', 'beta 300 A nowhere', '1 line of the zone text does not fit'],
])('a file with %s is refused before anything is sent', async (_, bytes, text) => {
  const dns = await withFile(bytes);
  expect((await dns.refusalOf(upload)).message).toContain(text);
  expect(dns.bodies()).toEqual([]);
});

test('giving both a text and a file, neither, or an unreadable file is refused at its field', async () => {
  const dns = await withFile('beta 300 A 192.0.2.10');
  expect(await dns.refusalOf('dns apply example.net "a 300 A 192.0.2.1"')).toMatchObject({ field: 'file' });
  expect(await (await openDns()).refusalOf('dns apply example.net')).toMatchObject({ field: 'zone' });
  const gone = await openDns({
    uploads: { 'dns apply': 'F0ZONE' },
    file: async () => Promise.reject(new Error('reading an uploaded file: file_deleted')),
  });
  expect(await gone.refusalOf(upload)).toMatchObject({
    field: 'file',
    message: 'Slack did not provide the file (reading an uploaded file: file_deleted).',
  });
});

const strange = { id: 900, host: '_443._tcp', type: 'TLSA', prio: null, value: '3 1 1 ab', ttl: null };
const www = { id: 901, host: 'www', type: 'A', prio: null, value: '192.0.2.10', ttl: 300 };

async function withStrange() {
  const dns = await openDns();
  dns.sim.fault({ kind: 'answer', match: 'GET /dns/domain/{name}/entry_set/', status: 200, body: [strange, www] });
  return dns;
}

test('a record of an undocumented type is listed, left by dns apply, and can be removed, not edited', async () => {
  const dns = await withStrange();
  const said = viewText(await dns.viewOf('dns list example.net'));
  expect(said).toContain('_443._tcp │ TLSA 3 1 1 ab');
  expect(said).not.toContain('Edit _443._tcp');
  expect(said).toContain('Remove _443._tcp TLSA');
  const { plan } = await dns.planOf(`dns apply example.net ${fenced('www 300 A 192.0.2.11')}`);
  expect(planText(plan)).toContain('Note: _443._tcp TLSA 3 1 1 ab cannot be written from here and stays.');
  expect(plan.steps).toHaveLength(1);
  expect((await dns.planOf('dns remove example.net 900')).plan.steps).toHaveLength(1);
  expect((await dns.refusalOf('dns edit example.net 900 ttl=600')).message).toBe(
    '_443._tcp TLSA 3 1 1 ab: records of type TLSA cannot be written from here.',
  );
});
