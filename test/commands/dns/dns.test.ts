import { expect } from 'vitest';
import { planText } from '../../support/bot/view-text.ts';
import { openDns, sayRefusal, test } from './open.ts';

/** Opens the seed account with records at `one` and `two`, which have the provider's default TTL. */
async function openWithDefaultTtl() {
  const dns = await openDns();
  dns.sim.records({
    domain: 'example.com',
    add: [
      { host: 'one', type: 'A', value: '192.0.2.1' },
      { host: 'two', type: 'A', value: '192.0.2.1', ttl: 300 },
      { host: 'two', type: 'A', value: '192.0.2.2' },
      { host: 'alias', type: 'CNAME', value: 'shop.example.com' },
    ],
  });
  return dns;
}

test('each command leaves the default or gives another ttl, and dns undo brings the record back with it', async () => {
  const dns = await openWithDefaultTtl();
  for (const [line, after] of [
    ['dns edit example.com one A value=192.0.2.9', 'one A 192.0.2.9'],
    ['dns set example.com one A 192.0.2.9', 'one A 192.0.2.9'],
    ['dns apply example.com "one A 192.0.2.9" --keep', 'one A 192.0.2.9'],
    ['dns edit example.com one A ttl=300', 'one A 192.0.2.1 300'],
    ['dns apply example.com "one 300 A 192.0.2.1" --keep', 'one A 192.0.2.1 300'],
    ['dns replace 192.0.2.1 192.0.2.9 in example.com', 'one A 192.0.2.9'],
  ] as const) {
    const { effect } = (await dns.planOf(line)).plan;
    const isOther = effect.includes('The TTL of one.example.com A changes from default to 300.');
    expect(isOther, line).toBe(after.endsWith(' 300'));
    expect(await dns.done(line)).toMatchObject({ end: 'done' });
    expect(await dns.records('example.com', 'one'), line).toEqual([after]);
    expect(await dns.done('dns undo a7f3c2', 'b8g4d3')).toMatchObject({ end: 'done' });
    expect(await dns.records('example.com', 'one'), line).toEqual(['one A 192.0.2.1']);
  }
});

test('dns set of several values leaves each record that stays its own ttl', async () => {
  const dns = await openWithDefaultTtl();
  expect((await dns.planOf('dns set example.com two A 192.0.2.1 192.0.2.2')).plan.nothingToDo).toContain('already');
  const { plan } = await dns.planOf('dns set example.com two A 192.0.2.2 192.0.2.9');
  const diff = plan.diff?.map(({ sign, text }) => `${sign} ${text}`);
  expect(diff).toEqual(['− two  A  192.0.2.1  ttl 300', '+ two  A  192.0.2.9  ttl 300']);
});

test('the suggestions to change a record name no ttl that nobody gave', async () => {
  const dns = await openWithDefaultTtl();
  expect(sayRefusal(await dns.refusalOf('dns set example.com two A 192.0.2.9'))).toMatch(
    /Change two A 192\.0\.2\.1 → .* type=A ttl=300 value=192\.0\.2\.9\]\n.*Change two A 192\.0\.2\.2 → .* type=A value=192\.0\.2\.9\]/,
  );
  expect(sayRefusal(await dns.refusalOf('dns set example.com alias A 192.0.2.9'))).toMatch(
    /type=A value=192\.0\.2\.9\]/,
  );
  expect(sayRefusal(await dns.refusalOf('dns edit example.com one A'))).toMatch(/type=A value=192\.0\.2\.1\]/);
  dns.sim.records({ domain: 'example.com', add: [{ host: '@', type: 'MX', value: 'mx.example.net', prio: 40 }] });
  expect(sayRefusal(await dns.refusalOf('dns add example.com @ MX 50 mx.example.net'))).toMatch(
    /type=MX prio=50 value=mx\.example\.net\]/,
  );
});

test('dns apply keeps the spelling of a host that another client stored as a full name', async ({ dns }) => {
  const host = 'one.example.com';
  dns.sim.records({ domain: 'example.com', add: [{ host, type: 'A', value: '192.0.2.1' }] });
  await dns.runCommand('dns apply example.com "one 300 A 192.0.2.9" --keep');
  expect(dns.writes()).toMatchObject([{ body: { host, value: '192.0.2.9' } }]);
});

test('dns set changes one record, keeps its ttl, sends all its fields, and adds a missing record', async ({ dns }) => {
  const planned = await dns.planOf('dns set example.com shop A 192.0.2.20');
  expect(planText(planned.plan)).toContain('− shop  A  192.0.2.11  ttl 300');
  expect(planned.plan.effect).toContain('shop.example.com A answers 192.0.2.20 instead of 192.0.2.11.');
  expect((await dns.run(planned)).ending).toMatchObject({ text: 'shop.example.com A is 192.0.2.20' });
  expect(dns.bodies()).toEqual([{ host: 'shop', type: 'A', value: '192.0.2.20', prio: null, ttl: 300 }]);
  const { ending } = await dns.runCommand('dns set example.com fresh CNAME shop.example.com');
  expect(ending?.text).toBe('fresh.example.com CNAME shop.example.com added');
});

