import type { Workspace } from './workspace.ts';

/**
 * The scopes of events, any one of which is enough; events without scopes need none (docs.slack.dev, event reference).
 */
const conversations = ['channels:read', 'groups:read'];

export const eventScopes: Readonly<Record<string, readonly string[]>> = {
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  app_uninstalled: [],
  channel_archive: ['channels:read'],
  channel_id_changed: conversations,
  channel_left: ['channels:read'],
  channel_rename: ['channels:read'],
  channel_shared: conversations,
  channel_unarchive: ['channels:read'],
  channel_unshared: conversations,
  group_archive: ['groups:read'],
  group_left: ['groups:read'],
  group_rename: ['groups:read'],
  group_unarchive: ['groups:read'],
  member_joined_channel: conversations,
  member_left_channel: conversations,
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  'message.mpim': ['mpim:history'],
  subteam_created: ['usergroups:read'],
  subteam_members_changed: ['usergroups:read'],
  subteam_updated: ['usergroups:read'],
  team_join: ['users:read'],
  tokens_revoked: [],
  user_change: ['users:read'],
};

/** Whether the app has subscribed to this event and has a scope for it. Unlisted events are never sent. */
export function isEntitled(
  { state: { events, scopes }, rules }: Pick<Workspace, 'state' | 'rules'>,
  event: string,
): boolean {
  const needed = eventScopes[event];
  if (!events.includes(event) || needed === undefined) return false;
  return needed.length === 0 || !rules.isOn('events-need-scopes') || needed.some((scope) => scopes.includes(scope));
}
