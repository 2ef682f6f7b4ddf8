import { channelOf, isVisibleToBot, personOf } from '../channels.ts';
import type { Dict } from '../dict.ts';
import { sendEvent } from '../payloads/event.ts';
import { seedIds } from '../seed.ts';
import type { SimChannel, SimPerson } from '../state.ts';
import { nextId, nowS, type Workspace } from '../world.ts';

/** What an admin does to channels, and how the app hears of it. */

function touched(world: Workspace, channel: SimChannel): void {
  world.changed({ kind: 'channel', id: channel.id });
}

/** Events still call a private channel a group. */
const kindInEvents = (channel: SimChannel): 'group' | 'channel' => (channel.kind === 'private' ? 'group' : 'channel');

async function tellOfChannel(world: Workspace, channel: SimChannel, verb: string, more: Dict): Promise<void> {
  const type = `${kindInEvents(channel)}_${verb}`;
  if (isVisibleToBot(world, channel)) await sendEvent(world, type, { type, ...more });
}

async function tellOfMember(
  world: Workspace,
  type: 'member_joined_channel' | 'member_left_channel',
  channel: SimChannel,
  person: SimPerson,
  more: Dict = {},
): Promise<void> {
  await sendEvent(world, type, {
    type,
    user: person.id,
    channel: channel.id,
    channel_type: channel.kind === 'private' ? 'G' : 'C',
    team: person.teamId,
    ...more,
  });
}

export async function setArchived(world: Workspace, ref: string, isArchived: boolean): Promise<void> {
  const channel = channelOf(world, ref);
  channel.isArchived = isArchived;
  touched(world, channel);
  const verb = isArchived ? 'archive' : 'unarchive';
  await tellOfChannel(world, channel, verb, { channel: channel.id, user: channel.creator });
}

export async function setShared(world: Workspace, ref: string, teamId: string, isShared: boolean): Promise<void> {
  const channel = channelOf(world, ref);
  const others = channel.connectedTeams.filter((team) => team !== teamId);
  channel.connectedTeams = isShared ? [...others, teamId] : others;
  channel.isExtShared = channel.connectedTeams.length > 0;
  touched(world, channel);
  if (!isVisibleToBot(world, channel)) return;
  await (isShared
    ? sendEvent(world, 'channel_shared', { type: 'channel_shared', connected_team_id: teamId, channel: channel.id })
    : sendEvent(world, 'channel_unshared', {
        type: 'channel_unshared',
        previously_connected_team_id: teamId,
        channel: channel.id,
        is_ext_shared: channel.isExtShared,
      }));
}

export async function rename(world: Workspace, ref: string, name: string): Promise<void> {
  const channel = channelOf(world, ref);
  channel.name = name;
  touched(world, channel);
  const shown = {
    id: channel.id,
    name,
    name_normalized: name,
    created: channel.createdS,
    is_channel: kindInEvents(channel) === 'channel',
    is_mpim: false,
  };
  await tellOfChannel(world, channel, 'rename', { channel: shown });
}

/** Private to public or back; Slack sends no event for it. */
export function setPrivate(world: Workspace, ref: string, isPrivate: boolean): void {
  const channel = channelOf(world, ref);
  channel.kind = isPrivate ? 'private' : 'public';
  touched(world, channel);
}

export function addChannel(world: Workspace, channel: Partial<SimChannel> & { name: string }): SimChannel {
  const added: SimChannel = {
    id: nextId(world.state, 'C'),
    kind: 'public',
    members: [],
    isArchived: false,
    isExtShared: false,
    connectedTeams: [],
    creator: seedIds.admin,
    createdS: nowS(world),
    ...channel,
  };
  world.state.channels.push(added);
  touched(world, added);
  return added;
}

export async function invite(world: Workspace, ref: string, who: string): Promise<void> {
  const channel = channelOf(world, ref);
  const person = personOf(world, who);
  if (channel.members.includes(person.id)) return;
  channel.members.push(person.id);
  touched(world, channel);
  if (!channel.members.includes(world.state.app.botUserId)) return;
  await tellOfMember(world, 'member_joined_channel', channel, person, { inviter: channel.creator });
}

export async function kick(world: Workspace, ref: string, who: string): Promise<void> {
  const channel = channelOf(world, ref);
  const person = personOf(world, who);
  if (!channel.members.includes(person.id)) return;
  channel.members = channel.members.filter((member) => member !== person.id);
  touched(world, channel);
  if (person.id === world.state.app.botUserId) {
    const type = `${kindInEvents(channel)}_left`;
    await sendEvent(world, type, { type, channel: channel.id, actor_id: channel.creator });
  } else if (channel.members.includes(world.state.app.botUserId)) {
    await tellOfMember(world, 'member_left_channel', channel, person);
  }
}
