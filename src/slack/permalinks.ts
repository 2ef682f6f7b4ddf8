import { z } from 'zod';
import { faultOf } from './faults.ts';
import { createMemory, type MemoryOptions } from './memory.ts';
import type { Web } from './web.ts';

/** The address of a message never changes; after this, one that was deleted is noticed. */
const lifeMs = 10 * 60_000;
const answer = z.object({ permalink: z.url({ protocol: /^https$/ }) });
/** The message was deleted, or its channel is closed to the bot. */
const gone: ReadonlySet<string> = new Set(['message_not_found', 'channel_not_found']);

/** Looks up addresses of messages; a message that Slack no longer has has none. */
export function createPermalinks(web: Web, remembering: Omit<MemoryOptions, 'lifeMs'>) {
  const known = createMemory<string | undefined>({ ...remembering, lifeMs });

  const read = async (channel: string, ts: string): Promise<string | undefined> => {
    try {
      return (await web.call('chat.getPermalink', { channel, message_ts: ts }, answer)).permalink;
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind === 'refused' && gone.has(fault.code)) return undefined;
      throw error;
    }
  };

  return (channel: string, ts: string) => known.get(`${channel} ${ts}`, () => read(channel, ts));
}
