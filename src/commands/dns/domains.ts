import { z } from 'zod';
import { type Account, type Domain, domainTarget, hasAddress, orderTarget } from '../../core/account/account.ts';
import { canonicalAddress } from '../../core/account/ip-address.ts';
import { domain, text } from '../../core/command/args.ts';
import type { WriteContext } from '../../core/command/command.ts';
import { readDomainName } from '../../core/dns/names.ts';
import { readValue } from '../../core/dns/read-value.ts';
import { fullName, isAddress, type KnownRecord } from '../../core/dns/record.ts';
import type { Verdict } from '../../core/plan/plan.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { atField } from '../../core/view/errors.ts';
import { dotted, formButton, type Row, runButton } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { type CommandContext, channelRead, defineAction, defineList, sent, verdictOf, withReadAt } from '../define.ts';
import { leftOut } from '../left-out.ts';
import { mustName } from '../must-name.ts';
import { protectionMark } from '../protection-mark.ts';
import { filterWords, patternOf, withPrefix } from '../servers/list-filter.ts';
import { readZone } from './changes.ts';
import { type May, sayPointing } from './details.ts';
import { subjectOf, zoneHash } from './record-plan.ts';

const hint = 'Such as tag:prod, *.org, an address that records have, or part of a name. All must fit.';

