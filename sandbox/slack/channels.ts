import type { Dict } from './dict.ts';
import { SimulationError } from './simulation-error.ts';
import type { SimChannel, SimPerson } from './state.ts';
import { findChannel, findPerson, nextId, nowS, type Workspace } from './workspace.ts';

/** A channel as conversations.info shows it to the bot. */
export function channelObject(workspace: Workspace, channel: SimChannel): Dict {
  const { team, app } = workspace.state;
  const base = {
    id: channel.id,
    created: channel.createdS,
    is_archived: channel.isArchived,
    is_im: channel.kind === 'im',
    is_org_shared: false,
    context_team_id: team.id,
    updated: channel.createdS * 1000,
  };
  if (channel.kind === 'im') {
    const other = channel.members.find((member) => member !== app.botUserId) ?? app.botUserId;
    return { ...base, user: other, is_user_deleted: findPerson(workspace.state, other)?.isDeactivated ?? true };
  }
  return {
    ...base,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_mpim: channel.kind === 'mpim',
    is_private: channel.kind !== 'public',
    is_general: channel.name === 'general',
    unlinked: 0,
    is_shared: channel.isExtShared,
    is_ext_shared: channel.isExtShared,
    is_pending_ext_shared: false,
    pending_shared: [],
    parent_conversation: null,
    creator: channel.creator,
    shared_team_ids: [team.id, ...channel.connectedTeams],
    pending_connected_team_ids: [],
    ...(channel.isExtShared ? { connected_team_ids: [...channel.connectedTeams] } : {}),
    is_member: channel.members.includes(app.botUserId),
    topic: { value: '', creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    previous_names: [],
  };
}

/** A channel's name in payloads, which hide the names of private channels and direct messages. */
export function payloadChannelName(channel: SimChannel): string {
  const names = { public: channel.name, private: 'privategroup', im: 'directmessage', mpim: channel.name };
  return names[channel.kind];
}

export function openDm(workspace: Workspace, person: SimPerson): SimChannel {
  const { state } = workspace;
  const isOurs = (members: readonly string[]) => members.includes(person.id) && members.includes(state.app.botUserId);
  const existing = state.channels.find((channel) => channel.kind === 'im' && isOurs(channel.members));
  if (existing !== undefined) return existing;
  const channel: SimChannel = {
    id: nextId(state, 'D'),
    name: person.name,
    kind: 'im',
    members: [person.id, state.app.botUserId],
    isArchived: false,
    isExtShared: false,
    connectedTeams: [],
    creator: person.id,
    createdS: nowS(workspace),
  };
  state.channels.push(channel);
  workspace.changed({ kind: 'channel', id: channel.id });
  return channel;
}

/** Whether the bot sees the channel: it is public, or the bot is a member. */
export const isVisibleToBot = (workspace: Workspace, channel: SimChannel): boolean =>
  channel.kind === 'public' || channel.members.includes(workspace.state.app.botUserId);

export function personOf(workspace: Workspace, ref: string): SimPerson {
  const person = findPerson(workspace.state, ref);
  if (person === undefined) {
    throw new SimulationError(
      `nobody is called ${ref}; there are ${workspace.state.people.map((p) => `@${p.name}`).join(', ')}`,
    );
  }
  return person;
}

/** A channel by id or name; `dm` is this person's conversation with the bot. */
export function channelOf(workspace: Workspace, ref: string, person?: SimPerson): SimChannel {
  if (ref === 'dm' && person !== undefined) return openDm(workspace, person);
  const direct = ref.startsWith('@') ? findPerson(workspace.state, ref) : undefined;
  if (direct !== undefined) return openDm(workspace, direct);
  const channel = findChannel(workspace.state, ref);
  if (channel === undefined) {
    const names = workspace.state.channels.filter((c) => c.kind !== 'im').map((c) => `#${c.name}`);
    throw new SimulationError(`no channel is called ${ref}; there are ${names.join(', ')}, and "dm"`);
  }
  return channel;
}
