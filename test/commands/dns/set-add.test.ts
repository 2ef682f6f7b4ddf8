import { expect } from 'vitest';
import { planText } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';
import { dnsCommands, sayRefusal, test } from './open.ts';

test('dns add shows the record, adds it once, reads it back and offers an undo', async ({ dns }) => {
  const planned = await dns.planOf('dns add example.com beta A 192.0.2.10 ttl=5m');
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Add A beta.example.com
      example.com · 18 records · tags prod
      + beta  A  192.0.2.10  ttl 300
      Effect: beta.example.com A answers 192.0.2.10.
      Servers: 192.0.2.10 is web-1"
  `);
  const ran = await dns.run(planned);
  expect(ran).toMatchObject({
    end: 'done',
    note: 'the zone has it',
    ending: { text: 'beta.example.com A 192.0.2.10 added', undo: 'dns undo a7f3c2' },
  });
  expect(dns.writes()).toEqual([
    {
      request: 'POST /dns/domain/example.com/entry_set/',
      body: { host: 'beta', type: 'A', value: '192.0.2.10', prio: null, ttl: 300 },
    },
  ]);
});

test('dns add takes the prio of a record from its own argument', async ({ dns }) => {
  await dns.runCommand('dns add example.com _imap._tcp SRV 10 143 mail.example.com prio=5');
  expect(await dns.records('example.com', '_imap._tcp')).toEqual(['_imap._tcp SRV 5 10 143 mail.example.com 3600']);
});

test('dns add refuses a record that cannot be in the zone, before anything is sent', async ({ dns }) => {
  const lines = [
    'dns add example.com blog A 192.0.2.10',
    'dns add example.com www CNAME shop.example.com',
    'dns add example.com @ CNAME shop.example.com',
    'dns add example.com x CNAME x.example.com',
    'dns add example.com www A 192.0.2.10 ttl=600',
    'dns add example.com @ MX 20 mail.example.com',
  ];
  const texts = [];
  for (const line of lines) texts.push(`${line}\n  ${sayRefusal(await dns.refusalOf(line))}`);
  expect(texts.join('\n')).toMatchInlineSnapshot(`
    "dns add example.com blog A 192.0.2.10
      host: blog.example.com is a CNAME (shop.example.com), and a CNAME must be the only record of its name. Change the CNAME itself, or remove it first.
    dns add example.com www CNAME shop.example.com
      host: A CNAME must be the only record of its name, and www.example.com has www A 192.0.2.10. Remove those first.
    dns add example.com @ CNAME shop.example.com
      host: example.com itself cannot be a CNAME: it always has other records. Give it A and AAAA records with the addresses instead; names below it, such as www, can be CNAMEs.
    dns add example.com x CNAME x.example.com
      value: x.example.com would point at itself. Give the name it should point to.
    dns add example.com www A 192.0.2.10 ttl=600
      value: example.com has www A 192.0.2.10 already, with ttl 300. Change that one instead.
    [Change it → dns edit example.com 5 host=www type=A ttl=600 value=192.0.2.10]
    dns add example.com @ MX 20 mail.example.com
      value: example.com has @ MX 10 mail.example.com already, with ttl 3600. Change that one instead.
    [Change it → dns edit example.com 14 host=@ type=MX ttl=3600 prio=20 value=mail.example.com]"
  `);
  expect(dns.writes()).toEqual([]);
});

test('a line without a type is refused for its invalid address', async ({ dns }) => {
  for (const line of ['set example.com www to 999.1.2.3', 'set example.com www 999.1.2.3', 'add example.com 999.1.2.3'])
    expect(sayRefusal(await dns.refusalOf(`dns ${line}`)), line).toBe(
      'value: `999.1.2.3` is not an IPv4 address. It should be four numbers from 0 to 255, like 192.0.2.10.',
    );
});

test('the card of dns add warns of a second SPF record, a long text, a change at the domain', async ({ dns }) => {
  const spf = await dns.planOf('dns add example.com @ TXT "v=spf1 include:mail.example.net -all"');
  expect(planText(spf.plan)).toContain(
    'Mail: example.com would have more than one SPF record, which receivers take as an error. Keep one.\n' +
      '  raised to dangerous: It changes the SPF record of example.com itself.',
  );
  const plansOf = (...lines: string[]) => Promise.all(lines.map(async (line) => (await dns.planOf(line)).plan));
  const [long, twoBytesEach] = await plansOf(
    `dns add example.com k1._domainkey TXT "v=DKIM1; p=${'A'.repeat(400)}"`,
    `dns add example.com note TXT "${'é'.repeat(200)}"`,
  );
  const inTwo = 'DNS carries them as 2 strings of at most 255, and readers join them again.';
  expect(long?.details).toContainEqual(['Text', `411 bytes: ${inTwo}`]);
  expect(twoBytesEach?.details).toContainEqual(['Text', `400 bytes: ${inTwo}`]);
  expect(long?.effect.length).toBeLessThan(120);
  expect(long?.diff?.[0]?.text).toContain('A'.repeat(400));
});

test('two requests that each add a record to one name both run', async ({ dns }) => {
  const one = await dns.planOf('dns add example.com _acme-challenge TXT token-one');
  const other = await dns.planOf('dns add example.com _acme-challenge TXT token-two');
  expect(await dns.run(one)).toMatchObject({ end: 'done' });
  expect(await dns.run(other)).toMatchObject({ end: 'done' });
  const records = await dns.records('example.com', '_acme-challenge');
  expect(records).toEqual(['_acme-challenge TXT token-one 3600', '_acme-challenge TXT token-two 3600']);
});

test('dns add does not run when its record, an SPF record or a CNAME appeared after the approval', async ({ dns }) => {
  const [beta, spf, gamma] = await Promise.all(
    ['beta A 192.0.2.10', '@ TXT "v=spf1 -all"', 'gamma A 192.0.2.10'].map((record) =>
      dns.planOf(`dns add example.com ${record}`),
    ),
  );
  if (!beta || !spf || !gamma) throw new Error('three plans');
  const appearing = [
    { host: 'beta', type: 'A', value: '192.0.2.10' },
    { host: '@', type: 'TXT', value: 'v=spf1 ~all' },
    { host: 'gamma', type: 'CNAME', value: 'x.example' },
  ] as const;
  dns.sim.records({ domain: 'example.com', add: [...appearing] });
  for (const planned of [beta, spf]) expect(await dns.run(planned)).toMatchObject({ end: 'changed' });
  await expect(dns.run(gamma)).rejects.toThrow('gamma.example.com is a CNAME (x.example)');
  expect(dns.writes()).toEqual([]);
});

test('after a response without an answer dns add reads the zone', async ({ dns }) => {
  dns.sim.fault(answer('POST /dns/domain/{name}/entry_set/', 502, 'Bad gateway', 1));
  const ran = await dns.runCommand('dns add example.com gamma A 192.0.2.10');
  expect(ran).toMatchObject({
    end: 'failed',
    note: expect.stringContaining('the zone does not have gamma A 192.0.2.10 ttl 3600'),
  });
  expect(dns.writes()).toHaveLength(1);
});

test('the examples of every dns command can be parsed, and work on the seed account', async ({ dns }) => {
  await dns.done('dns set example.com www A 192.0.2.11', 'a7f3c2ab');
  await dns.done('dns set example.com api A 192.0.2.11', 'k9m2x4pq');
  for (const command of dnsCommands) {
    for (const line of command.examples) {
      const asked = await dns.ask(line);
      expect(asked.kind, `${line}: ${asked.kind === 'refused' ? asked.error.message : ''}`).not.toBe('refused');
    }
  }
});