export const dnsDomains = defineList({
  path: 'dns domains',
  words: `| domain · zone · hosted zone · dns | which domain · what domain · all domain · list domain · list zone ·
    inventory of zones · still own`,
  title: 'Domains',
  summary: 'List the domains of the account, with their records and where they point',
  examples: ['dns domains', 'dns domains tag:prod 192.0.2.10'],
  alsoSays: ['do', 'we', 'have', 'are', 'there'],
  args: { filter: filterWords({ hint, example: 'tag:prod' }, 253) },
  ...channelRead,
  list: async ({ filter = [] }, { account: readAccount, may, bot }, show) => {
    const [account, protectionOf] = await Promise.all([readAccount(), bot.protections()]);
    const all = account.domains.filter((domain) => may('read', domainTarget(domain)));
    const words = withPrefix(filter.map((word) => word.toLowerCase()));
    const domains = all
      .filter((domain) => words.every((word) => fitOf(word)(domain)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const orders = account.orders.filter((order) => may('read', orderTarget(order)));
    const isUnread = account.unread.includes('domains');
    const odd = leftOut(account, 'domain', may);
    const names = domains.length + odd.length > 0 || isUnread ? [] : all.flatMap(({ name, tags }) => [name, ...tags]);
    mustName('dns domains', { words, names, isKnown: (word) => all.some(fitOf(word)) });
    const records = domains.reduce((sum, domain) => sum + domain.records.length, 0);
    const isCut = domains.length < all.length;
    const none = isCut ? 'No domain fits.' : 'No domain of the account may be read here.';
    const total = `${isCut ? `${domains.length} of ` : ''}${count(all.length, 'domain')} with ${count(records, 'record')}`;
    const unread =
      'The provider did not give the list of domains just now: this may be old or incomplete. Try again in a minute.';
    return show({
      all: domains,
      columns: [{ name: 'Domain' }, { name: 'Points to' }, { name: 'Mail' }],
      row: (domain) => rowOf(domain, orders, protectionMark(protectionOf, domainTarget(domain))),
      instead: isUnread ? 'Domains: unknown.' : none,
      total,
      foot: (note) => withReadAt(`${total}${note}`, account.readAt),
      above: [...(isUnread ? [{ kind: 'notice', tone: 'warning', text: unread } as const] : []), ...odd],
      buttons: [
        ...(isCut ? [runButton('All domains', 'dns domains')] : []),
        ...(domains.length > 0 ? [formButton('Records of…', 'dns list')] : []),
      ],
    });
  },
});

/** `tag:prod`, `*.org`, an address, or part of a name; a tag also without its prefix. */
function fitOf(word: string): (domain: Domain) => boolean {
  const [, tag] = /^tag:(.+)$/.exec(word) ?? [];
  const fits = patternOf(tag ?? word);
  if (tag !== undefined) return ({ tags }) => tags.some(fits);
  const address = canonicalAddress(word);
  if (address !== undefined)
    return ({ records }) => records.some(({ value }) => (canonicalAddress(value) ?? value) === address);
  if (word.includes('*')) return ({ name }) => fits(name);
  return ({ name, tags }) => name.toLowerCase().includes(word) || tags.some(fits);
}

function rowOf(domain: Domain, orders: Account['orders'], mark: string): Row {
  const apex = domain.records.filter((record) => record.host === '@');
  const leads = apex.filter(isAddress).map(({ value }) => orders.find(hasAddress(value))?.label ?? value);
  const mail = apex.filter((record) => record.type === 'MX').sort((a, b) => (a.prio ?? 0) - (b.prio ?? 0));
  return [
    dotted([`${domain.name}${mark}`, count(domain.records.length, 'record'), domain.tags.join(', ')]),
    firstFew([...new Set(leads)], 3),
    firstFew(mail, 2, (record) => record.value),
  ];
}

const addedDomain = z.object({ name: z.string(), ip: z.ipv4() });

export const dnsDomainAdd = defineAction({
  path: 'dns domain-add',
  words: 'add · create · new · register | domain · zone · new domain | one more domain · fresh zone',
  title: 'Add a domain',
  summary: 'Add a domain, with its first records, to the name servers',
  examples: ['dns domain-add example.edu 192.0.2.10', 'dns domain-add shop.example.info 192.0.2.11'],
  args: {
    name: text({
      hint: 'The domain, without www.',
      example: 'example.com',
      schema: z.string().trim().min(1, 'a name that is not empty'),
    }),
    ip: text({ hint: 'The IPv4 address that it should point to.', example: '192.0.2.10' }),
  },
  capability: 'dns',
  risk: 'dangerous',
  step: addedDomain,
  plan: async ({ name: typed, ip: address }, { reader, account: readAccount, may }) => {
    const name = readDomainName(typed);
    const ip = atField('ip', () => readValue('A', address, name, { typed: undefined, kept: null }).value);
    const [existing, account] = await Promise.all([findDomain(reader, name), readAccount()]);
    const isThere = hasAddress(ip);
    const owner = account.orders.find((order) => isThere(order) && may('read', orderTarget(order)));
    return {
      title: `Add the domain ${name}`,
      subject: [[{ bold: name }, ` · ${ip}`]],
      effect: `The provider creates a zone for ${name}, with name servers and an address record for ${ip}.`,
      glance: dotted([
        `a zone with A ${ip}${owner ? `, which is ${owner.label}` : ', which is no server of this account'}`,
        "to be registered elsewhere, with the provider's name servers",
        'the provider may refuse: its support turns this on',
      ]),
      details: [
        ['Server', owner ? `${ip} is ${owner.label}` : `${ip} is not the address of a server of this account.`],
        ['Name', `It has to be registered, and given the provider's name servers. That is not done here.`],
        ['Enabled', "Unknown: adding domains is off until the provider's support turns it on for the account."],
      ],
      facts: { domain: name, address: ip, 'in the account': existing !== undefined },
      steps: [{ target: domainTarget({ name }), label: name, data: { name, ip } }],
      nothingToDo: existing && `${name} is in the account already, with ${count(existing.entry_set.length, 'record')}.`,
    };
  },
  execute: addDomain,
  verify: ({ name }, context) => verifyDomain(name, context),
  done: ([{ data }]) => ({ text: `${data.name} added` }),
});

export const dnsDomainRemove = defineAction({
  path: 'dns domain-remove',
  words: 'remove · delete · purge · get rid of | domain · zone | domain delete · domain not our',
  title: 'Remove a domain',
  summary: 'Remove a domain and all its records from the name servers',
  examples: ['dns domain-remove example.net', 'dns domain-remove example.org'],
  args: { domain: domain({ hint: 'The domain to remove.', example: 'example.com' }) },
  capability: 'destroy',
  risk: 'destructive',
  step: z.object({ name: z.string() }),
  plan: async ({ domain }, { reader, account, may }) => {
    const zone = await readZone(reader, domain.name);
    const leading = leadingHere(domain, await account(), may);
    return {
      title: `Remove the domain ${domain.name}`,
      subject: [subjectOf(domain, zone)],
      effect: `${count(zone.length, 'record')} of ${domain.name} are deleted at once. Undo cannot restore them.`,
      glance: dotted([
        `${count(zone.length, 'record')} deleted at once, without undo`,
        `stops ${stops(domain, zone, 3)}`,
        leading?.replace(/[.]$/, '') ?? '',
      ]),
      details: [
        ['Stops', stops(domain, zone, 8)],
        ['Affected', leading ?? 'No record of another domain points to it.'],
        ['Copy', `None is kept. /host dns zone ${domain.name} gives the zone as a file.`],
        ['Registration', 'The name itself stays registered. Only its zone here is removed.'],
      ],
      facts: { domain: domain.name, zone: zoneHash(zone) },
      steps: [{ target: domainTarget(domain), label: domain.name, data: { name: domain.name } }],
      typedName: domain.name,
    };
  },
  execute: ({ name }, { provider }) => sent(provider.dns.deleteDomain({ name })),
  verify: async ({ name }, { reader }) => {
    const isGone = (await findDomain(reader, name)) === undefined;
    return verdictOf(isGone, 'the domain is no longer in the account', `${name} is still in the account`);
  },
  done: ([{ data }]) => ({ text: `${data.name} removed, with all its records` }),
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

export function addDomain({ name, ip }: z.infer<typeof addedDomain>, { provider }: WriteContext<Provider>) {
  return sent(provider.dns.createDomain({ name, ip }));
}

export async function verifyDomain(name: string, { reader }: CommandContext): Promise<Verdict> {
  const domain = await findDomain(reader, name);
  const records = count(domain?.entry_set.length ?? 0, 'record');
  const so = `the domain is in the account, with ${records}`;
  return verdictOf(domain !== undefined, so, `the account has no domain ${name}`);
}

export async function findDomain(reader: Reader, name: string) {
  return (await reader.dns.domains({ q: name })).find((domain) => domain.name.toLowerCase() === name.toLowerCase());
}
