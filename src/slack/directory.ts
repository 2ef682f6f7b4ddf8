import { z } from 'zod';
import type { Roster } from '../core/alert/alert.ts';
import { createForwardClock } from '../core/async/forward-clock.ts';
import type { Standing } from '../core/policy/evaluate.ts';
import type { FormOption } from '../core/view/form.ts';
import type { Channel, Directory, Person } from '../engine/context/ports.ts';
import { groupDirect, readChannel } from './channel.ts';
import { faultOf, sayFault } from './faults.ts';
import type { SlackLog } from './log.ts';
import { createMemory } from './memory.ts';
import { createPermalinks } from './permalinks.ts';
import type { SlackAddresses } from './slack-addresses.ts';
import { readFile } from './uploaded-file.ts';
import type { Web } from './web.ts';

/** Looks people up in Slack. An answer is good for a minute, or until Slack reports a change. */
export interface SlackDirectory extends Directory {
  /** User groups for a search field. */
  readonly groups: () => Promise<readonly FormOption[]>;
  /** A payload names this channel as a group direct message; the bot may not look that up. */
  readonly noteGroupDirect: (channel: string) => void;
  /** A person typed in a channel: what is remembered of it without them is old, such as from before they joined. */
  readonly sawIn: (channel: string, person: string) => void;
  readonly forget: {
    readonly person: (id: string) => void;
    readonly channel: (id: string) => void;
    readonly groups: () => void;
  };
}

export interface Team {
  readonly teamId: string;
  readonly enterpriseId: string | undefined;
}

const lifeMs = 60_000;
/** Slack says for how long it limits a method, usually within a minute; events say what changed meanwhile. */
const limitedLifeMs = 5 * 60_000;
/** A policy may name a group that is gone: it is not looked for each time. */
const unlistedLifeMs = 10_000;
const pagesLimit = 50;
const rosterPages = 10;

const flag = z.boolean().default(false);

const user = z.object({
  user: z.object({
    id: z.string(),
    name: z.string().default(''),
    real_name: z.string().nullish(),
    profile: z.object({ display_name: z.string().nullish(), real_name: z.string().nullish() }).default({}),
    team_id: z.string().nullish(),
    enterprise_user: z.object({ teams: z.array(z.string()).default([]) }).nullish(),
    tz: z.string().nullish(),
    deleted: flag,
    is_bot: flag,
    is_workflow_bot: flag,
    is_restricted: flag,
    is_ultra_restricted: flag,
    is_stranger: flag,
  }),
});

const membersPage = z.object({
  members: z.array(z.string()),
  response_metadata: z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' }),
});

