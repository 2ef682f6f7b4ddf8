import { channelOf, personOf } from '../channels.ts';
import { sendEvent } from '../payloads/event.ts';
import { groupObject, userObject } from '../people.ts';
import type { Channel, Person, UserGroup } from '../state.ts';
import { findGroup, nextId, nowS, SimulationError, type World } from '../world.ts';

function groupOf(world: World, ref: string): UserGroup {
  const group = findGroup(world.state, ref);
  if (group !== undefined) return group;
  throw new SimulationError(
    `no user group is called ${ref}; there are ${world.state.groups.map((g) => `@${g.handle}`).join(', ')}`,
  );
}

/** Changes somebody, and tells the app as Slack does. */
export async function changePerson(world: World, ref: string, change: Partial<Omit<Person, 'id'>>): Promise<void> {
  const person = personOf(world, ref);
  Object.assign(person, change);
  world.changed({ kind: 'person', id: person.id });
  // Slack takes deactivated people out of their groups.
  if (change.isDeactivated === true) {
    for (const group of world.state.groups.filter((candidate) => candidate.members.includes(person.id))) {
      await setMembers(
        world,
        group.id,
        group.members.filter((member) => member !== person.id),
      );
    }
  }
  await sendEvent(world, 'user_change', {
    type: 'user_change',
    user: userObject(world, person),
    cache_ts: nowS(world),
  });
}

export async function addPerson(world: World, person: Partial<Person> & { name: string }): Promise<Person> {
  const added: Person = {
    id: nextId(world.state, 'U'),
    realName: person.name,
    teamId: world.state.team.id,
    tz: 'UTC',
    isAdmin: false,
    isRestricted: false,
    isUltraRestricted: false,
    isBot: false,
    isDeactivated: false,
    ...person,
  };
  world.state.people.push(added);
  world.changed({ kind: 'person', id: added.id });
  await sendEvent(world, 'team_join', { type: 'team_join', user: userObject(world, added), cache_ts: nowS(world) });
  return added;
}

export async function addGroup(
  world: World,
  group: Pick<UserGroup, 'handle' | 'members'> & Partial<UserGroup>,
): Promise<UserGroup> {
  const added: UserGroup = {
    id: nextId(world.state, 'S'),
    name: group.handle,
    isDisabled: false,
    updatedS: nowS(world),
    ...group,
  };
  world.state.groups.push(added);
  world.changed({ kind: 'group', id: added.id });
  await sendEvent(world, 'subteam_created', {
    type: 'subteam_created',
    subteam: groupObject(world, added, { isWithUsers: true }),
  });
  return added;
}

export async function setMembers(world: World, ref: string, members: readonly string[]): Promise<void> {
  const group = groupOf(world, ref);
  const before = group.members;
  const previousS = group.updatedS;
  group.members = members.map((member) => personOf(world, member).id);
  group.updatedS = nowS(world);
  world.changed({ kind: 'group', id: group.id });
  const added = group.members.filter((member) => !before.includes(member));
  const removed = before.filter((member) => !group.members.includes(member));
  await sendEvent(world, 'subteam_members_changed', {
    type: 'subteam_members_changed',
    subteam_id: group.id,
    team_id: world.state.team.id,
    date_previous_update: previousS,
    date_update: group.updatedS,
    added_users: added,
    added_users_count: added.length,
    removed_users: removed,
    removed_users_count: removed.length,
  });
}

export async function setGroupDisabled(world: World, ref: string, isDisabled: boolean): Promise<void> {
  const group = groupOf(world, ref);
  group.isDisabled = isDisabled;
  group.updatedS = nowS(world);
  world.changed({ kind: 'group', id: group.id });
  await sendEvent(world, 'subteam_updated', {
    type: 'subteam_updated',
    subteam: groupObject(world, group, { isWithUsers: true }),
  });
}

const isSeen = (world: World, channel: Channel): boolean =>
  channel.kind === 'public' || channel.members.includes(world.state.app.botUserId);

function touched(world: World, channel: Channel): void {
  world.changed({ kind: 'channel', id: channel.id });
}

