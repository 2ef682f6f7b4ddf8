import { personOf } from '../channels.ts';
import { sendEvent } from '../payloads/event.ts';
import { groupObject, userObject } from '../people.ts';
import { SimulationError } from '../simulation-error.ts';
import type { SimPerson, UserGroup } from '../state.ts';
import { findGroup, nextId, nowS, type Workspace } from '../world.ts';

/** What an admin does to people and groups, and how the app hears of it. */

function groupOf(world: Workspace, ref: string): UserGroup {
  const group = findGroup(world.state, ref);
  if (group !== undefined) return group;
  throw new SimulationError(
    `no user group is called ${ref}; there are ${world.state.groups.map((g) => `@${g.handle}`).join(', ')}`,
  );
}

/** Changes somebody, and tells the app as Slack does. */
export async function changePerson(
  world: Workspace,
  ref: string,
  change: Partial<Omit<SimPerson, 'id'>>,
): Promise<void> {
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

export async function addPerson(world: Workspace, person: Partial<SimPerson> & { name: string }): Promise<SimPerson> {
  const added: SimPerson = {
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
  world: Workspace,
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

export async function setMembers(world: Workspace, ref: string, members: readonly string[]): Promise<void> {
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

export async function setGroupDisabled(world: Workspace, ref: string, isDisabled: boolean): Promise<void> {
  const group = groupOf(world, ref);
  group.isDisabled = isDisabled;
  group.updatedS = nowS(world);
  world.changed({ kind: 'group', id: group.id });
  await sendEvent(world, 'subteam_updated', {
    type: 'subteam_updated',
    subteam: groupObject(world, group, { isWithUsers: true }),
  });
}
