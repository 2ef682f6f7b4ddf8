import type { Membership } from '../../../src/core/policy/membership.ts';
import type { Channel, Directory } from '../../../src/engine/context/ports.ts';

/** People and channels without Slack: five people, their group and one channel, which a test changes as it likes. */

export const people: Readonly<Record<string, string>> = {
  admin: 'U0ADMIN',
  operator: 'U0OPERATOR',
  lead: 'U0LEAD',
  reader: 'U0READER',
  guest: 'U0GUEST',
};
export const ops = 'C0OPS';
export const opsGroup = 'S0OPS';

interface Person {
  readonly name: string;
  readonly membership: Membership;
}

export type FakeSlack = ReturnType<typeof createFakeSlack>;

export function createFakeSlack() {
  const roster = new Map<string, Person>(
    Object.entries(people).map(([name, id]) => [id, { name, membership: name === 'guest' ? 'guest' : 'member' }]),
  );
  const groups = new Map<string, Set<string>>([[opsGroup, new Set([people.operator ?? '', people.lead ?? ''])]]);
  const closed = { isPrivate: true, isShared: false, isArchived: false, hasBot: true } as const;
  const channels = new Map<string, Channel>([[ops, { id: ops, name: 'ops', ...closed }]]);

  /** Channels of which the test's people are no members. */
  const unjoined = new Set<string>();
  /** People who are in no channel. */
  const absent = new Set<string>();

  /** People whose time zone Slack does not say. */
  const zoneless = new Set<string>();

  /** Messages that Slack no longer has. */
  const deleted = new Set<string>();
  const directory: Directory = {
    person: async (user) => {
      const found = roster.get(user);
      if (!found) throw new Error('user_not_found');
      return { id: user, ...found, timeZone: zoneless.has(user) ? undefined : 'Europe/Amsterdam' };
    },
    channel: async (channel) => {
      const found = channels.get(channel);
      if (found) return found;
      if (channel.startsWith('D')) return { id: channel, name: 'dm', ...closed };
      throw new Error('channel_not_found');
    },
    groupMembers: async (group) => groups.get(group) ?? new Set(),
    groupName: async (group) => (group === opsGroup ? '@ops' : undefined),
    named: async (handle) => [
      ...[...roster].filter(([, { name }]) => name === handle).map(([id]) => ({ id, kind: 'person' }) as const),
      ...(handle === 'ops' ? [{ id: opsGroup, kind: 'group' } as const] : []),
    ],
    roster: async () =>
      [...roster].flatMap(([id, { name, membership }]) =>
        membership === 'deactivated' ? [] : [{ id, names: [name.toLowerCase()] }],
      ),
    isInChannel: async (channel, user) => !unjoined.has(channel) && !absent.has(user),
    permalink: async (channel, ts) =>
      deleted.has(ts) ? undefined : `https://acme.slack.com/archives/${channel}/p${ts.replace('.', '')}`,
    file: async () => ({
      name: 'logo.png',
      type: 'image/png',
      bytes: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]),
    }),
  };

  return {
    roster,
    groups,
    channels,
    unjoined,
    absent,
    deleted,
    zoneless,
    directory,
    nameOf: (id: string) => roster.get(id)?.name ?? channels.get(id)?.name ?? (id === opsGroup ? 'ops' : id),
  };
}
