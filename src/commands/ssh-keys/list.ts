import { accountTarget, type Order, orderTarget } from '../../core/account/account.ts';
import { fingerprintOfLine } from '../../core/account/ssh-key.ts';
import { optional, order } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { count } from '../../core/text/words.ts';
import type { Row, View, ViewPart } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { ProviderSshKey } from '../../provider/endpoints/ssh-keys.ts';
import type { ItemList } from '../../provider/items.ts';
import { buttonRow, formButton, menuPart, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';
import { leftOutItems } from '../unreadable.ts';
import { liveServers, readable, readLinks, titleOf } from './keys.ts';

export const sshKeyList = defineQuery({
  path: 'ssh-key list',
  title: 'SSH keys',
  summary: 'List the SSH keys of the account, or those linked to a server',
  examples: ['ssh-key list', 'ssh-key list web-1'],
  args: { server: optional(order({ hint: 'A server. Without it, all keys of the account.', example: 'web-1' })), page },
  isAccountWide: ({ server }) => server === undefined,
  capability: 'read',
  visibility: 'channel',
  run: ({ server, page }, context) =>
    server === undefined ? ofAccount(page, context) : ofServer(server, page, context),
});

async function ofAccount(page: number, context: ReadContext<Reader>): Promise<View> {
  const [keys, account] = await Promise.all([context.reader.sshKeys.list(), context.account()]);
  const links = await readLinks(context.reader, readable(liveServers(account), context));
  const uses = (id: number) => [...links.values()].filter((linked) => linked.some((key) => key.id === id)).length;
  const mayChange = context.may('secrets', accountTarget);
  return tableOf(keys, page, {
    none: 'The account has no SSH keys.',
    line: 'ssh-key list',
    last: { name: 'Linked to', cell: ({ id }) => `${uses(id)} of ${count(links.size, 'server')}` },
    buttons: mayChange ? [formButton('Add a key…', 'ssh-key add'), formButton('Remove a key…', 'ssh-key remove')] : [],
  });
}

async function ofServer(server: Order, page: number, { reader, may }: ReadContext<Reader>): Promise<View> {
  const keys = await reader.sshKeys.ofServer({ order_id: server.id });
  const mayChange = may('secrets', orderTarget(server));
  const view = tableOf(keys, page, {
    none: `No SSH key is linked to ${server.label}.`,
    line: `ssh-key list ${server.id}`,
    last: { name: 'Id', cell: ({ id }) => String(id) },
    buttons: mayChange ? [formButton('Link a key…', 'ssh-key link')] : [],
  });
  const text =
    'These keys are written to the server when it is installed the next time; which it holds now cannot be read.';
  return { ...view, parts: [...view.parts, { kind: 'context', text }] };
}

interface Looks {
  readonly none: string;
  readonly line: string;
  readonly last: { readonly name: string; readonly cell: (key: ProviderSshKey) => string };
  readonly buttons: Parameters<typeof buttonRow>[0];
}

function tableOf(keys: ItemList<ProviderSshKey>, page: number, { none, line, last, buttons }: Looks): View {
  const odd = leftOutItems(keys.unreadable, 'SSH key');
  if (keys.length === 0) {
    const words: ViewPart[] = odd.length > 0 ? odd : [{ kind: 'text', text: none }];
    return { summary: odd.length > 0 ? 'No SSH key could be read.' : none, parts: [...words, ...buttonRow(buttons)] };
  }
  const row = (key: ProviderSshKey): Row => [
    `${titleOf(key)}${key.default === true ? ' · default' : ''}`,
    [{ code: fingerprintOfLine(key.key) ?? 'cannot be read' }],
    last.cell(key),
  ];
  const sorted = keys.toSorted((a, b) => titleOf(a).localeCompare(titleOf(b), 'en', { numeric: true }));
  const shown = paged(sorted, page, { row, lineOf: (to) => `${line} page:${to}` });
  const totals = count(keys.length, 'SSH key');
  return {
    summary: totals,
    parts: [
      ...odd,
      {
        kind: 'table',
        columns: [{ name: 'Title' }, { name: 'Fingerprint' }, { name: last.name }],
        rows: shown.rows.map(row),
      },
      ...menuPart(
        'Show one in full',
        shown.rows.map((key) => runButton(titleOf(key), `ssh-key show ${key.id}`)),
      ),
      { kind: 'context', text: `${totals}${shown.note}` },
      ...buttonRow([...shown.buttons, ...buttons]),
    ],
    ...shown.more,
  };
}
