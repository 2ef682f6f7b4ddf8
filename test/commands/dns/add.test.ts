import { describe, expect, test } from 'vitest';
import { planText } from '../../support/view-text.ts';
import { dnsCommands, openDns, sayRefusal } from './open.ts';

describe('dns add', () => {
  test('dns add shows the record, adds it once, reads it back and offers an undo', async () => {
    const dns = await openDns();
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
    expect((await dns.planOf('dns add example.com beta A 192.0.2.10')).plan.nothingToDo).toBe(
      'example.com has beta A 192.0.2.10 ttl 300 already.',
    );
  });

  test('dns add reads values as people and zone files write them', async () => {
    const dns = await openDns();
    for (const line of [
      'dns add example.com www.example.com AAAA 2001:DB8::10',
      'dns add example.com example.com TXT “hello there”',
      'dns add example.com new MX 10 mail.example.com.',
      'dns add example.com _imap._tcp SRV 10 143 mail.example.com prio=5',
      'dns add example.com @ CAA 0 iodef "mailto:security@example.com"',
    ]) {
      expect(await dns.runCommand(line), line).toMatchObject({ end: 'done' });
    }
    expect(await dns.records('example.com')).toEqual(
      expect.arrayContaining([
        'www AAAA 2001:db8::10 3600',
        '@ TXT hello there 3600',
        'new MX 10 mail.example.com 3600',
        '_imap._tcp SRV 5 10 143 mail.example.com 3600',
        '@ CAA 0 iodef "mailto:security@example.com" 3600',
      ]),
    );
  });

  test('dns add refuses a record that cannot be in the zone, before anything is sent', async () => {
    const dns = await openDns();
    const lines = [
      'dns add example.com blog A 192.0.2.10',
      'dns add example.com www CNAME shop.example.com',
      'dns add example.com @ CNAME shop.example.com',
      'dns add example.com x CNAME x.example.com',
      'dns add example.com www A 192.0.2.10 ttl=600',
      'dns add example.com @ MX 20 mail.example.com',
      'dns add example.com www A shop.example.com',
      'dns add example.com www.example.org. A 192.0.2.1',
      'dns add example.com www A 192.0.2.1 ttl=60',
      'dns add example.com www PTR 192.0.2.1',
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
      [Change it → dns edit example.com 14 host=@ type=MX ttl=3600 prio=20 value=mail.example.com]
      dns add example.com www A shop.example.com
        value: \`shop.example.com\` is not an IPv4 address. To point at a name the type is CNAME.
      dns add example.com www.example.org. A 192.0.2.1
        host: www.example.org. is not in example.com. Give the name below example.com, such as www, or @ for itself.
      dns add example.com www A 192.0.2.1 ttl=60
        ttl: The provider has no ttl of 60. The nearest is 120; there are 120, 300, 600, 900, 1800, 3600, 7200, 18000, 43200 and 86400.
      dns add example.com www PTR 192.0.2.1
        type: \`PTR\` is not one of A, AAAA, CNAME, MX, TXT, SRV, CAA, NS."
    `);
    expect(dns.writes()).toEqual([]);
  });

  test.each([
    'dns set example.com www to 999.1.2.3',
    'dns set example.com www 999.1.2.3',
    'dns add example.com 999.1.2.3',
  ])('the line "%s", without a type, is refused for its invalid address', async (line) => {
    const dns = await openDns();
    expect(sayRefusal(await dns.refusalOf(line))).toBe(
      'value: `999.1.2.3` is not an IPv4 address. It should be four numbers from 0 to 255, like 192.0.2.10.',
    );
  });

  test('the card of dns add warns of a second SPF record, a long text, and a change at the domain itself', async () => {
    const dns = await openDns();
    const spf = await dns.planOf('dns add example.com @ TXT "v=spf1 include:mail.example.net -all"');
    expect(planText(spf.plan)).toMatchInlineSnapshot(`
      "Add TXT example.com
        example.com · 18 records · tags prod
        + @  TXT  v=spf1 include:mail.example.net -all  ttl 3600
        Effect: example.com TXT answers v=spf1 include:mail.example.net -all, beside v=spf1 mx ip4:203.0.113.25 -all.
        Mail: example.com would have more than one SPF record, which receivers take as an error. Keep one.
        raised to dangerous: It changes the SPF record of example.com itself."
    `);
    const long = await dns.planOf(`dns add example.com k1._domainkey TXT "v=DKIM1; p=${'A'.repeat(400)}"`);
    expect(long.plan.details).toContainEqual([
      'Text',
      '411 bytes: DNS carries them as 2 strings of at most 255, and readers join them again.',
    ]);
    const twoBytesEach = await dns.planOf(`dns add example.com note TXT "${'é'.repeat(200)}"`);
    expect(twoBytesEach.plan.details).toContainEqual([
      'Text',
      '400 bytes: DNS carries them as 2 strings of at most 255, and readers join them again.',
    ]);
    expect(long.plan.effect.length).toBeLessThan(120);
    expect(long.plan.diff?.[0]?.text).toContain('A'.repeat(400));
  });

  test('two requests that each add a record to one name both run', async () => {
    const dns = await openDns();
    const one = await dns.planOf('dns add example.com _acme-challenge TXT token-one');
    const other = await dns.planOf('dns add example.com _acme-challenge TXT token-two');
    expect(await dns.run(one)).toMatchObject({ end: 'done' });
    expect(await dns.run(other)).toMatchObject({ end: 'done' });
    expect(await dns.records('example.com', '_acme-challenge')).toEqual([
      '_acme-challenge TXT token-one 3600',
      '_acme-challenge TXT token-two 3600',
    ]);
  });

  test.each<[string, string, { host: string; type: 'A' | 'TXT'; value: string }]>([
    ['the same record', 'beta A 192.0.2.10', { host: 'beta', type: 'A', value: '192.0.2.10' }],
    ['another SPF record', '@ TXT "v=spf1 -all"', { host: '@', type: 'TXT', value: 'v=spf1 ~all' }],
  ])('dns add notices %s that appears between the approval and the run', async (_, wanted, appearing) => {
    const dns = await openDns();
    const planned = await dns.planOf(`dns add example.com ${wanted}`);
    dns.sim.records({ domain: 'example.com', add: [appearing] });
    expect(await dns.run(planned)).toMatchObject({ end: 'changed' });
    expect(dns.writes()).toEqual([]);
  });

  test('dns add does not run when a CNAME appeared at the name', async () => {
    const dns = await openDns();
    const planned = await dns.planOf('dns add example.com beta A 192.0.2.10');
    dns.sim.records({ domain: 'example.com', add: [{ host: 'beta', type: 'CNAME', value: 'x.example' }] });
    await expect(dns.run(planned)).rejects.toThrow('beta.example.com is a CNAME (x.example)');
    expect(dns.writes()).toEqual([]);
  });

  test('dns add quotes the provider’s refusal', async () => {
    const dns = await openDns();
    dns.sim.fault({
      kind: 'answer',
      match: 'POST /dns/domain/{name}/entry_set/',
      status: 400,
      body: { non_field_errors: ['The zone is locked.'] },
    });
    const ran = await dns.runCommand('dns add example.com beta A 192.0.2.10');
    expect(ran).toMatchObject({ end: 'failed' });
    expect(ran.note).toContain('The zone is locked.');
  });

  test('after a lost response dns add reads the zone', async () => {
    const dns = await openDns();
    dns.sim.fault({ kind: 'lose', match: 'POST /dns/domain/{name}/entry_set/', times: 1 });
    expect(await dns.runCommand('dns add example.com beta A 192.0.2.10')).toMatchObject({ end: 'done' });
    dns.sim.fault({
      kind: 'answer',
      match: 'POST /dns/domain/{name}/entry_set/',
      status: 502,
      body: 'Bad gateway',
      times: 1,
    });
    const ran = await dns.runCommand('dns add example.com gamma A 192.0.2.10');
    expect(ran).toMatchObject({
      end: 'failed',
      note: expect.stringContaining('the zone does not have gamma A 192.0.2.10 ttl 3600'),
    });
    expect(dns.writes()).toHaveLength(2);
  });
});

