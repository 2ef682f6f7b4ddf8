import { z } from 'zod';
import type { Web } from '../web.ts';

const opened = z.object({ channel: z.object({ id: z.string() }) });

/** Looks up and caches people's direct message channels: Slack accepts a user id for posts, but not for edits. */
export interface Direct {
  readonly channelFor: (id: string) => Promise<string>;
}

export function createDirect(web: Web): Direct {
  const channels = new Map<string, string>();
  return {
    channelFor: async (id) => {
      if (!/^[UW]/.test(id)) return id;
      const cached = channels.get(id);
      if (cached !== undefined) return cached;
      const { channel } = await web.call('conversations.open', { users: id }, opened);
      channels.set(id, channel.id);
      return channel.id;
    },
  };
}
