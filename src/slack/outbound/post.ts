import { z } from 'zod';
import type { View } from '../../core/view/view.ts';
import type { Web, WebMethod } from '../web.ts';
import type { Ladder } from './ladder.ts';
import { drawMessage } from './message.ts';
import type { SlackSurface } from './surface.ts';

type PostMethod = Extract<WebMethod, 'chat.postMessage' | 'chat.postEphemeral' | 'chat.update'>;

const surfaceOf = {
  'chat.postMessage': 'message',
  'chat.postEphemeral': 'ephemeral',
  'chat.update': 'update',
} as const satisfies Record<PostMethod, SlackSurface>;

const posted = z.object({
  ts: z.string().optional(),
  message_ts: z.string().optional(),
  message: z.looseObject({ thread_ts: z.string().optional() }).optional(),
});

export interface Posted {
  readonly ts: string;
  /** Slack puts the answer to a message that was deleted at the root of the channel, and says so only in this way. */
  readonly isOutsideThread: boolean;
  readonly cutCode: readonly string[];
}

/** Everything that posting in Slack needs. */
export interface Voice {
  readonly web: Web;
  readonly ladder: Ladder;
  readonly nameGroups: (view: View) => Promise<View>;
}

/** Posts or edits a message; `generation` grows with each edit of it. */
export async function sendView(
  { web, ladder, nameGroups }: Voice,
  method: PostMethod,
  args: Readonly<Record<string, string>>,
  given: View,
  generation?: number,
): Promise<Posted> {
  const view = await nameGroups(given);
  // Links in names and records must not pull in previews of somebody's page.
  const quiet = method === 'chat.postMessage' ? { unfurl_links: false, unfurl_media: false } : {};
  const { answer, drawn } = await ladder.send(
    surfaceOf[method],
    (attempt) => drawMessage(view, attempt, generation),
    ({ text, blocks }) => web.call(method, { ...args, ...quiet, text, ...blocksOf(method, blocks) }, posted),
  );
  return {
    ts: answer.ts ?? answer.message_ts ?? args.ts ?? '',
    isOutsideThread:
      args.thread_ts !== undefined && answer.message !== undefined && answer.message.thread_ts === undefined,
    cutCode: drawn.cutCode,
  };
}

/** Only an edit has blocks to take away; a post with an empty list is one of invalid blocks. */
function blocksOf(method: PostMethod, blocks: readonly unknown[]): { blocks?: readonly unknown[] } {
  return blocks.length > 0 || method === 'chat.update' ? { blocks } : {};
}