test('dns set refuses when several records match, and names them', async ({ dns }) => {
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

test('dns remove takes a host and a type, a value, or ids', async ({ dns }) => {
  const planned = await dns.planOf('dns remove example.com shop A');
  expect(planned.plan.effect).toContain('shop.example.com A no longer answers 192.0.2.11. The old answer stays cached');
  expect(planText(planned.plan)).toContain('Affected: 1 record points here: blog.example.com CNAME.');
  expect(planned.command.risk).toBe('dangerous');
  expect(await dns.run(planned)).toMatchObject({
    end: 'done',
    ending: { text: 'shop.example.com A 192.0.2.11 removed', undo: 'dns undo a7f3c2' },
  });
  expect(sayRefusal(await dns.refusalOf('dns remove example.com shop A'))).toContain('has no record shop A');
  const ids = [await dns.idOf('example.com', 'api', 'A'), await dns.idOf('example.com', 'db', 'A')];
  const ran = await dns.runCommand(`dns remove example.com ${ids.join(' ')}`);
  expect(ran).toMatchObject({ end: 'done', ending: { text: 'example.com: 2 records removed, read back' } });
  expect((await dns.planOf('dns remove example.com @ MX 20 backup-mx.example.net')).plan.raised?.risk).toBe(
    'destructive',
  );
  expect(sayRefusal(await dns.refusalOf('dns remove example.com @ MX'))).toContain('Which one?');
});

test('dns remove of more than a third of the zone has a higher risk', async ({ dns }) => {
  const hosts = ['wiki', 'files-1', 'backup-1', 'staging'];
  const ids = await Promise.all(hosts.map((host) => dns.idOf('example.net', host, 'A')));
  expect((await dns.planOf(`dns remove example.net ${ids.slice(0, 3).join(' ')}`)).plan.raised).toBeUndefined();
  const raised = (await dns.planOf(`dns remove example.net ${ids.join(' ')}`)).plan.raised;
  expect(raised).toMatchObject({ risk: 'destructive', why: 'It changes or removes 4 of the 10 records.' });
});

// Records whose names another zone or other name servers answer for.

test('the card of a record in or below another domain of the account says that nothing answers it', async ({ dns }) => {
  await dns.done('dns domain-add eu.example.com 192.0.2.10');
  for (const line of ['dns apply example.com "www.eu 300 A 192.0.2.99" --keep', 'dns edit example.com www A host=eu']) {
    const { details, effect } = (await dns.planOf(line)).plan;
    expect(details).toContainEqual(['Hidden', expect.stringMatching(/^eu\.example\.com is a separate zone, so add /)]);
    expect(effect).not.toContain('answers 192.0.2');
  }
});

test('the card of a record below a delegation names the servers that answer for it', async ({ dns }) => {
  await dns.done('dns add example.com lab NS ns1.other.example ns2.other.example');
  const { plan } = await dns.planOf('dns add example.com www.lab A 192.0.2.99');
  expect(plan.effect).toBe('example.com has www.lab.example.com A 192.0.2.99, but no name server answers it.');
  expect(planText(plan)).toContain(
    'Hidden: lab.example.com is delegated to ns1.other.example and ns2.other.example, so add www.lab.example.com A there.',
  );
});

test('of several records the card names those that are hidden', async ({ dns }) => {
  await dns.done('dns add example.com lab NS ns1.other.example');
  const { plan } = await dns.planOf(
    'dns apply example.com ```\nwww.lab 300 A 192.0.2.1\nlab 300 TXT hello\nlabs 300 A 192.0.2.1\nmy-lab 300 A 192.0.2.1\n``` --keep',
  );
  expect(plan.details).toContainEqual([
    'Hidden',
    'lab.example.com is delegated to ns1.other.example, so add www.lab.example.com A and lab.example.com TXT there.',
  ]);
});

test('the card of a record that is not hidden promises its answer', async ({ dns }) => {
  await dns.done('dns add example.com lab NS ns1.lab.example.com ns2.other.example');
  for (const record of [
    // Another name server of the delegation, and the address of one below it.
    'lab NS ns3.other.example',
    'ns1.lab A 192.0.2.53',
    // A name that only ends alike, and the domain itself.
    'mylab A 192.0.2.1',
    '@ TXT hello',
  ]) {
    const { plan } = await dns.planOf(`dns add example.com ${record}`);
    expect(plan.effect, record).toContain(' answers ');
    expect(plan.details.map(([label]) => label)).not.toContain('Hidden');
  }
});

test('a card does not name a domain that the person may not read', async () => {
  const dns = await openDns({ may: (_, target) => target.id !== 'eu.example.com' });
  await dns.done('dns domain-add eu.example.com 192.0.2.10');
  const { plan } = await dns.planOf('dns add example.com www.eu A 192.0.2.99');
  expect(plan.details.map(([label]) => label)).not.toContain('Hidden');
});

// Several values for one name at once.

test('dns add of two ACME texts adds two records in one plan, whose title has the name', async ({ dns }) => {
  const { plan } = await dns.planOf('dns add example.com _acme-challenge TXT "token-one" "token-two"');
  expect(plan.title).toBe('Add 2 TXT records of _acme-challenge.example.com');
  expect(await dns.done('dns add example.com _acme-challenge TXT "token-one" "token-two"')).toMatchObject({
    end: 'done',
  });
  const seen = await dns.records('example.com', '_acme-challenge');
  expect(seen).toEqual(['_acme-challenge TXT token-one 3600', '_acme-challenge TXT token-two 3600']);
  // The plan leaves out the existing record.
  const again = await dns.planOf('dns add example.com _acme-challenge TXT "token-two" "token-three"');
  expect(again.plan.steps.map(({ label }) => label)).toEqual(['+ _acme-challenge TXT token-three']);
});

test('dns add of other quoted texts asks what is meant, and both suggestions work', async ({ dns }) => {
  const refusal = await dns.refusalOf('dns add example.com note TXT "one" "two"');
  expect(sayRefusal(refusal)).toContain('2 texts are quoted: separate records, or one long text?');
  const labels = await Promise.all(
    refusal.suggestions.map(async ({ command }) => (await dns.planOf(command)).plan.steps.map(({ label }) => label)),
  );
  expect(labels).toEqual([['+ note TXT one', '+ note TXT two'], ['+ note TXT onetwo']]);
});

test.each(['add', 'set'])('both suggestions of dns %s keep the TTL that was typed', async (verb) => {
  const dns = await openDns();
  const { suggestions } = await dns.refusalOf(`dns ${verb} example.com note TXT "one" "two" ttl=5m`);
  expect(suggestions.map(({ command }) => command)).toEqual([
    `dns ${verb} example.com note TXT "one" "two" each=yes ttl=300`,
    `dns ${verb} example.com note TXT "onetwo" ttl=300`,
  ]);
});

test('a value of several words is one value, and several values are several', async ({ dns }) => {
  for (const [line, labels] of [
    ['dns add example.com pool A 192.0.2.1 192.0.2.2', ['+ pool A 192.0.2.1', '+ pool A 192.0.2.2']],
    ['dns add example.com pool A 192.0.2.1, 192.0.2.2', ['+ pool A 192.0.2.1', '+ pool A 192.0.2.2']],
    ['dns add example.com note TXT v=spf1 -all', ['+ note TXT v=spf1 -all']],
    ['dns add example.com sub CAA 0 issue "letsencrypt.org"', ['+ sub CAA 0 issue "letsencrypt.org"']],
  ] as const) {
    const steps = (await dns.planOf(line)).plan.steps.map(({ label }) => label);
    expect(steps, line).toEqual(labels);
  }
});

test('dns set makes the records of a name exactly the given ones', async ({ dns }) => {
  await dns.done('dns add example.com pool A 192.0.2.1 192.0.2.2 192.0.2.3');
  expect(
    (await dns.planOf('dns set example.com pool A 192.0.2.2 192.0.2.9')).plan.diff?.map(
      ({ sign, text }) => `${sign} ${text.split(/\s+/)[2]}`,
    ),
  ).toEqual(['− 192.0.2.1', '+ 192.0.2.9', '− 192.0.2.3']);
  expect(await dns.done('dns set example.com pool A 192.0.2.2 192.0.2.9', 'b8g4d3')).toMatchObject({ end: 'done' });
  expect(await dns.records('example.com', 'pool')).toEqual(['pool A 192.0.2.9 3600', 'pool A 192.0.2.2 3600']);
  expect((await dns.planOf('dns set example.com pool A 192.0.2.9 192.0.2.2')).plan.nothingToDo).toContain('already');
});

test('dns set adds all values of a new name, and each ACME text is a separate record', async ({ dns }) => {
  const { plan } = await dns.planOf('dns set example.com _acme-challenge TXT "one" "two"');
  expect(plan.steps.map(({ label }) => label)).toEqual(['+ _acme-challenge TXT one', '+ _acme-challenge TXT two']);
});
