import { channelOf, isVisibleToBot, personOf } from '../channels.ts';
import type { Dict } from '../dict.ts';
import { sendEvent } from '../payloads/event.ts';
import { seedIds } from '../seed.ts';
import type { SimChannel, SimPerson } from '../state.ts';
import { nextId, nowS, type Workspace } from '../workspace.ts';

/** An admin's changes of channels, with the app's events. */

function touched(workspace: Workspace, channel: SimChannel): void {
  workspace.changed({ kind: 'channel', id: channel.id });
}

/** Events name private channels groups. */
const kindInEvents = (channel: SimChannel): 'group' | 'channel' => (channel.kind === 'private' ? 'group' : 'channel');

async function sendChannelEvent(workspace: Workspace, channel: SimChannel, verb: string, more: Dict): Promise<void> {
  const type = `${kindInEvents(channel)}_${verb}`;
  if (isVisibleToBot(workspace, channel)) await sendEvent(workspace, type, { type, ...more });
}

async function sendMemberEvent(
  workspace: Workspace,
  type: 'member_joined_channel' | 'member_left_channel',
  channel: SimChannel,
  person: SimPerson,
  more: Dict = {},
): Promise<void> {
  await sendEvent(workspace, type, {
    type,
    user: person.id,
    channel: channel.id,
    channel_type: channel.kind === 'private' ? 'G' : 'C',
    team: person.teamId,
    ...more,
  });
}

export async function setArchived(workspace: Workspace, ref: string, isArchived: boolean): Promise<void> {
  const channel = channelOf(workspace, ref);
  channel.isArchived = isArchived;
  touched(workspace, channel);
  const verb = isArchived ? 'archive' : 'unarchive';
  await sendChannelEvent(workspace, channel, verb, { channel: channel.id, user: channel.creator });
}

export async function setShared(workspace: Workspace, ref: string, teamId: string, isShared: boolean): Promise<void> {
  const channel = channelOf(workspace, ref);
  const others = channel.connectedTeams.filter((team) => team !== teamId);
  channel.connectedTeams = isShared ? [...others, teamId] : others;
  channel.isExtShared = channel.connectedTeams.length > 0;
  touched(workspace, channel);
  if (isShared && channel.kind === 'private' && workspace.rules.isOn('private-channel-id-changes')) {
    await changeId(workspace, channel.id);
  }
  if (!isVisibleToBot(workspace, channel)) return;
  await (isShared
    ? sendEvent(workspace, 'channel_shared', { type: 'channel_shared', connected_team_id: teamId, channel: channel.id })
    : sendEvent(workspace, 'channel_unshared', {
        type: 'channel_unshared',
        previously_connected_team_id: teamId,
        channel: channel.id,
        is_ext_shared: channel.isExtShared,
      }));
}

/** Changes a channel's id permanently; returns the new id. */
export async function changeId(workspace: Workspace, ref: string): Promise<string> {
  const { state } = workspace;
  const channel = channelOf(workspace, ref);
  const before = channel.id;
  const id = nextId(state, 'C');
  channel.id = id;
  const owned = [...state.messages, ...state.ephemerals, ...Object.values(state.responseUrls)];
  const shares = state.files.flatMap((file) => file.shares);
  for (const record of [...owned, ...shares]) {
    if (record.channel === before) record.channel = id;
  }
  touched(workspace, channel);
  if (isVisibleToBot(workspace, channel)) {
    const event = { type: 'channel_id_changed', old_channel_id: before, new_channel_id: id };
    await sendEvent(workspace, 'channel_id_changed', event);
  }
  return id;
}

export async function rename(workspace: Workspace, ref: string, name: string): Promise<void> {
  const channel = channelOf(workspace, ref);
  channel.name = name;
  touched(workspace, channel);
  const shown = {
    id: channel.id,
    name,
    name_normalized: name,
    created: channel.createdS,
    is_channel: kindInEvents(channel) === 'channel',
    is_mpim: false,
  };
  await sendChannelEvent(workspace, channel, 'rename', { channel: shown });
}

/** Makes a channel private or public, for which Slack sends no event. */
export function setPrivate(workspace: Workspace, ref: string, isPrivate: boolean): void {
  const channel = channelOf(workspace, ref);
  channel.kind = isPrivate ? 'private' : 'public';
  touched(workspace, channel);
}

export function addChannel(workspace: Workspace, channel: Partial<SimChannel> & { name: string }): SimChannel {
  const added: SimChannel = {
    id: nextId(workspace.state, 'C'),
    kind: 'public',
    members: [],
    isArchived: false,
    isExtShared: false,
    connectedTeams: [],
    creator: seedIds.admin,
    createdS: nowS(workspace),
    ...channel,
  };
  workspace.state.channels.push(added);
  touched(workspace, added);
  return added;
}

export async function invite(workspace: Workspace, ref: string, who: string, inviter?: string): Promise<void> {
  const channel = channelOf(workspace, ref);
  const person = personOf(workspace, who);
  if (channel.members.includes(person.id)) return;
  channel.members.push(person.id);
  touched(workspace, channel);
  if (!channel.members.includes(workspace.state.app.botUserId)) return;
  await sendMemberEvent(workspace, 'member_joined_channel', channel, person, { inviter: inviter ?? channel.creator });
}

export async function kick(workspace: Workspace, ref: string, who: string): Promise<void> {
  const channel = channelOf(workspace, ref);
  const person = personOf(workspace, who);
  if (!channel.members.includes(person.id)) return;
  channel.members = channel.members.filter((member) => member !== person.id);
  touched(workspace, channel);
  if (person.id === workspace.state.app.botUserId) {
    const type = `${kindInEvents(channel)}_left`;
    await sendEvent(workspace, type, { type, channel: channel.id, actor_id: channel.creator });
  } else if (channel.members.includes(workspace.state.app.botUserId)) {
    await sendMemberEvent(workspace, 'member_left_channel', channel, person);
  }
}
