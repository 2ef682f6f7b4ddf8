import { isVisibleToBot } from '../channels.ts';
import { conversationFor } from '../messages.ts';
import type { SimChannel } from '../state.ts';
import type { Workspace } from '../workspace.ts';
import { SlackApiError } from './method.ts';

/** Checks a method's access to a channel. */

export const readScopes = {
  public: 'channels:read',
  private: 'groups:read',
  im: 'im:read',
  mpim: 'mpim:read',
} as const;

export function visible(workspace: Workspace, id: string): SimChannel {
  const channel = workspace.state.channels.find((candidate) => candidate.id === id);
  if (channel === undefined || !isVisibleToBot(workspace, channel)) throw new SlackApiError('channel_not_found');
  return channel;
}

export function needScope(workspace: Workspace, kind: SimChannel['kind']): void {
  const { scopes } = workspace.state;
  const needed = readScopes[kind];
  if (!scopes.includes(needed)) throw new SlackApiError('missing_scope', { needed, provided: scopes.join(',') });
}

export function readable(workspace: Workspace, id: string): SimChannel {
  const channel = visible(workspace, id);
  needScope(workspace, channel.kind);
  return channel;
}

/** The channel for an id; a person's id means their direct messages. */
export function writable(workspace: Workspace, id: string): SimChannel {
  const channel = conversationFor(workspace, id);
  if (channel === undefined || !isVisibleToBot(workspace, channel)) throw new SlackApiError('channel_not_found');
  if (channel.isArchived) throw new SlackApiError('is_archived');
  const isMember = channel.members.includes(workspace.state.app.botUserId);
  const isOpen = channel.kind === 'public' && workspace.state.scopes.includes('chat:write.public');
  if (!isMember && !isOpen) throw new SlackApiError('not_in_channel');
  return channel;
}
