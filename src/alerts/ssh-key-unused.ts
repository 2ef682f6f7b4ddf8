import { accountTarget } from '../core/account/account.ts';
import { describeSshKey } from '../core/account/ssh-key.ts';
import type { AlertEnd, Finding } from '../core/alert/alert.ts';
import { day } from '../core/text/words.ts';
import { ProviderError } from '../core/view/errors.ts';
import type { ProviderSshKey } from '../provider/endpoints/ssh-keys.ts';
import type { ItemList } from '../provider/items.ts';
import { defineAlert } from './define.ts';

/** Lists of servers are read one by one; with more servers, no key is reported as unused. */
const mostServers = 500;
const readAtOnce = 4;

type Unused = Pick<ProviderSshKey, 'id' | 'title' | 'key'>;

interface Facts {
  readonly unused: readonly Unused[];
  readonly keys: ItemList<ProviderSshKey>;
  /** Keys that are on a server's list or that new servers get. */
  readonly used: ReadonlySet<number>;
}

export const sshKeyUnused = defineAlert<Facts>({
  name: 'ssh-key-unused',
  title: 'An SSH key is linked to no server',
  many: (n) => `${n} SSH keys are linked to no server`,
  isAboutAccount: true,
  reads: `the SSH keys of the account and those of each server, up to ${mostServers} servers`,
  everyMs: 7 * day,
  looksAfter: 'ssh-key ',
  fires: 'no server has the key on its list, and it is no default key',
  clears: 'a server has it, or it is removed',
  offers: 'Show',
  capability: 'read',
  read: async ({ reader, names }) => {
    const [keys, { orders }] = await Promise.all([reader.sshKeys.list(), names()]);
    const servers = orders.filter(({ kind, status }) => kind === 'vps' && status !== 'canceled');
    const used = new Set(keys.filter((key) => key.default === true).map(({ id }) => id));
    if (servers.length === 0 || servers.length > mostServers) return { keys, used, unused: [] };
    const waiting = servers.values();
    await Promise.all(
      Array.from({ length: readAtOnce }, async () => {
        for (const { id } of waiting) {
          const linked = await keysOf(id);
          for (const key of linked ?? []) used.add(key.id);
          for (const odd of linked?.unreadable ?? []) used.add(Number(odd.id));
        }
      }),
    );
    return { keys, used, unused: keys.filter((key) => !used.has(key.id)) };

    /** A server that was removed meanwhile has no keys. Any other error changes no alert. */
    async function keysOf(order_id: string): Promise<ItemList<ProviderSshKey> | undefined> {
      try {
        return await reader.sshKeys.ofServer({ order_id });
      } catch (error) {
        if (error instanceof ProviderError && error.kind === 'not_found') return undefined;
        throw error;
      }
    }
  },
  find: ({ unused }) => unused.map(findingOf),
  calm: (cause, { keys, used }): AlertEnd | undefined => {
    if (used.has(Number(cause))) return `The SSH key ${cause} is in use`;
    const isThere = [...keys, ...keys.unreadable].some(({ id }) => String(id) === cause);
    return isThere ? undefined : `The SSH key ${cause} is removed`;
  },
  sample: () =>
    findingOf({
      id: 3,
      title: 'Old workstation',
      key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGNsYXNzaWMgZXhhbXBsZSBrZXkgb2YgMzIgYnl0ZXMh bob@desk',
    }),
});

function findingOf({ id, title, key }: Unused): Finding {
  return {
    cause: String(id),
    target: accountTarget,
    title: `The SSH key ${title === '' ? `key ${id}` : title} is linked to no server`,
    lines: [describeSshKey(key), 'Remove it if nobody needs it.'],
    severity: 'info',
    level: 0,
    offers: [{ label: 'Show', line: `ssh-key show ${id}` }],
    isNotForSupport: true,
  };
}
