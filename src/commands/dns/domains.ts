import { z } from 'zod';
import { type Domain, domainTarget, hasAddress, type Order, orderTarget } from '../../core/account/account.ts';
import { canonicalAddress } from '../../core/account/ip-address.ts';
import { optional, words } from '../../core/command/args.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { dotted, type Row, type ViewPart } from '../../core/view/view.ts';
import { buttonRow, formButton, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';
import { pinMark } from '../pin-mark.ts';
import { withReadAt } from '../read-at.ts';
import { patternOf, withPrefix } from '../servers/list-filter.ts';
import { leftOut } from '../unreadable.ts';

export const dnsDomains = defineQuery({
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
    page,
  },
  capability: 'read',
  visibility: 'channel',
  run: async ({ filter = [], page }, { account: readAccount, may, bot }) => {
    const [account, pinOf] = await Promise.all([readAccount(), bot.pins()]);
    const all = account.domains.filter((domain) => may('read', domainTarget(domain)));
    const fits = withPrefix(filter.map((word) => word.toLowerCase())).map(fitOf);
    const domains = all
      .filter((domain) => fits.every((isFit) => isFit(domain)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const orders = account.orders.filter((order) => may('read', orderTarget(order)));
    const row = (domain: Domain) => rowOf(domain, orders, pinMark(pinOf, domainTarget(domain)));
    const shown = paged(domains, page, {
      row,
      lineOf: (to) => ['dns domains', ...filter.map(quote), `page=${to}`].join(' '),
    });
    const isUnread = account.unread.includes('domains');
    const records = domains.reduce((sum, domain) => sum + domain.records.length, 0);
    const isCut = domains.length < all.length;
    const summary = `${isCut ? `${domains.length} of ` : ''}${count(all.length, 'domain')} with ${count(records, 'record')}`;
    const table: ViewPart = {
      kind: 'table',
      columns: [{ name: 'Domain' }, { name: 'Points to' }, { name: 'Mail' }],
      rows: shown.rows.map(row),
    };
    const unread: ViewPart = {
      kind: 'notice',
      tone: 'warning',
      text: 'The provider did not give the list of domains just now: this may be old or incomplete. Try again in a minute.',
    };
    return {
      summary,
      parts: [
        ...(isUnread ? [unread] : []),
        ...leftOut(account, 'domain', may),
        ...(shown.rows.length > 0
          ? [table]
          : [
              {
                kind: 'text',
                text: isUnread
                  ? 'Domains: unknown.'
                  : isCut
                    ? 'No domain fits.'
                    : 'No domain of the account may be read here.',
              } as const,
            ]),
        { kind: 'context', text: withReadAt(`${summary}${shown.note}`, account.readAt) },
        ...buttonRow([
          ...shown.buttons,
          ...(isCut ? [runButton('All domains', 'dns domains')] : []),
          ...(shown.rows.length > 0 ? [formButton('Records of…', 'dns list')] : []),
        ]),
      ],
      ...shown.more,
    };
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
  const addresses = apex
    .filter((record) => record.type === 'A' || record.type === 'AAAA')
    .map((record) => record.value);
  const leads = addresses.map((address) => orders.find(hasAddress(address))?.label ?? address);
  const mail = apex.filter((record) => record.type === 'MX').sort((a, b) => (a.prio ?? 0) - (b.prio ?? 0));
  return [
    dotted([`${domain.name}${mark}`, count(domain.records.length, 'record'), domain.tags.join(', ')]),
    firstFew([...new Set(leads)], 3),
    firstFew(
      mail.map((record) => record.value),
      2,
    ),
  ];
}
