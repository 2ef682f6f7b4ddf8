import { accountTarget } from '../core/account.ts';
import type { Finding } from '../core/alert.ts';
import { ProviderError } from '../core/errors.ts';
import { describeSshKey } from '../core/ssh-key.ts';
import { day } from '../core/words.ts';
import type { ProviderSshKey } from '../provider/endpoints/ssh-keys.ts';
import type { ItemList } from '../provider/items.ts';
import { defineAlert } from './define.ts';

/** Their lists are read one by one; of more servers it is not said that none of them uses a key. */
const mostServers = 500;
const readAtOnce = 4;

type Unused = Pick<ProviderSshKey, 'id' | 'title' | 'key'>;

export const sshKeyUnused = defineAlert<readonly Unused[]>({
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
  look: async ({ reader, names }) => {
    const [keys, { orders }] = await Promise.all([reader.sshKeys.list(), names()]);
    const servers = orders.filter(({ kind, status }) => kind === 'vps' && status !== 'canceled');
    if (keys.length === 0 || servers.length === 0 || servers.length > mostServers) return [];
    const used = new Set<number>();
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
    return keys.filter((key) => !used.has(key.id) && key.default !== true);

    /** A server that was removed meanwhile has none. Any other error leaves every alert as it is. */
    async function keysOf(order_id: string): Promise<ItemList<ProviderSshKey> | undefined> {
      try {
        return await reader.sshKeys.ofServer({ order_id });
      } catch (error) {
        if (error instanceof ProviderError && error.kind === 'not_found') return undefined;
        throw error;
      }
    }
  },
  find: (keys) => keys.map(found),
  calm: (cause) => `Key ${cause} is in use or removed`,
  sample: () =>
    found({
      id: 3,
      title: 'Old workstation',
      key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGNsYXNzaWMgZXhhbXBsZSBrZXkgb2YgMzIgYnl0ZXMh bob@desk',
    }),
});

function found({ id, title, key }: Unused): Finding {
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
