import { z } from 'zod';
import type { SlackDirectory } from '../directory.ts';
import type { SlackAddresses } from '../slack-addresses.ts';
import type { SlackLog } from '../slack-log.ts';
import type { Web } from '../web.ts';
import type { Ladder } from './ladder.ts';

/** The dependencies of everything that is sent to Slack. */
export interface Voice {
  readonly web: Web;
  readonly log: SlackLog;
  readonly addresses: SlackAddresses;
  readonly ladder: Ladder;
  readonly groups: SlackDirectory['groups'];
  /** The channel of a person's direct messages: Slack accepts a user id for posts, but not for edits. */
  readonly channelFor: (id: string) => Promise<string>;
}

const opened = z.object({ channel: z.object({ id: z.string() }) });

export function createVoice(parts: Omit<Voice, 'channelFor'>): Voice {
  const channels = new Map<string, string>();
  return {
    ...parts,
    channelFor: async (id) => {
      if (!/^[UW]/.test(id)) return id;
      const cached = channels.get(id);
      if (cached !== undefined) return cached;
      const { channel } = await parts.web.call('conversations.open', { users: id }, opened);
      channels.set(id, channel.id);
      return channel.id;
    },
  };
}

/** The names of user groups, by id. */
export async function groupNames({ groups }: Pick<Voice, 'groups'>): Promise<ReadonlyMap<string, string>> {
  return new Map((await groups()).map(({ value, label }) => [value, label]));
}
