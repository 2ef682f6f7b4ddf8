import { isVisibleToBot } from '../channels.ts';
import { conversationFor } from '../messages.ts';
import type { SimChannel } from '../state.ts';
import type { Workspace } from '../world.ts';
import { SlackApiError } from './method.ts';

/** What a method may do with the channel it names. */

export const readScopes = { public: 'channels:read', private: 'groups:read', im: 'im:read' } as const;

export function visible(world: Workspace, id: string): SimChannel {
  const channel = world.state.channels.find((candidate) => candidate.id === id);
  if (channel === undefined || !isVisibleToBot(world, channel)) throw new SlackApiError('channel_not_found');
  return channel;
}

export function needScope(world: Workspace, kind: SimChannel['kind']): void {
  const { scopes } = world.state;
  const needed = readScopes[kind];
  if (!scopes.includes(needed)) throw new SlackApiError('missing_scope', { needed, provided: scopes.join(',') });
}

export function readable(world: Workspace, id: string): SimChannel {
  const channel = visible(world, id);
  needScope(world, channel.kind);
  return channel;
}

/** A person's id names the direct conversation with them. */
export function writable(world: Workspace, id: string): SimChannel {
  const channel = conversationFor(world, id);
  if (channel === undefined || !isVisibleToBot(world, channel)) throw new SlackApiError('channel_not_found');
  if (channel.isArchived) throw new SlackApiError('is_archived');
  const isMember = channel.members.includes(world.state.app.botUserId);
  const isOpen = channel.kind === 'public' && world.state.scopes.includes('chat:write.public');
  if (!isMember && !isOpen) throw new SlackApiError('not_in_channel');
  return channel;
}
