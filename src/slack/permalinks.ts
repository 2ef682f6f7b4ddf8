import { z } from 'zod';
import { faultOf } from './faults.ts';
import { createMemory, type MemoryOptions } from './memory.ts';
import type { Web } from './web.ts';

/** A message's address never changes, but after this time the bot notices its deletion. */
const lifeMs = 10 * 60_000;
const answer = z.object({ permalink: z.url({ protocol: /^https$/ }) });
/** Codes for a deleted message, or a channel without access. */
const gone: ReadonlySet<string> = new Set(['message_not_found', 'channel_not_found']);

/** Looks up the addresses of messages; undefined for deleted messages. */
export function createPermalinks(web: Web, remembering: Omit<MemoryOptions, 'lifeMs'>) {
  const cache = createMemory<string | undefined>({ ...remembering, lifeMs });

  const read = async (channel: string, ts: string): Promise<string | undefined> => {
    try {
      return (await web.call('chat.getPermalink', { channel, message_ts: ts }, answer)).permalink;
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind === 'refused' && gone.has(fault.code)) return undefined;
      throw error;
    }
  };

  return (channel: string, ts: string) => cache.get(`${channel} ${ts}`, () => read(channel, ts));
}
