import { accountTarget } from '../core/account/account.ts';
import { describeSshKey, fingerprintOfLine } from '../core/account/ssh-key.ts';
import type { AlertEnd, Finding, Roster } from '../core/alert/alert.ts';
import { day } from '../core/text/words.ts';
import type { Text } from '../core/view/view.ts';
import type { ProviderSshKey } from '../provider/endpoints/ssh-keys.ts';
import { defineAlert } from './define.ts';

interface Departed {
  readonly id: number;
  readonly title: string;
  readonly described: string;
  readonly owner: string;
  /** The owner's name in the key; undefined if the owner was recorded here. */
  readonly name: string | undefined;
}

interface Facts {
  readonly departed: readonly Departed[];
  /** All keys of the account, including unreadable ones. */
  readonly there: ReadonlySet<string>;
  /** Keys of active people. */
  readonly active: ReadonlySet<string>;
  /** Keys without a recorded owner that name no person of the workspace. */
  readonly nobodys: ReadonlySet<string>;
}

export const sshKeyOwner = defineAlert<Facts>({
  name: 'ssh-key-owner',
  title: 'An SSH key belongs to somebody who is deactivated',
  many: (n) => `${n} SSH keys belong to people who are deactivated`,
  isAboutAccount: true,
  reads:
    'the SSH keys of the account, their recorded owners and the people in Slack; of a key without an owner the name in its comment or title, where exactly one person has it',
  everyMs: 7 * day,
  looksAfter: 'ssh-key ',
  fires: 'the owner is deactivated in Slack',
  clears: 'the key is removed, has another owner, or that person is active again',
  offers: 'Show',
  capability: 'read',
  read: async ({ reader, roster, isDeactivated, sshKeyOwners }) => {
    const [keys, owners, people] = await Promise.all([reader.sshKeys.list(), sshKeyOwners(), roster()]);
    if (people === undefined) return undefined;
    const departed: Departed[] = [];
    const active = new Set<string>();
    const nobodys = new Set<string>();
    for (const key of keys) {
      const recorded = owners.get(fingerprintOfLine(key.key) ?? '');
      const gone = recorded === undefined ? undefined : await isDeactivated(recorded);
      if (recorded !== undefined && gone === undefined) return undefined;
      if (recorded !== undefined && gone === true) departed.push(departedOf(key, recorded, undefined));
      if (gone === false) active.add(String(key.id));
      const named = recorded === undefined ? personNamedIn(key, people) : undefined;
      if (named?.isDeactivated) departed.push(departedOf(key, named.id, named.name));
      else if (named !== undefined) active.add(String(key.id));
      if (recorded === undefined && named === undefined && people.isComplete) nobodys.add(String(key.id));
    }
    return { departed, active, nobodys, there: new Set([...keys, ...keys.unreadable].map(({ id }) => String(id))) };
  },
  find: ({ departed }) => departed.map(findingOf),
  calm: (cause, { there, active, nobodys }): AlertEnd | undefined => {
    if (active.has(cause)) return `The SSH key ${cause} belongs to somebody who is active`;
    if (nobodys.has(cause)) return { over: `The SSH key ${cause} names no person who is here` };
    return there.has(cause) ? undefined : `The SSH key ${cause} is removed`;
  },
  sample: () =>
    findingOf({
      id: 3,
      title: 'Old workstation',
      described: 'ssh-ed25519 · SHA256:A2xaug904sRjhefvsAXLPVMQdy3CoWa65ec8pFwTQvo · bob@desk',
      owner: 'U012AB3CD',
      name: 'bob',
    }),
});

/**
 * Finds the person whom a key names. A key proves no owner, so a name counts only if it is unambiguous: the whole
 * comment, its part before the @, or the whole title must be a name of exactly one person of the workspace, active or
 * not.
 */
export function personNamedIn(
  { key, title }: Pick<ProviderSshKey, 'key' | 'title'>,
  { people, isComplete }: Roster,
): { readonly id: string; readonly name: string; readonly isDeactivated: boolean } | undefined {
  if (!isComplete) return undefined;
  const comment = key.trim().split(/\s+/).slice(2).join(' ').toLowerCase();
  const words = new Set([comment, comment.split('@', 1)[0] ?? '', title.trim().toLowerCase()]);
  words.delete('');
  const [only, ...others] = people.filter(({ names }) => names.some((name) => words.has(name)));
  if (only === undefined || others.length > 0) return undefined;
  const name = only.names.find((each) => words.has(each)) ?? '';
  return { id: only.id, name, isDeactivated: only.isDeactivated };
}

function departedOf(key: ProviderSshKey, owner: string, name: string | undefined): Departed {
  const title = key.title === '' ? `key ${key.id}` : key.title;
  return { id: key.id, title, described: describeSshKey(key.key), owner, name };
}

function findingOf({ id, title, described, owner, name }: Departed): Finding {
  const why: Text =
    name === undefined
      ? ['It belongs to ', { user: owner }, ', who is deactivated.']
      : [
          `It names ${name}, which is `,
          { user: owner },
          ', who is deactivated. If it is not theirs, record the owner.',
        ];
  return {
    cause: String(id),
    target: accountTarget,
    title: `The SSH key ${title} belongs to somebody who is deactivated`,
    lines: [described, why, 'Remove it from the account, and from the servers that have it already.'],
    severity: 'warning',
    level: 0,
    offers: [{ label: 'Show', line: `ssh-key show ${id}` }],
    isNotForSupport: true,
  };
}
