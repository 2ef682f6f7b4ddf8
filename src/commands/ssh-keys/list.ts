import { accountTarget, liveServers, type Order, orderTarget } from '../../core/account/account.ts';
import { fingerprintOfLine } from '../../core/account/ssh-key.ts';
import { optional, order } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { byNumbers, count } from '../../core/text/words.ts';
import { type Button, buttonRow, formButton, runButton, type View, type ViewPart } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { ProviderSshKey } from '../../provider/endpoints/ssh-keys.ts';
import type { ItemList } from '../../provider/items.ts';
import { leftOutItems } from '../left-out.ts';
import { defineList, type Show } from '../list.ts';
import { readable, readLinks, titleOf } from './keys.ts';

export const sshKeyList = defineList({
  path: 'ssh-key list',
  title: 'SSH keys',
  summary: 'List the SSH keys of the account, or those linked to a server',
  examples: ['ssh-key list', 'ssh-key list web-1'],
  args: { server: optional(order({ hint: 'A server. Without it, all keys of the account.', example: 'web-1' })) },
  isAccountWide: ({ server }) => server === undefined,
  capability: 'read',
  visibility: 'channel',
  list: ({ server }, context, show) =>
    server === undefined ? ofAccount(context, show) : ofServer(server, context, show),
});

async function ofAccount(context: ReadContext<Reader>, show: Show): Promise<View> {
  const [keys, account] = await Promise.all([context.reader.sshKeys.list(), context.account()]);
  const links = await readLinks(context.reader, readable(liveServers(account.orders), context));
  const uses = (id: number) => [...links.values()].filter((linked) => linked.some((key) => key.id === id)).length;
  const mayChange = context.may('secrets', accountTarget);
  return showKeys(keys, show, {
    none: 'The account has no SSH keys.',
    last: { name: 'Linked to', cell: ({ id }) => `${uses(id)} of ${count(links.size, 'server')}` },
    buttons: mayChange ? [formButton('Add a key…', 'ssh-key add'), formButton('Remove a key…', 'ssh-key remove')] : [],
    after: [],
  });
}

async function ofServer(server: Order, { reader, may }: ReadContext<Reader>, show: Show): Promise<View> {
  const text =
    'These keys are written to the server when it is installed the next time; which it holds now cannot be read.';
  return showKeys(await reader.sshKeys.ofServer({ order_id: server.id }), show, {
    none: `No SSH key is linked to ${server.label}.`,
    last: { name: 'Id', cell: ({ id }) => String(id) },
    buttons: may('secrets', orderTarget(server)) ? [formButton('Link a key…', 'ssh-key link')] : [],
    after: [{ kind: 'context', text }],
  });
}

interface Looks {
  readonly none: string;
  readonly last: { readonly name: string; readonly cell: (key: ProviderSshKey) => string };
  readonly buttons: readonly Button[];
  readonly after: readonly ViewPart[];
}

async function showKeys(keys: ItemList<ProviderSshKey>, show: Show, { last, ...looks }: Looks): Promise<View> {
  const odd = leftOutItems(keys.unreadable, 'SSH key');
  if (keys.length === 0 && odd.length > 0)
    return { summary: 'No SSH key could be read.', parts: [...odd, ...buttonRow(looks.buttons), ...looks.after] };
  return show({
    all: keys.toSorted((a, b) => byNumbers(titleOf(a), titleOf(b))),
    columns: [{ name: 'Title' }, { name: 'Fingerprint' }, { name: last.name }],
    row: (key) => [
      `${titleOf(key)}${key.default === true ? ' · default' : ''}`,
      [{ code: fingerprintOfLine(key.key) ?? 'cannot be read' }],
      last.cell(key),
    ],
    total: count(keys.length, 'SSH key'),
    above: odd,
    showOne: (key) => runButton(titleOf(key), `ssh-key show ${key.id}`),
    ...looks,
  });
}
