import { z } from 'zod';
import { type Account, type Domain, domainTarget } from '../../core/account/account.ts';
import { domain } from '../../core/command/args.ts';
import { fullName, isAddress, type KnownRecord } from '../../core/dns/record.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { dotted, type Text } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { readZone } from './changes.ts';
import { type May, sayPointing } from './details.ts';
import { findDomain } from './domain-add.ts';
import { subjectOf, zoneHash } from './record-plan.ts';

export const dnsDomainRemove = defineAction({
  path: 'dns domain-remove',
  title: 'Remove a domain',
  summary: 'Remove a domain and all its records from the name servers',
  examples: ['dns domain-remove example.net', 'dns domain-remove example.org'],
  args: { domain: domain({ hint: 'The domain to remove.', example: 'example.com' }) },
  capability: 'destroy',
  risk: 'destructive',
  step: z.object({ name: z.string() }),
  plan: async ({ domain }, { reader, account, may }) => {
    const zone = await readZone(reader, domain.name);
    const target = domainTarget(domain);
    const leading = leadingHere(domain, await account(), may);
    const details: [string, Text][] = [
      ['Stops', stops(domain, zone, 8)],
      ['Affected', leading ?? 'No record of another domain points to it.'],
      ['Copy', `None is kept. /host dns zone ${domain.name} gives the zone as a file.`],
      ['Registration', 'The name itself stays registered. Only its zone here is removed.'],
    ];
    return {
      title: `Remove the domain ${domain.name}`,
      subject: [subjectOf(domain, zone)],
      targets: [target],
      effect: `${count(zone.length, 'record')} of ${domain.name} are deleted at once. Undo cannot restore them.`,
      glance: dotted([
        `${count(zone.length, 'record')} deleted at once, without undo`,
        `stops ${stops(domain, zone, 3)}`,
        leading?.replace(/[.]$/, '') ?? '',
      ]),
      details,
      facts: { domain: domain.name, zone: zoneHash(zone) },
      steps: [{ target, label: domain.name, data: { name: domain.name } }],
      typedName: domain.name,
    };
  },
  execute: async ({ name }, { provider }) => {
    await provider.dns.deleteDomain({ name });
    return { text: '', data: { name } };
  },
  verify: async ({ name }, { reader }) =>
    (await findDomain(reader, name)) === undefined
      ? { is: 'so', text: 'the domain is no longer in the account' }
      : { is: 'not', text: `${name} is still in the account` },
  done: (steps) => ({ text: `${steps[0]?.data.name ?? 'the domain'} removed, with all its records` }),
});

/** Describes what stops working: names with addresses, and mail. */
function stops(domain: Domain, zone: readonly KnownRecord[], most: number): string {
  const leading = zone.filter((record) => isAddress(record) || record.type === 'CNAME');
  const names = [...new Set(leading.map(({ host }) => fullName(host, domain.name)))];
  const parts = [
    names.length === 0 ? 'No name has an address' : `${count(names.length, 'name')}: ${firstFew(names, most)}`,
    ...(zone.some((record) => record.type === 'MX') ? ['mail to its addresses'] : []),
  ];
  return parts.join('; ');
}

/** Records of other domains that point into this one; undefined without any. */
function leadingHere({ name }: Domain, { domains, unread }: Account, may: May): string | undefined {
  if (unread.includes('domains')) return 'Unknown: the other zones could not be read.';
  const others = domains.filter((other) => other.name !== name);
  const isMeant = (target: string) => target === name || target.endsWith(`.${name}`);
  return sayPointing(others, may, { of: ' of other domains', to: 'to it', isMeant });
}
