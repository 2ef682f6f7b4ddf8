import { z } from 'zod';
import { createForwardClock } from '../core/async/forward-clock.ts';
import { createMemory } from '../core/async/memory.ts';
import type { Membership } from '../core/policy/membership.ts';
import { zoneNamed } from '../core/time/zone.ts';
import type { FormOption } from '../core/view/form.ts';
import type { Log } from '../engine/context/dependencies.ts';
import type { Channel, Directory, Person, RosterEntry } from '../engine/context/ports.ts';
import { direct, flag, groupDirect, readChannel, readJoinedChannels } from './channel.ts';
import { explained, faultOf, sayFault } from './faults.ts';
import type { SlackAddresses } from './slack-addresses.ts';
import { readFile } from './uploaded-file.ts';
import { readPages, type Web } from './web.ts';

export type SlackDirectory = ReturnType<typeof createDirectory>;

const lifeMs = 60_000;
/** The age of results that are used while Slack limits a method, usually for up to a minute. Events report changes. */
const limitedLifeMs = 5 * 60_000;
/** A message's address never changes, but after this time the bot notices its deletion. */
const permalinkLifeMs = 10 * 60_000;
/** A policy may name a deleted group; this limits how often the bot searches for it. */
const unlistedLifeMs = 10_000;
const pagesLimit = 50;
const rosterPages = 10;

const namesSchema = z.object({ display_name: z.string().nullish(), real_name: z.string().nullish() }).default({});

const slackUser = z.object({
  id: z.string(),
  name: z.string().default(''),
  real_name: z.string().nullish(),
  profile: namesSchema,
  team_id: z.string().nullish(),
  enterprise_user: z.object({ teams: z.array(z.string()).default([]) }).nullish(),
  tz: z.string().nullish(),
  deleted: flag,
  is_bot: flag,
  is_workflow_bot: flag,
  is_restricted: flag,
  is_ultra_restricted: flag,
  is_stranger: flag,
});
const user = z.object({ user: slackUser });
const rosterPage = z.object({ members: z.array(slackUser) });

const membersPage = z.object({ members: z.array(z.string()) });

const permalinkAnswer = z.object({ permalink: z.url({ protocol: /^https$/ }) });
/** Codes for a deleted message, or a channel without access. */
const unlinked: ReadonlySet<string> = new Set(['message_not_found', 'channel_not_found']);

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

interface Needed {
  readonly web: Web;
  readonly log: Log;
  readonly teamId: string;
  readonly botToken: string;
  readonly addresses: SlackAddresses;
  /** True with the scopes for public and private channels: a missing scope is then that of group direct messages. */
  readonly canReadChannels: boolean;
  readonly now: () => number;
}

