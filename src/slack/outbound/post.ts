import { z } from 'zod';
import type { View } from '../../core/view/view.ts';
import type { Web, WebMethod } from '../web.ts';
import type { Ladder } from './ladder.ts';
import { drawMessage } from './message.ts';
import { hasPicture, showsPictures } from './pictures.ts';
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
  /**
   * True if Slack posted a reply to a deleted message to the channel; its response shows this only by a missing thread.
   */
  readonly isOutsideThread: boolean;
  readonly cutCode: readonly string[];
  readonly hasPicture: boolean;
}

/** The dependencies of posting in Slack. */
export interface Voice {
  readonly web: Web;
  readonly ladder: Ladder;
  readonly nameGroups: (view: View) => Promise<View>;
}

/**
 * Posts or edits a message; `generation` grows with each edit of it. `unpictured` replaces it where Slack refuses its
 * picture.
 */
export async function sendView(
  { web, ladder, nameGroups }: Voice,
  method: PostMethod,
  args: Readonly<Record<string, string>>,
  unnamed: View,
  { generation, unpictured }: { readonly generation?: number; readonly unpictured?: View } = {},
): Promise<Posted> {
  const view = await nameGroups(unnamed);
  const plain = unpictured === undefined ? view : await nameGroups(unpictured);
  // Links in names and records must not show previews of foreign pages.
  const quiet = method === 'chat.postMessage' ? { unfurl_links: false, unfurl_media: false } : {};
  const { answer, drawn } = await ladder.send(
    surfaceOf[method],
    (attempt) => drawMessage(showsPictures(attempt) ? view : plain, attempt, generation),
    ({ text, blocks }) => web.call(method, { ...args, ...quiet, text, ...blocksOf(method, blocks) }, posted),
  );
  return {
    ts: answer.ts ?? answer.message_ts ?? args.ts ?? '',
    isOutsideThread:
      args.thread_ts !== undefined && answer.message !== undefined && answer.message.thread_ts === undefined,
    cutCode: drawn.cutCode,
    hasPicture: hasPicture(drawn),
  };
}

/** An empty list removes the blocks in an edit, but is invalid in a post. */
function blocksOf(method: PostMethod, blocks: readonly unknown[]): { blocks?: readonly unknown[] } {
  return blocks.length > 0 || method === 'chat.update' ? { blocks } : {};
}
