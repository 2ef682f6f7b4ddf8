import { accountTarget, liveServers, orderTarget } from '../../core/account/account.ts';
import { fingerprintOfLine } from '../../core/account/ssh-key.ts';
import { optional, order } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { byNumbers, count } from '../../core/text/words.ts';
import { formButton, offered, runButton } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { ProviderSshKey } from '../../provider/endpoints/ssh-keys.ts';
import { leftOutItems } from '../left-out.ts';
import { defineList } from '../list.ts';
import { serversOf } from '../servers/see-servers.ts';
import { readLinks, titleOf } from './keys.ts';

export const sshKeyList = defineList({
  path: 'ssh-key list',
  title: 'SSH keys',
  summary: 'List the SSH keys of the account, or those linked to a server',
  examples: ['ssh-key list', 'ssh-key list web-1'],
  args: { server: optional(order({ hint: 'A server. Without it, all keys of the account.', example: 'web-1' })) },
  isAccountWide: ({ server }) => server === undefined,
  capability: 'read',
  visibility: 'channel',
  list: async ({ server }, context, show) => {
    const { reader, may } = context;
    const keys = await (server === undefined
      ? reader.sshKeys.list()
      : reader.sshKeys.ofServer({ order_id: server.id }));
    const odd = leftOutItems(keys.unreadable, 'SSH key');
    const cell = server === undefined ? await linkedTo(context) : ({ id }: ProviderSshKey) => String(id);
    const none = server === undefined ? 'The account has no SSH keys.' : `No SSH key is linked to ${server.label}.`;
    const text =
      'These keys are written to the server when it is installed the next time; which it holds now cannot be read.';
    return show({
      all: keys.toSorted((a, b) => byNumbers(titleOf(a), titleOf(b))),
      columns: [{ name: 'Title' }, { name: 'Fingerprint' }, { name: server === undefined ? 'Linked to' : 'Id' }],
      row: (key) => [
        `${titleOf(key)}${key.default === true ? ' · default' : ''}`,
        [{ code: fingerprintOfLine(key.key) ?? 'cannot be read' }],
        cell(key),
      ],
      none: odd.length > 0 ? 'No SSH key could be read.' : none,
      total: count(keys.length, 'SSH key'),
      above: odd,
      showOne: (key) => runButton(titleOf(key), `ssh-key show ${key.id}`),
      buttons: offered([
        [server === undefined && may('secrets', accountTarget), formButton('Add a key…', 'ssh-key add')],
        [server === undefined && may('secrets', accountTarget), formButton('Remove a key…', 'ssh-key remove')],
        [server !== undefined && may('secrets', orderTarget(server)), formButton('Link a key…', 'ssh-key link')],
      ]),
      after: server === undefined ? [] : [{ kind: 'context', text }],
    });
  },
});

/** `2 of 14 servers` */
async function linkedTo(context: ReadContext<Reader>): Promise<(key: ProviderSshKey) => string> {
  const servers = serversOf(liveServers((await context.account()).orders), context.may);
  const links = await readLinks(context.reader, servers);
  const uses = (id: number) => [...links.values()].filter((linked) => linked.some((key) => key.id === id)).length;
  return ({ id }) => `${uses(id)} of ${count(links.size, 'server')}`;
}
