import { z } from 'zod';
import { createMemory } from '../../core/async/memory.ts';
import type { Log } from '../../engine/context/dependencies.ts';
import type { SlackDirectory } from '../directory.ts';
import type { SlackAddresses } from '../slack-addresses.ts';
import type { Web } from '../web.ts';
import type { Ladder } from './ladder.ts';

/** The dependencies of everything that is sent to Slack. */
export interface Voice {
  readonly web: Web;
  readonly log: Log;
  readonly addresses: SlackAddresses;
  readonly ladder: Ladder;
  readonly groups: SlackDirectory['groups'];
  /** The channel of a person's direct messages: Slack accepts a user id for posts, but not for edits. */
  readonly channelFor: (id: string) => Promise<string>;
}

const opened = z.object({ channel: z.object({ id: z.string() }) });

export function createVoice(parts: Omit<Voice, 'channelFor'>): Voice {
  const channels = createMemory<string>({ lifeMs: Number.POSITIVE_INFINITY, now: Date.now });
  const open = async (id: string) => (await parts.web.call('conversations.open', { users: id }, opened)).channel.id;
  return { ...parts, channelFor: async (id) => (/^[UW]/.test(id) ? channels.get(id, () => open(id)) : id) };
}

export async function groupNames({ groups }: Pick<Voice, 'groups'>): Promise<ReadonlyMap<string, string>> {
  return new Map((await groups()).map(({ value, label }) => [value, label]));
}
