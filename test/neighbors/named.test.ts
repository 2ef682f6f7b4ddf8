import { Resolver } from 'node:dns/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { startProvider } from '../../sandbox/provider/server.ts';
import { readHost } from '../../src/core/dns/names.ts';
import { textOf } from '../../src/core/dns/quoted.ts';
import { readValue } from '../../src/core/dns/read-value.ts';
import type { RecordType } from '../../src/core/dns/record.ts';
import { readerOf } from '../../src/provider/client.ts';
import { openProvider } from '../provider/open.ts';
import { folder, start } from './debian.ts';
import { hasZoneTools, namedServer } from './zone-tools.ts';

/** Debian's BIND serves the zone file of the simulated provider, and answers with the records of the API. */

const domain = 'example.com';
const key = `v=DKIM1; k=rsa; p=${'A'.repeat(700)}`;

/** As people type them. */
const odd: readonly (readonly [host: string, type: RecordType, value: string])[] = [
  ['key._domainkey', 'TXT', key],
  ['utf8', 'TXT', 'Grüße, 漢字 and 😀'],
  ['long', 'TXT', 'é'.repeat(200)],
  ['edge', 'TXT', `${'x'.repeat(254)}é`],
  ['full', 'TXT', 'x'.repeat(255)],
  ['strings', 'TXT', '"one " "two"'],
  ['quotes', 'TXT', 'say "hi" now'],
  ['quoted', 'TXT', '"\\"hi\\""'],
  ['quote', 'TXT', '"\\""'],
  ['backslash', 'TXT', 'C:\\temp\\059'],
  ['escaped', 'TXT', '"a\\059b\\195\\169"'],
  ['spaces', 'TXT', '" at both edges "'],
  ['semicolon', 'TXT', 'a;b(c)$@'],
  ['bücher', 'A', '192.0.2.21'],
  ['*.wild', 'AAAA', '2001:DB8::21'],
  ['idn', 'CNAME', 'bücher.example.net'],
  ['_sip._tcp', 'SRV', '5 10 5060 sip.example.net'],
  ['_sip._tcp', 'SRV', '0 0 65535 sip2.example.net'],
  ['sub', 'MX', '65535 mail.example.net'],
  ['caa', 'CAA', '0 issue letsencrypt.org; validationmethods=dns-01'],
  ['caa', 'CAA', '128 issuewild ";"'],
  ['caa', 'CAA', '0 iodef mailto:security@example.com'],
];

async function startNamed(zone: string) {
  const dir = await folder();
  const port = await freePort();
  const places = [`directory "${dir}"`, `listen-on port ${port} { 127.0.0.1; }`, 'listen-on-v6 { none; }'];
  const files = ['pid-file none', 'session-keyfile none'];
  const options = [...places, ...files, 'recursion no', 'dnssec-validation no', 'check-integrity no'];
  const config = `options { ${options.join('; ')}; };\ncontrols { };\nzone "${domain}" { type primary; file "zone"; };\n`;
  await writeFile(join(dir, 'zone'), zone);
  await writeFile(join(dir, 'named.conf'), config);
  const resolver = new Resolver({ timeout: 5_000, tries: 4 });
  resolver.setServers([`127.0.0.1:${port}`]);
  await start(namedServer, port, ['-f', '-n', '1', '-c', join(dir, 'named.conf')], {
    isReady: () =>
      resolver.resolveSoa(domain).then(
        () => true,
        () => false,
      ),
  });
  return resolver;
}

/** The answers for a name as the API would write them, in order. */
async function ask(resolver: Resolver, name: string, type: RecordType): Promise<string[]> {
  const asked: Record<RecordType, () => Promise<string[]>> = {
    A: () => resolver.resolve4(name),
    AAAA: () => resolver.resolve6(name),
    CNAME: () => resolver.resolveCname(name),
    NS: () => resolver.resolveNs(name),
    MX: async () => (await resolver.resolveMx(name)).map(({ priority, exchange }) => `${priority} ${exchange}`),
    SRV: async () =>
      (await resolver.resolveSrv(name)).map((one) => `${one.priority} ${one.weight} ${one.port} ${one.name}`),
    // Node gives a character for each byte.
    TXT: async () => (await resolver.resolveTxt(name)).map((parts) => Buffer.from(parts.join(''), 'latin1').toString()),
    CAA: async () =>
      (await resolver.resolveCaa(name)).map(({ critical, ...rest }) => {
        const [[tag, value] = []] = Object.entries(rest).filter(([field]) => field !== 'type');
        return `${critical} ${tag} "${value}"`;
      }),
  };
  return (await asked[type]()).toSorted();
}

describe.skipIf(!hasZoneTools())('a BIND with the zone of the simulated provider', () => {
  test('answers with every record that the API keeps, with any text in it', async () => {
    const simulated = await startProvider();
    onTestFinished(() => simulated.close());
    const { provider } = openProvider(simulated.url, { apiKey: simulated.key });
    for (const [host, type, typed] of odd) {
      const { value, prio } = readValue(type, typed, domain, { typed: undefined, kept: null });
      const at = readHost(host, domain, type);
      await provider.dns.createEntry({ name: domain, host: at, type, value, ...(prio === null ? {} : { prio }) });
    }
    const reader = readerOf(provider);
    const kept = await reader.dns.entries({ name: domain });
    expect(kept.length).toBeGreaterThan(odd.length);
    const resolver = await startNamed(await reader.dns.zoneFile({ name: domain }));
    const byName = Map.groupBy(kept, ({ host, type }) => `${host}|${type}`);
    for (const [at, records] of byName) {
      const [host = '', type = ''] = at.split('|') as [string, RecordType];
      const name = [host.replace('*', 'anything'), domain].filter((part) => part !== '').join('.');
      const expected = records.map(({ value, prio }) =>
        type === 'TXT' ? textOf(value) : prio === null ? value : `${prio} ${value}`,
      );
      expect(await ask(resolver, name, type as RecordType), `${name} ${type}`).toEqual(expected.toSorted());
    }
    expect(await ask(resolver, `utf8.${domain}`, 'TXT')).toEqual(['Grüße, 漢字 and 😀']);
    expect(await ask(resolver, `quote.${domain}`, 'TXT')).toEqual(['"']);
    expect(await ask(resolver, `quoted.${domain}`, 'TXT')).toEqual(['"hi"']);
    expect(await ask(resolver, `spaces.${domain}`, 'TXT')).toEqual([' at both edges ']);
  });
});