const rosterPage = z.object({
  members: z.array(
    z.object({
      id: z.string(),
      name: z.string().default(''),
      deleted: flag,
      is_bot: flag,
      profile: z.object({ display_name: z.string().nullish(), real_name: z.string().nullish() }).default({}),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' }),
});

const userGroup = z.object({
  id: z.string(),
  handle: z.string(),
  name: z.string(),
  users: z
    .array(z.string())
    .default([])
    .transform((users): ReadonlySet<string> => new Set(users)),
});
const groupList = z.object({ usergroups: z.array(userGroup) });
export function createDirectory({
  web,
  log,
  team,
  botToken,
  addresses,
  canReadChannels,
  now,
}: {
  web: Web;
  log: SlackLog;
  team: Team;
  botToken: string;
  addresses: SlackAddresses;
  /** The bot has the scopes for public and for private channels: one that it lacks is that for group direct messages. */
  canReadChannels: boolean;
  now: () => number;
}): SlackDirectory {
  // One for each method: Slack limits each of them on its own.
  const remembering = { lifeMs, limitedLifeMs, waitMs, now: createForwardClock(now) };
  const people = createMemory<Person>(remembering);
  const channels = createMemory<Channel>(remembering);
  const members = createMemory<ReadonlySet<string>>(remembering);
  const allGroups = createMemory<readonly UserGroup[]>(remembering);
  const unlisted = createMemory<ReadonlySet<string>>({ ...remembering, lifeMs: unlistedLifeMs, limitedLifeMs: 0 });
  const rosters = createMemory<Roster>(remembering);
  const permalink = createPermalinks(web, remembering);

  const readPerson = async (id: string): Promise<Person> => {
    const { user: found } = await web.call('users.info', { user: id }, user);
    return {
      id,
      name: found.profile.display_name || found.real_name || found.profile.real_name || found.name || id,
      standing: standingOf(found, team),
      timeZone: found.tz ?? 'UTC',
    };
  };

  const readMembers = async (channel: string): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    let cursor = '';
    for (let page = 0; page < pagesLimit; page += 1) {
      const answer = await web.call(
        'conversations.members',
        { channel, limit: 1_000, ...(cursor === '' ? {} : { cursor }) },
        membersPage,
      );
      for (const each of answer.members) found.add(each);
      cursor = answer.response_metadata.next_cursor;
      if (cursor === '') return found;
    }
    throw new Error(`reading the members of ${channel}: more than ${pagesLimit * 1_000}`);
  };

  /** All groups with all their members in one call: a call for each of them runs into Slack's limit of about 20 a minute. */
  const readGroups = (maxAgeMs?: number, limited?: 'throw'): Promise<readonly UserGroup[]> =>
    allGroups.get(
      'all',
      async () => (await web.call('usergroups.list', { include_users: true }, groupList)).usergroups,
      maxAgeMs,
      limited,
    );

  const readRoster = async (): Promise<Roster> => {
    const found: Roster['people'][number][] = [];
    let cursor = '';
    for (let page = 0; page < rosterPages; page += 1) {
      const answer = await web.call('users.list', { limit: 200, ...(cursor === '' ? {} : { cursor }) }, rosterPage);
      for (const { id, name, deleted, is_bot, profile } of answer.members) {
        if (is_bot || id === 'USLACKBOT') continue;
        const names = [name, profile.display_name, profile.real_name].map((each) => (each ?? '').trim().toLowerCase());
        found.push({ id, names: [...new Set(names)].filter((each) => each !== ''), isDeactivated: deleted });
      }
      cursor = answer.response_metadata.next_cursor;
      if (cursor === '') return { people: found, isComplete: true };
    }
    return { people: found, isComplete: false };
  };

  /** Slack's errors carry the SDK's words; what asked is told what was being looked up. */
  const looking = async <T>(what: string, lookup: Promise<T>): Promise<T> => {
    try {
      return await lookup;
    } catch (error) {
      throw new Error(`looking up ${what} in Slack: ${sayFault(faultOf(error))}`, { cause: error });
    }
  };

  return {
    person: async (id, maxAgeMs) => {
      try {
        return await people.get(id, () => readPerson(id), maxAgeMs);
      } catch (error) {
        log.warn({ person: id, why: sayFault(faultOf(error)) }, 'Slack did not say who somebody is; that counts as no');
        return { id, name: id, standing: 'unknown', timeZone: 'UTC' };
      }
    },
    channel: (id, maxAgeMs) => {
      // A direct message is between one person and whom they write to; reading about it would take one more scope.
      if (id.startsWith('D')) {
        return Promise.resolve({
          id,
          name: 'direct message',
          isPrivate: true,
          isShared: false,
          isArchived: false,
          hasBot: true,
        });
      }
      const read = () => readChannel(web, id, canReadChannels);
      return looking(`channel ${id}`, channels.get(id, read, maxAgeMs));
    },
    isInChannel: async (channel, person, maxAgeMs) => {
      const found = members.get(channel, () => readMembers(channel), maxAgeMs);
      return (await looking(`the members of ${channel}`, found)).has(person);
    },
    groupMembers: (group, maxAgeMs) => {
      const find = async (...how: Parameters<typeof readGroups>) =>
        (await readGroups(...how)).find(({ id }) => id === group)?.users;
      // One that is not listed may be newer than the list; if not, it is disabled or gone, and nobody is in it.
      const findAgain = () => unlisted.get(group, async () => (await find(0, 'throw')) ?? new Set());
      return looking(
        `group ${group}`,
        find(maxAgeMs).then((found) => found ?? findAgain()),
      );
    },
    groupName: async (group) => {
      const all = await readGroups().catch(() => []);
      const handle = all.find(({ id }) => id === group)?.handle;
      return handle === undefined ? undefined : `@${handle}`;
    },
    groups: async () =>
      (await looking('user groups', readGroups())).map(
        ({ id, handle, name }): FormOption => ({ value: id, label: `@${handle}`, description: name }),
      ),
    named: async (handle) => {
      const wanted = handle.toLowerCase();
      const [groups, { people }] = await looking(
        `@${handle}`,
        Promise.all([readGroups(), rosters.get('all', readRoster)]),
      );
      return [
        ...groups
          .filter((group) => group.handle.toLowerCase() === wanted)
          .map(({ id }) => ({ id, kind: 'group' }) as const),
        ...people
          .filter(({ names, isDeactivated }) => !isDeactivated && names.includes(wanted))
          .map(({ id }) => ({ id, kind: 'person' }) as const),
      ];
    },
    noteGroupDirect: (id) => void channels.get(id, async () => groupDirect(id), 0).catch(() => undefined),
    permalink: (channel, ts) => looking('the address of a message', permalink(channel, ts)),
    roster: () => looking('people', rosters.get('all', readRoster)),
    file: (id, uploader) => looking(`file ${id}`, readFile(web, { botToken, addresses }, { id, uploader })),
    sawIn: (channel, person) => members.forgetIf(channel, (known) => !known.has(person)),
    forget: {
      person: (id) => {
        people.forget(id);
        rosters.clear();
      },
      channel: (id) => {
        channels.forget(id);
        members.forget(id);
      },
      groups: () => {
        allGroups.clear();
        unlisted.clear();
      },
    },
  };
}

type UserGroup = z.output<typeof userGroup>;

function waitMs(error: unknown): number | undefined {
  const fault = faultOf(error);
  return fault.kind === 'limited' ? fault.retryAfterMs : undefined;
}

type Found = z.output<typeof user>['user'];

/** Checks everything that speaks against a person, the strongest reason first. */
function standingOf(found: Found, team: Team): Standing {
  if (found.deleted) return 'deactivated';
  if (found.is_bot || found.is_workflow_bot || found.id === 'USLACKBOT') return 'bot';
  const teams = [found.team_id, ...(found.enterprise_user?.teams ?? [])];
  if (found.is_stranger || !teams.includes(team.teamId)) return 'stranger';
  if (found.is_restricted || found.is_ultra_restricted) return 'guest';
  return 'member';
}
