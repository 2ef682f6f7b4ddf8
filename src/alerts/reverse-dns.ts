import { accountTarget, orderTarget, type Target } from '../core/account/account.ts';
import { canonicalAddress } from '../core/account/ip-address.ts';
import type { AlertEnd, Finding } from '../core/alert/alert.ts';
import { bare, fullName, isAddress } from '../core/dns/record.ts';
import { hour } from '../core/text/words.ts';
import type { PublicAddress } from '../provider/endpoints/account.ts';
import { defineAlert, warning } from './define-alert.ts';

type Mismatch = Pick<PublicAddress, 'ip' | 'rdns'> & { readonly names: readonly string[]; readonly target: Target };

export const reverseDns = defineAlert({
  name: 'reverse-dns',
  title: 'The reverse DNS of a mail server does not match its name',
  many: (n, name) => `${name === undefined ? '' : `${name}: `}${n} addresses have the wrong reverse DNS name`,
  everyMs: 6 * hour,
  fires: 'an address behind an MX record has another reverse DNS name than the mail server, or none',
  clears: 'the names match, or the address is no longer that of a mail server',
  read: async ({ reader, account }) => {
    const { domains, orders, unread, unreadable } = await account();
    if (unread.includes('domains')) return undefined;
    const records = domains.flatMap((domain) =>
      domain.records.map((record) => ({ ...record, name: bare(fullName(record.host, domain.name)) })),
    );
    const mailServers = new Set(records.filter(({ type }) => type === 'MX').map(({ value }) => bare(value)));
    const namesOf = Map.groupBy(
      records.filter((record) => isAddress(record) && mailServers.has(record.name)),
      ({ value }) => canonicalAddress(value) ?? value,
    );
    const addresses = await reader.network.addresses();
    const mismatches = addresses.flatMap(({ ip, rdns, order }): Mismatch[] => {
      const names = [...new Set((namesOf.get(canonicalAddress(ip) ?? ip) ?? []).map(({ name }) => name))];
      if (names.length === 0 || names.includes(bare(rdns))) return [];
      const server = orders.find(({ id }) => id === order?.unique_number);
      return [{ ip, rdns, names, target: server === undefined ? accountTarget : orderTarget(server) }];
    });
    return {
      mismatches,
      names: new Map(addresses.map(({ ip, rdns }) => [ip, rdns])),
      /** Addresses behind an MX record. */
      mail: new Set(namesOf.keys()),
      /** False if a domain or an address could not be read: then no address is certainly without a mail server. */
      isWhole: addresses.unreadable.length === 0 && !unreadable.some(({ kind }) => kind === 'domain'),
    };
  },
  find: ({ mismatches }) => mismatches.map(findingOf),
  calm: (cause, { names, mail, isWhole }): AlertEnd | undefined => {
    const name = names.get(cause);
    if (name !== undefined && mail.has(canonicalAddress(cause) ?? cause))
      return `${cause} has the reverse DNS name ${name}`;
    if (!isWhole) return undefined;
    if (name === undefined) return { over: `${cause} is no longer an address of the account` };
    return `No MX record points to ${cause} now`;
  },
  sample: () =>
    findingOf({
      ip: '203.0.113.25',
      names: ['mail.example.com'],
      rdns: '203-0-113-25.hosting.example',
      target: accountTarget,
    }),
});

function findingOf({ ip, names, rdns, target }: Mismatch): Finding {
  return {
    cause: ip,
    target,
    title: `${ip} has ${rdns === '' ? 'no reverse DNS name' : `the reverse DNS name ${rdns}`}`,
    lines: [
      `it receives mail as ${names.join(', ')}; other mail servers may refuse what it sends`,
      'the API does not change reverse DNS: ask support',
    ],
    ...warning,
    // All addresses of one server share a button.
    offers: [{ label: 'Addresses', line: `ip list ${target.kind === 'order' ? target.id : ip}` }],
  };
}