describe('dns set', () => {
  test('dns set changes the one record, keeps its ttl, and sends all its fields', async () => {
    const dns = await openDns();
    const planned = await dns.planOf('dns set example.com shop A 192.0.2.20');
    expect(planText(planned.plan)).toMatchInlineSnapshot(`
      "Change A shop.example.com
        example.com · 18 records · tags prod
        − shop  A  192.0.2.11  ttl 300
        + shop  A  192.0.2.20  ttl 300
        Effect: shop.example.com A answers 192.0.2.20 instead of 192.0.2.11. The old answer stays cached up to 5 minutes.
        Servers: 192.0.2.11 is web-2 and 192.0.2.20 is db-1
        Affected: 1 record points here: blog.example.com CNAME."
    `);
    expect(await dns.run(planned)).toMatchObject({
      end: 'done',
      ending: { text: 'shop.example.com A is 192.0.2.20', undo: 'dns undo a7f3c2' },
    });
    expect(dns.bodies()).toEqual([{ host: 'shop', type: 'A', value: '192.0.2.20', prio: null, ttl: 300 }]);
    expect((await dns.planOf('dns set example.com shop A 192.0.2.20')).plan.nothingToDo).toBeDefined();
  });

  test('dns set adds a missing record', async () => {
    const dns = await openDns();
    expect(await dns.runCommand('dns set example.com fresh CNAME shop.example.com')).toMatchObject({
      end: 'done',
      ending: { text: 'fresh.example.com CNAME shop.example.com added' },
    });
  });

  test('dns set refuses when several records match, and names them', async () => {
    const dns = await openDns();
    expect(sayRefusal(await dns.refusalOf('dns set example.com @ MX 30 mx.example.net'))).toMatchInlineSnapshot(`
      "host: example.com has 2 MX records: @ MX 10 mail.example.com and @ MX 20 backup-mx.example.net. Say which one should become this, or add it beside them with dns add.
      [Change @ MX 10 mail.example.com → dns edit example.com 14 host=@ type=MX ttl=3600 prio=30 value=mx.example.net]
      [Change @ MX 20 backup-mx.example.net → dns edit example.com 15 host=@ type=MX ttl=3600 prio=30 value=mx.example.net]"
    `);
    expect(sayRefusal(await dns.refusalOf('dns set example.com blog A 192.0.2.10'))).toMatchInlineSnapshot(`
      "host: blog CNAME shop.example.com is there, and a CNAME must be the only record of its name. Change that record into A 192.0.2.10, if nothing else needs it.
      [Change it → dns edit example.com 13 host=blog type=A value=192.0.2.10]"
    `);
    expect(dns.writes()).toEqual([]);
  });

  test('dns set of the domain’s own SPF record has a higher risk than a host below it', async () => {
    const dns = await openDns();
    expect((await dns.planOf('dns set example.com @ TXT "v=spf1 mx -all"')).plan.raised).toEqual({
      risk: 'dangerous',
      why: 'It changes the SPF record of example.com itself.',
    });
    expect((await dns.planOf('dns set example.com _dmarc TXT "v=DMARC1; p=none"')).plan.raised).toBeUndefined();
  });
});