export async function setArchived(world: World, ref: string, isArchived: boolean): Promise<void> {
  const channel = channelOf(world, ref);
  channel.isArchived = isArchived;
  touched(world, channel);
  const side = channel.kind === 'private' ? 'group' : 'channel';
  const type = `${side}_${isArchived ? 'archive' : 'unarchive'}`;
  if (isSeen(world, channel)) await sendEvent(world, type, { type, channel: channel.id, user: channel.creator });
}

export async function setShared(world: World, ref: string, teamId: string, isShared: boolean): Promise<void> {
  const channel = channelOf(world, ref);
  const others = channel.connectedTeams.filter((team) => team !== teamId);
  channel.connectedTeams = isShared ? [...others, teamId] : others;
  channel.isExtShared = channel.connectedTeams.length > 0;
  touched(world, channel);
  if (!isSeen(world, channel)) return;
  await (isShared
    ? sendEvent(world, 'channel_shared', { type: 'channel_shared', connected_team_id: teamId, channel: channel.id })
    : sendEvent(world, 'channel_unshared', {
        type: 'channel_unshared',
        previously_connected_team_id: teamId,
        channel: channel.id,
        is_ext_shared: channel.isExtShared,
      }));
}

export async function rename(world: World, ref: string, name: string): Promise<void> {
  const channel = channelOf(world, ref);
  channel.name = name;
  touched(world, channel);
  const side = channel.kind === 'private' ? 'group' : 'channel';
  const type = `${side}_rename`;
  const shown = {
    id: channel.id,
    name,
    name_normalized: name,
    created: channel.createdS,
    is_channel: side === 'channel',
    is_mpim: false,
  };
  if (isSeen(world, channel)) await sendEvent(world, type, { type, channel: shown });
}

/** Private to public or back; Slack sends no event for it. */
export function setPrivate(world: World, ref: string, isPrivate: boolean): void {
  const channel = channelOf(world, ref);
  channel.kind = isPrivate ? 'private' : 'public';
  touched(world, channel);
}

export function addChannel(world: World, channel: Partial<Channel> & { name: string }): Channel {
  const added: Channel = {
    id: nextId(world.state, 'C'),
    kind: 'public',
    members: [],
    isArchived: false,
    isExtShared: false,
    connectedTeams: [],
    creator: 'U0ADMIN001',
    createdS: nowS(world),
    ...channel,
  };
  world.state.channels.push(added);
  touched(world, added);
  return added;
}

export async function invite(world: World, ref: string, who: string): Promise<void> {
  const channel = channelOf(world, ref);
  const person = personOf(world, who);
  if (channel.members.includes(person.id)) return;
  channel.members.push(person.id);
  touched(world, channel);
  if (!channel.members.includes(world.state.app.botUserId)) return;
  await sendEvent(world, 'member_joined_channel', {
    type: 'member_joined_channel',
    user: person.id,
    channel: channel.id,
    channel_type: channel.kind === 'private' ? 'G' : 'C',
    team: person.teamId,
    inviter: channel.creator,
  });
}

export async function kick(world: World, ref: string, who: string): Promise<void> {
  const channel = channelOf(world, ref);
  const person = personOf(world, who);
  if (!channel.members.includes(person.id)) return;
  channel.members = channel.members.filter((member) => member !== person.id);
  touched(world, channel);
  if (person.id === world.state.app.botUserId) {
    const type = channel.kind === 'private' ? 'group_left' : 'channel_left';
    await sendEvent(world, type, { type, channel: channel.id, actor_id: channel.creator });
  } else if (channel.members.includes(world.state.app.botUserId)) {
    await sendEvent(world, 'member_left_channel', {
      type: 'member_left_channel',
      user: person.id,
      channel: channel.id,
      channel_type: channel.kind === 'private' ? 'G' : 'C',
      team: person.teamId,
    });
  }
}

/** An admin revokes the bot's token; every call after this answers `token_revoked`. */
export async function revokeToken(world: World): Promise<void> {
  world.state.isTokenRevoked = true;
  await sendEvent(world, 'tokens_revoked', {
    type: 'tokens_revoked',
    tokens: { oauth: [], bot: [world.state.app.botUserId] },
  });
}

export async function uninstall(world: World): Promise<void> {
  world.state.isTokenRevoked = true;
  await sendEvent(world, 'app_uninstalled', { type: 'app_uninstalled' });
}