/** Looks up people and channels in Slack. A result is valid for a minute, or until Slack reports a change. */
export function createDirectory({ web, log, teamId, botToken, addresses, canReadChannels, now }: Needed) {
  // One cache for each method, since Slack limits each method separately.
  const remembering = { lifeMs, limitedLifeMs, waitMs, now: createForwardClock(now) };
  const people = createMemory<Person>(remembering);
  const channels = createMemory<Channel>(remembering);
  const members = createMemory<ReadonlySet<string>>(remembering);
  const allGroups = createMemory<readonly UserGroup[]>(remembering);
  const unlisted = createMemory<ReadonlySet<string>>({ ...remembering, lifeMs: unlistedLifeMs, limitedLifeMs: 0 });
  const rosters = createMemory<readonly RosterEntry[]>(remembering);
  const permalinks = createMemory<string | undefined>({ ...remembering, lifeMs: permalinkLifeMs });

  const readPerson = async (id: string): Promise<Person> => {
    const { user: profile } = await web.call('users.info', { user: id }, user);
    return {
      id,
      name: profile.profile.display_name || profile.real_name || profile.profile.real_name || profile.name || id,
      membership: membershipOf(profile, teamId),
      timeZone: zoneNamed(profile.tz ?? ''),
    };
  };

  const readMembers = async (channel: string): Promise<ReadonlySet<string>> => {
    const args = { channel, limit: 1_000 };
    const { pages, isCut } = await readPages(web, 'conversations.members', args, membersPage, pagesLimit);
    if (isCut) throw new Error(`reading the members of ${channel}: more than ${pagesLimit * 1_000}`);
    return new Set(pages.flatMap((page) => page.members));
  };

  /** Undefined for a deleted message. */
  const readPermalink = async (channel: string, ts: string): Promise<string | undefined> => {
    try {
      return (await web.call('chat.getPermalink', { channel, message_ts: ts }, permalinkAnswer)).permalink;
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind === 'refused' && unlinked.has(fault.code)) return undefined;
      throw error;
    }
  };

  /** Reads all groups and their members in one call: a call for each would hit Slack's limit of about 20 a minute. */
  const listGroups = async () => (await web.call('usergroups.list', { include_users: true }, groupList)).usergroups;
  const readGroups = (maxAgeMs?: number, limited?: 'throw'): Promise<readonly UserGroup[]> =>
    allGroups.get('all', listGroups, maxAgeMs, limited);

  const readRoster = async (): Promise<readonly RosterEntry[]> => {
    const { pages } = await readPages(web, 'users.list', { limit: 200 }, rosterPage, rosterPages);
    const members = pages.flatMap((page) => page.members);
    const people = members.filter(({ id, is_bot, deleted }) => !is_bot && !deleted && id !== 'USLACKBOT');
    return people.map(({ id, name, profile }) => {
      const names = [name, profile.display_name, profile.real_name].map((each) => (each ?? '').trim().toLowerCase());
      return { id, names: [...new Set(names)].filter((each) => each !== '') };
    });
  };

  const lookingUp = <T>(what: string, lookup: Promise<T>) => explained(`looking up ${what}`, lookup);

  const directory: Directory = {
    person: async (id, maxAgeMs) => {
      try {
        return await people.get(id, () => readPerson(id), maxAgeMs);
      } catch (error) {
        const why = sayFault(faultOf(error));
        log.warn({ person: id, why }, 'looking up a person in Slack failed; the person has no rights');
        return { id, name: id, membership: 'unknown', timeZone: undefined };
      }
    },
    channel: (id, maxAgeMs) => {
      if (id.startsWith('D')) return Promise.resolve(direct(id));
      const read = () => readChannel(web, id, canReadChannels);
      return lookingUp(`channel ${id}`, channels.get(id, read, maxAgeMs));
    },
    isInChannel: async (channel, person, maxAgeMs) => {
      const memberIds = members.get(channel, () => readMembers(channel), maxAgeMs);
      return (await lookingUp(`the members of ${channel}`, memberIds)).has(person);
    },
    groupMembers: (group, maxAgeMs) => {
      const find = async (...how: Parameters<typeof readGroups>) =>
        (await readGroups(...how)).find(({ id }) => id === group)?.users;
      // An unlisted group may be newer than the list. Otherwise it is disabled or deleted, and has no members.
      const findAgain = () => unlisted.get(group, async () => (await find(0, 'throw')) ?? new Set());
      const memberIds = find(maxAgeMs).then((listed) => listed ?? findAgain());
      return lookingUp(`group ${group}`, memberIds);
    },
    groupName: async (group) => {
      const all = await readGroups().catch(() => []);
      const handle = all.find(({ id }) => id === group)?.handle;
      return handle === undefined ? undefined : `@${handle}`;
    },
    named: async (handle) => {
      const wanted = handle.toLowerCase();
      const both = Promise.all([readGroups(), rosters.get('all', readRoster)]);
      const [groups, people] = await lookingUp(`@${handle}`, both);
      return [
        ...groups
          .filter((group) => group.handle.toLowerCase() === wanted)
          .map(({ id }) => ({ id, kind: 'group' }) as const),
        ...people.filter(({ names }) => names.includes(wanted)).map(({ id }) => ({ id, kind: 'person' }) as const),
      ];
    },
    permalink: (channel, ts) => {
      const link = permalinks.get(`${channel} ${ts}`, () => readPermalink(channel, ts));
      return lookingUp('the address of a message', link);
    },
    roster: () => lookingUp('people', rosters.get('all', readRoster)),
    file: (id, uploader) => lookingUp(`file ${id}`, readFile(web, { botToken, addresses }, { id, uploader })),
  };

  return {
    ...directory,
    joinedChannels: () => lookingUp('the channels of the bot', readJoinedChannels(web)),
    groups: async () =>
      (await lookingUp('user groups', readGroups())).map(
        ({ id, handle, name }): FormOption => ({ value: id, label: `@${handle}`, description: name }),
      ),
    /** Stores that a payload names this channel as a group direct message, which the bot has no scope to look up. */
    noteGroupDirect: (id: string) => void channels.get(id, async () => groupDirect(id), 0).catch(() => undefined),
    /** Drops the channel's cached members if they lack this person, who typed there and may have joined since. */
    sawIn: (channel: string, person: string) => members.forgetIf(channel, (cached) => !cached.has(person)),
    forget: {
      person: (id: string) => {
        people.forget(id);
        rosters.clear();
      },
      channel: (id: string) => {
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

/** The strongest reason against a person's rights, or `member`. */
function membershipOf(user: z.output<typeof slackUser>, teamId: string): Membership {
  if (user.deleted) return 'deactivated';
  if (user.is_bot || user.is_workflow_bot || user.id === 'USLACKBOT') return 'bot';
  const teams = [user.team_id, ...(user.enterprise_user?.teams ?? [])];
  if (user.is_stranger || !teams.includes(teamId)) return 'stranger';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  return 'member';
}
