import { z } from 'zod';
import type { Channel } from '../engine/context/ports.ts';
import { faultOf } from './faults.ts';
import { readPages, type Web } from './web.ts';

export const flag = z.boolean().default(false);

const channelAnswer = z.object({
  channel: z.object({
    id: z.string(),
    name: z.string().default(''),
    is_private: flag,
    is_shared: flag,
    is_ext_shared: flag,
    is_org_shared: flag,
    shared_team_ids: z.array(z.string()).nullish(),
    connected_team_ids: z.array(z.string()).nullish(),
    is_archived: flag,
    is_member: flag,
  }),
});

/** Reads a channel. If Slack reports a missing scope despite the scopes for channels, it is a group direct message. */
export async function readChannel(web: Web, id: string, canReadChannels: boolean): Promise<Channel> {
  const answer = await web.call('conversations.info', { channel: id }, channelAnswer).catch((error: unknown) => {
    const fault = faultOf(error);
    if (canReadChannels && fault.kind === 'refused' && fault.code === 'missing_scope') return undefined;
    throw error;
  });
  if (answer === undefined) return groupDirect(id);
  const { channel } = answer;
  return {
    id,
    name: channel.name,
    isPrivate: channel.is_private,
    isShared: channel.is_shared || channel.is_ext_shared || channel.is_org_shared,
    teams: [...(channel.shared_team_ids ?? []), ...(channel.connected_team_ids ?? [])],
    isArchived: channel.is_archived,
    hasBot: channel.is_member,
  };
}

/** The facts of a direct message are known; reading them would require another scope. */
export const direct = (id: string): Channel => ({
  id,
  name: 'direct message',
  isPrivate: true,
  isShared: false,
  isArchived: false,
  hasBot: true,
});

export const groupDirect = (id: string): Channel => ({
  ...direct(id),
  name: 'group direct message',
  isGroupDirect: true,
  hasBot: false,
});

const joinedPages = 50;
const joinedPage = z.object({ channels: z.array(z.object({ id: z.string(), name: z.string() })) });

export async function readJoinedChannels(web: Web) {
  const args = { types: 'public_channel,private_channel', exclude_archived: true, limit: 200 };
  const { pages } = await readPages(web, 'users.conversations', args, joinedPage, joinedPages);
  return pages.flatMap(({ channels }) => channels);
}