describe('dns edit', () => {
  test('dns edit keeps the fields that are not given', async () => {
    const dns = await openDns();
    const ran = await dns.runCommand('dns edit example.com mail A ttl=10m');
    expect(ran).toMatchObject({ end: 'done', ending: { text: 'mail.example.com A 203.0.113.25 has ttl 600' } });
    const id = await dns.idOf('example.com', '_dmarc', 'TXT');
    await dns.runCommand(`dns edit example.com #${id} host=_dmarc.mail`);
    expect(dns.bodies()).toEqual([
      { host: 'mail', type: 'A', value: '203.0.113.25', prio: null, ttl: 600 },
      {
        host: '_dmarc.mail',
        type: 'TXT',
        value: 'v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com',
        prio: null,
        ttl: null,
      },
    ]);
    expect((await dns.planOf('dns edit example.com mail A ttl=600')).plan.nothingToDo).toBe(
      'example.com has mail A 203.0.113.25 ttl 600 already.',
    );
  });

  test('dns edit changes a CNAME into an address in one write', async () => {
    const dns = await openDns();
    const planned = await dns.planOf('dns edit example.com blog CNAME type=A value=192.0.2.11');
    expect(planText(planned.plan)).toMatchInlineSnapshot(`
      "Change CNAME blog.example.com
        example.com · 18 records · tags prod
        − blog  CNAME  shop.example.com  ttl default
        + blog  A      192.0.2.11        ttl default
        Effect: blog.example.com A answers 192.0.2.11 instead of blog.example.com CNAME shop.example.com. The old answer stays cached for the provider's default time.
        Servers: 192.0.2.11 is web-2"
    `);
    expect(await dns.run(planned)).toMatchObject({ end: 'done' });
    expect(await dns.records('example.com', 'blog')).toEqual(['blog A 192.0.2.11']);
  });

  test('dns edit without a change offers its form, filled in', async () => {
    const dns = await openDns();
    expect(sayRefusal(await dns.refusalOf('dns edit example.com @ MX 10 mail.example.com'))).toMatchInlineSnapshot(`
      "undefined: What should change in @ MX 10 mail.example.com? Give host=, type=, value=, ttl= or prio=, or fill in the form.
      [Edit… → form dns edit example.com 14 host=@ type=MX ttl=3600 prio=10 value=mail.example.com]"
    `);
  });

  test('dns edit asks which record is meant when a name has several or none', async () => {
    const dns = await openDns();
    for (const [line, words] of [
      ['dns edit example.com @ MX ttl=300', 'is not one record of example.com: @ MX 10 mail.example.com'],
      ['dns edit example.com wwww A ttl=300', 'has no record wwww A. Did you mean www?'],
      ['dns edit example.com www AAAA ttl=300', 'has no record www AAAA; www has www A 192.0.2.10'],
      ['dns edit example.com www AAA ttl=300', 'is no type of record'],
      ['dns edit example.com 999 ttl=300', 'example.com has no record 999'],
      ['dns edit example.com "5 6" ttl=300', 'One record is edited at a time.'],
      ['dns edit example.com www A prio=10', 'A records have no prio'],
      ['dns edit example.com www A type=AAAA', '192.0.2.10 is an IPv4 address'],
      ['dns edit example.com www A host=blog', 'is a CNAME'],
    ] as const) {
      expect(sayRefusal(await dns.refusalOf(line)), line).toContain(words);
    }
  });

  test('dns edit keeps the spelling of a host that another client stored as a full name', async () => {
    const dns = await openDns();
    const host = '_acme-challenge.www.example.com';
    dns.sim.records({ domain: 'example.com', add: [{ host, type: 'TXT', value: 'old' }] });
    const id = await dns.idOf('example.com', host, 'TXT');

    await dns.runCommand(`dns edit example.com ${id} value=new`);
    await dns.runCommand(`dns edit example.com ${id} host=_acme-challenge.shop`);

    expect(dns.writes()).toMatchObject([
      { body: { host, value: 'new' } },
      { body: { host: '_acme-challenge.shop', value: 'new' } },
    ]);
  });

  test('dns edit needs a new ttl where the provider no longer accepts the old one', async () => {
    const dns = await openDns();
    const id = await dns.idOf('example.com', 'www', 'A');
    dns.sim.records({ domain: 'example.com', set: [{ id, ttl: 1234 }] });
    expect(sayRefusal(await dns.refusalOf('dns edit example.com www A value=192.0.2.11'))).toContain(
      'ttl: www A 192.0.2.11 has a ttl of 1234, which the provider no longer takes.',
    );
    expect(await dns.runCommand('dns edit example.com www A value=192.0.2.11 ttl=300')).toMatchObject({ end: 'done' });
  });

  test('dns edit asks again when the record was changed by hand before the run, and reports a change during it', async () => {
    const dns = await openDns();
    const id = await dns.idOf('example.com', 'www', 'A');
    const planned = await dns.planOf('dns edit example.com www A value=192.0.2.11');
    dns.sim.records({ domain: 'example.com', set: [{ id, ttl: 900 }] });
    expect(await dns.run(planned)).toMatchObject({ end: 'changed' });

    const again = await dns.planOf('dns edit example.com www A value=192.0.2.11');
    const closed = again.command.step(again.plan.steps[0]?.data ?? null);
    dns.sim.records({ domain: 'example.com', set: [{ id, value: '192.0.2.77' }] });
    const seen = await closed.verify({ reader: dns.reader } as never, undefined, { wasOffline: false });
    expect(seen).toEqual({ is: 'unsure', text: 'the zone has www A 192.0.2.77 ttl 900' });
  });
});

