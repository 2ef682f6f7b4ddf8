import { type Domain, domainTarget, hasAddress, type Order, orderTarget } from '../../core/account/account.ts';
import { count, firstFew } from '../../core/text/words.ts';
import type { Text, ViewPart } from '../../core/view/view.ts';
import { buttonRow, formButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';
import { pinMark } from '../pin-mark.ts';
import { withReadAt } from '../read-at.ts';
import { leftOut } from '../unreadable.ts';

export const dnsDomains = defineQuery({
  path: 'dns domains',
  title: 'Domains',
  summary: 'List the domains of the account, with their records and where they point',
  examples: ['dns domains', 'dns domains page=1'],
  alsoCalled: ['domains', 'zones', 'all domains', 'which domains', 'what domains'],
  alsoSays: ['do', 'we', 'have', 'are', 'there'],
  args: { page },
  capability: 'read',
  visibility: 'channel',
  run: async ({ page }, { account: readAccount, may, bot }) => {
    const [account, pinOf] = await Promise.all([readAccount(), bot.pins()]);
    const domains = account.domains
      .filter((domain) => may('read', domainTarget(domain)))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const orders = account.orders.filter((order) => may('read', orderTarget(order)));
    const row = (domain: Domain) => rowOf(domain, orders, pinMark(pinOf, domainTarget(domain)));
    const shown = paged(domains, page, { row, lineOf: (to) => `dns domains page=${to}` });
    const isUnread = account.unread.includes('domains');
    const records = domains.reduce((sum, domain) => sum + domain.records.length, 0);
    const summary = `${count(domains.length, 'domain')} with ${count(records, 'record')}`;
    const table: ViewPart = {
      kind: 'table',
      columns: [
        { name: 'Domain' },
        { name: 'Records', align: 'right' },
        { name: 'Points to' },
        { name: 'Mail' },
        { name: 'Tags' },
      ],
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
                text: isUnread ? 'Domains: unknown.' : 'No domain of the account may be read here.',
              } as const,
            ]),
        { kind: 'context', text: withReadAt(`${summary}${shown.note}`, account.readAt) },
        ...buttonRow([...shown.buttons, ...(shown.rows.length > 0 ? [formButton('Records of…', 'dns list')] : [])]),
      ],
      ...shown.more,
    };
  },
});

function rowOf(domain: Domain, orders: readonly Order[], mark: string): Text[] {
  const apex = domain.records.filter((record) => record.host === '@');
  const addresses = apex
    .filter((record) => record.type === 'A' || record.type === 'AAAA')
    .map((record) => record.value);
  const leads = addresses.map((address) => orders.find(hasAddress(address))?.label ?? address);
  const mail = apex.filter((record) => record.type === 'MX').sort((a, b) => (a.prio ?? 0) - (b.prio ?? 0));
  return [
    `${domain.name}${mark}`,
    String(domain.records.length),
    firstFew([...new Set(leads)], 3),
    firstFew(
      mail.map((record) => record.value),
      2,
    ),
    domain.tags.join(', '),
  ];
}
