import { personOf } from '../channels.ts';
import { sendEvent } from '../payloads/event.ts';
import { groupObject, userObject } from '../people.ts';
import { SimulationError } from '../simulation-error.ts';
import type { SimPerson, UserGroup } from '../state.ts';
import { findGroup, nextId, nowS, type Workspace } from '../workspace.ts';

/** An admin's changes of people and groups, with the app's events. */

function groupOf(workspace: Workspace, ref: string): UserGroup {
  const group = findGroup(workspace.state, ref);
  if (group !== undefined) return group;
  throw new SimulationError(
    `no user group is called ${ref}; there are ${workspace.state.groups.map((g) => `@${g.handle}`).join(', ')}`,
  );
}

/** Changes a person and sends the app's events as Slack does. */
export async function changePerson(
  workspace: Workspace,
  ref: string,
  change: Partial<Omit<SimPerson, 'id'>>,
): Promise<void> {
  const person = personOf(workspace, ref);
  Object.assign(person, change);
  workspace.changed({ kind: 'person', id: person.id });
  // Slack removes deactivated people from their groups.
  if (change.isDeactivated === true) {
    for (const group of workspace.state.groups.filter((candidate) => candidate.members.includes(person.id))) {
      await setMembers(
        workspace,
        group.id,
        group.members.filter((member) => member !== person.id),
      );
    }
  }
  await sendEvent(workspace, 'user_change', {
    type: 'user_change',
    user: userObject(workspace, person),
    cache_ts: nowS(workspace),
  });
}

export async function addPerson(
  workspace: Workspace,
  person: Partial<SimPerson> & { name: string },
): Promise<SimPerson> {
  const added: SimPerson = {
    id: nextId(workspace.state, 'U'),
    realName: person.name,
    teamId: workspace.state.team.id,
    tz: 'UTC',
    isAdmin: false,
    isRestricted: false,
    isUltraRestricted: false,
    isBot: false,
    isDeactivated: false,
    ...person,
  };
  workspace.state.people.push(added);
  workspace.changed({ kind: 'person', id: added.id });
  await sendEvent(workspace, 'team_join', {
    type: 'team_join',
    user: userObject(workspace, added),
    cache_ts: nowS(workspace),
  });
  return added;
}

export async function addGroup(
  workspace: Workspace,
  group: Pick<UserGroup, 'handle' | 'members'> & Partial<UserGroup>,
): Promise<UserGroup> {
  const added: UserGroup = {
    id: nextId(workspace.state, 'S'),
    name: group.handle,
    isDisabled: false,
    updatedS: nowS(workspace),
    ...group,
  };
  workspace.state.groups.push(added);
  workspace.changed({ kind: 'group', id: added.id });
  await sendEvent(workspace, 'subteam_created', {
    type: 'subteam_created',
    subteam: groupObject(workspace, added, { isWithUsers: true }),
  });
  return added;
}

export async function setMembers(workspace: Workspace, ref: string, members: readonly string[]): Promise<void> {
  const group = groupOf(workspace, ref);
  const before = group.members;
  const previousS = group.updatedS;
  group.members = members.map((member) => personOf(workspace, member).id);
  group.updatedS = nowS(workspace);
  workspace.changed({ kind: 'group', id: group.id });
  const added = group.members.filter((member) => !before.includes(member));
  const removed = before.filter((member) => !group.members.includes(member));
  await sendEvent(workspace, 'subteam_members_changed', {
    type: 'subteam_members_changed',
    subteam_id: group.id,
    team_id: workspace.state.team.id,
    date_previous_update: previousS,
    date_update: group.updatedS,
    added_users: added,
    added_users_count: added.length,
    removed_users: removed,
    removed_users_count: removed.length,
  });
}

export async function setGroupDisabled(workspace: Workspace, ref: string, isDisabled: boolean): Promise<void> {
  const group = groupOf(workspace, ref);
  group.isDisabled = isDisabled;
  group.updatedS = nowS(workspace);
  workspace.changed({ kind: 'group', id: group.id });
  await sendEvent(workspace, 'subteam_updated', {
    type: 'subteam_updated',
    subteam: groupObject(workspace, group, { isWithUsers: true }),
  });
}