describe('dns remove', () => {
  test('dns remove takes a host and a type, a value, or ids', async () => {
    const dns = await openDns();
    const planned = await dns.planOf('dns remove example.com shop A');
    expect(planText(planned.plan)).toMatchInlineSnapshot(`
      "Remove A shop.example.com
        example.com · 18 records · tags prod
        − shop  A  192.0.2.11  ttl 300
        Effect: shop.example.com A no longer answers 192.0.2.11. The old answer stays cached up to 5 minutes.
        Servers: 192.0.2.11 is web-2
        Affected: 1 record points here: blog.example.com CNAME."
    `);
    expect(planned.command.risk).toBe('dangerous');
    expect(await dns.run(planned)).toMatchObject({
      end: 'done',
      ending: { text: 'shop.example.com A 192.0.2.11 removed', undo: 'dns undo a7f3c2' },
    });
    expect(sayRefusal(await dns.refusalOf('dns remove example.com shop A'))).toContain('has no record shop A');

    const ids = [await dns.idOf('example.com', 'api', 'A'), await dns.idOf('example.com', 'db', 'A')];
    expect(await dns.runCommand(`dns remove example.com ${ids.join(' ')}`)).toMatchObject({
      end: 'done',
      ending: { text: 'example.com: 2 records removed, read back' },
    });
    expect((await dns.planOf('dns remove example.com @ MX 20 backup-mx.example.net')).plan.raised?.risk).toBe(
      'destructive',
    );
    expect(sayRefusal(await dns.refusalOf('dns remove example.com @ MX'))).toContain('Which one?');
  });

  test('dns remove of more than a third of the zone has a higher risk', async () => {
    const dns = await openDns();
    const hosts = ['wiki', 'files-1', 'backup-1', 'staging'];
    const ids = await Promise.all(hosts.map((host) => dns.idOf('example.net', host, 'A')));
    expect((await dns.planOf(`dns remove example.net ${ids.slice(0, 3).join(' ')}`)).plan.raised).toBeUndefined();
    expect((await dns.planOf(`dns remove example.net ${ids.join(' ')}`)).plan.raised).toMatchObject({
      risk: 'destructive',
      why: 'It changes or removes 4 of the 10 records.',
    });
  });

  test('dns remove of a record that is gone fails and quotes the provider', async () => {
    const dns = await openDns();
    dns.sim.fault({
      kind: 'answer',
      match: 'DELETE /dns/domain/{name}/entry_set/{id}/',
      status: 404,
      body: { detail: 'No Entry matches the given query.' },
    });
    expect(await dns.runCommand('dns remove example.com shop A')).toMatchObject({
      end: 'failed',
      note: 'No Entry matches the given query.',
    });
  });
});

test('the examples of every dns command can be parsed, and work on the seed account', async () => {
  const dns = await openDns();
  await dns.done('dns set example.com www A 192.0.2.11', 'a7f3c2ab');
  await dns.done('dns set example.com api A 192.0.2.11', 'k9m2x4pq');
  for (const command of dnsCommands) {
    for (const line of command.examples) {
      const asked = await dns.ask(line);
      expect(asked.kind, `${line}: ${asked.kind === 'refused' ? asked.error.message : ''}`).not.toBe('refused');
    }
  }
});
