import { dateFormat } from './date-format.ts';
import type { Dict } from './dict.ts';
import { seedIds } from './seed.ts';
import type { SimPerson, UserGroup } from './state.ts';
import { isStranger, type Workspace } from './workspace.ts';

/** The zone's present UTC offset in seconds. */
function offsetS(tz: string, atMs: number): number {
  const name = dateFormat('en-US', { timeZone: tz, timeZoneName: 'longOffset' })
    .formatToParts(atMs)
    .find((part) => part.type === 'timeZoneName')?.value;
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(name ?? '');
  if (match === null) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60);
}

/** A person as users.info and user_change show them. */
export function userObject(workspace: Workspace, person: SimPerson): Dict {
  const profile = {
    title: '',
    phone: '',
    skype: '',
    real_name: person.realName,
    real_name_normalized: person.realName,
    display_name: person.name,
    display_name_normalized: person.name,
    status_text: '',
    status_emoji: '',
    status_expiration: 0,
    avatar_hash: '',
    team: person.teamId,
    ...(person.isBot
      ? { api_app_id: workspace.state.app.id, bot_id: workspace.state.app.botId, always_active: true }
      : {}),
  };
  const base = { id: person.id, team_id: person.teamId, name: person.name, deleted: person.isDeactivated, profile };
  // Slack omits the workspace roles of deactivated people.
  if (person.isDeactivated)
    return { ...base, is_bot: person.isBot, is_app_user: false, updated: 0, is_forgotten: false };
  return {
    ...base,
    color: '9f69e7',
    real_name: person.realName,
    tz: person.tz,
    tz_label: person.tz,
    tz_offset: offsetS(person.tz, workspace.nowMs()),
    is_admin: person.isAdmin,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: person.isRestricted,
    is_ultra_restricted: person.isUltraRestricted,
    is_bot: person.isBot,
    is_app_user: false,
    updated: 0,
    is_email_confirmed: true,
    who_can_share_contact_card: 'EVERYONE',
    ...(isStranger(workspace.state, person) ? { is_stranger: true } : {}),
  };
}

export function groupObject(workspace: Workspace, group: UserGroup, more: { isWithUsers: boolean }): Dict {
  return {
    id: group.id,
    team_id: workspace.state.team.id,
    is_usergroup: true,
    is_subteam: true,
    name: group.name,
    description: '',
    handle: group.handle,
    is_external: false,
    date_create: group.updatedS,
    date_update: group.updatedS,
    date_delete: group.isDisabled ? group.updatedS : 0,
    auto_type: null,
    auto_provision: false,
    created_by: seedIds.admin,
    updated_by: seedIds.admin,
    deleted_by: null,
    prefs: { channels: [], groups: [] },
    user_count: group.members.length,
    ...(more.isWithUsers ? { users: [...group.members] } : {}),
  };
}
