import { z } from 'zod';
import { faultOf, sayFault } from './faults.ts';
import type { Web } from './web.ts';

export interface JoinedChannel {
  readonly id: string;
  readonly name: string;
}

const pagesLimit = 50;

const answer = z.object({
  channels: z.array(z.object({ id: z.string(), name: z.string() })),
  response_metadata: z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' }),
});

/** The unarchived channels, public and private, that the bot is a member of. */
export async function readJoinedChannels(web: Web): Promise<readonly JoinedChannel[]> {
  const joined: JoinedChannel[] = [];
  let cursor = '';
  for (let page = 0; page < pagesLimit; page += 1) {
    const args = { types: 'public_channel,private_channel', exclude_archived: true, limit: 200 };
    const { channels, response_metadata } = await web
      .call('users.conversations', { ...args, ...(cursor === '' ? {} : { cursor }) }, answer)
      .catch((error: unknown) => {
        throw new Error(`looking up the channels of the bot in Slack: ${sayFault(faultOf(error))}`, { cause: error });
      });
    joined.push(...channels);
    cursor = response_metadata.next_cursor;
    if (cursor === '') break;
  }
  return joined;
}
