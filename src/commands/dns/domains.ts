import { z } from 'zod';
import { type Domain, domainTarget, hasAddress, type Order, orderTarget } from '../../core/account/account.ts';
import { canonicalAddress } from '../../core/account/ip-address.ts';
import { optional, words } from '../../core/command/args.ts';
import { isAddress } from '../../core/dns/record.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { dotted, formButton, type Row, runButton } from '../../core/view/view.ts';
import { leftOut } from '../left-out.ts';
import { defineList } from '../list.ts';
import { protectionMark } from '../protection-mark.ts';
import { withReadAt } from '../read-at.ts';
import { patternOf, withPrefix } from '../servers/list-filter.ts';

export const dnsDomains = defineList({
  path: 'dns domains',
  title: 'Domains',
  summary: 'List the domains of the account, with their records and where they point',
  examples: ['dns domains', 'dns domains tag:prod 192.0.2.10'],
  alsoSays: ['do', 'we', 'have', 'are', 'there'],
  args: {
    filter: optional(
      words({
        hint: 'Such as tag:prod, *.org, an address that records have, or part of a name. All must fit.',
        example: 'tag:prod',
        schema: z.string().max(253, 'a shorter word'),
        most: 10,
      }),
    ),
  },
  capability: 'read',
  visibility: 'channel',
  list: async ({ filter = [] }, { account: readAccount, may, bot }, show) => {
    const [account, protectionOf] = await Promise.all([readAccount(), bot.protections()]);
    const all = account.domains.filter((domain) => may('read', domainTarget(domain)));
    const fits = withPrefix(filter.map((word) => word.toLowerCase())).map(fitOf);
    const domains = all
      .filter((domain) => fits.every((isFit) => isFit(domain)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const orders = account.orders.filter((order) => may('read', orderTarget(order)));
    const isUnread = account.unread.includes('domains');
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
      above: [
        ...(isUnread ? [{ kind: 'notice', tone: 'warning', text: unread } as const] : []),
        ...leftOut(account, 'domain', may),
      ],
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

function rowOf(domain: Domain, orders: readonly Order[], mark: string): Row {
  const apex = domain.records.filter((record) => record.host === '@');
  const leads = apex.filter(isAddress).map(({ value }) => orders.find(hasAddress(value))?.label ?? value);
  const mail = apex.filter((record) => record.type === 'MX').sort((a, b) => (a.prio ?? 0) - (b.prio ?? 0));
  return [
    dotted([`${domain.name}${mark}`, count(domain.records.length, 'record'), domain.tags.join(', ')]),
    firstFew([...new Set(leads)], 3),
    firstFew(mail, 2, (record) => record.value),
  ];
}
