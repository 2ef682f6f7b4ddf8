import { z } from 'zod';
import { within } from '../../core/async/within.ts';
import type { View } from '../../core/view/view.ts';
import type { WebMethod } from '../web.ts';
import { drawMessage, hasPicture, type SlackMessage, showsPictures } from './draw.ts';
import type { DrawAttempt, SlackSurface } from './pen.ts';
import { groupNames, type Voice } from './voice.ts';

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
  /** True if Slack posted a reply to a deleted message to the channel; only a missing thread in its answer shows it. */
  readonly isOutsideThread: boolean;
  readonly cutCode: readonly string[];
  readonly hasPicture: boolean;
}

interface HowSent {
  readonly generation?: number;
  /** Replaces the view where Slack refuses its picture. */
  readonly unpictured?: View | undefined;
}

export async function sendView(
  voice: Voice,
  method: PostMethod,
  args: Readonly<Record<string, string>>,
  view: View,
  how?: HowSent,
): Promise<Posted> {
  // Links in names and records must not show previews of foreign pages.
  const quiet = method === 'chat.postMessage' ? { unfurl_links: false, unfurl_media: false } : {};
  const send = ({ text, blocks }: SlackMessage) => {
    // An empty list removes the blocks in an edit, but is invalid in a post.
    const shown = blocks.length > 0 || method === 'chat.update' ? { blocks } : {};
    return voice.web.call(method, { ...args, ...quiet, text, ...shown }, posted);
  };
  const { answer, drawn } = await sendMessage(voice, surfaceOf[method], view, send, how);
  return {
    ts: answer.ts ?? answer.message_ts ?? args.ts ?? '',
    isOutsideThread:
      args.thread_ts !== undefined && answer.message !== undefined && answer.message.thread_ts === undefined,
    cutCode: drawn.cutCode,
    hasPicture: hasPicture(drawn),
  };
}

/** Draws a message and sends it, plainer after each refusal. */
export async function sendMessage<Answer>(
  voice: Voice,
  surface: SlackSurface,
  unnamed: View,
  send: (message: SlackMessage) => Promise<Answer>,
  { generation, unpictured }: HowSent = {},
) {
  const view = await nameGroups(voice, unnamed);
  const plain = unpictured === undefined ? view : await nameGroups(voice, unpictured);
  const draw = (attempt: DrawAttempt) => drawMessage(showsPictures(attempt) ? view : plain, attempt, generation);
  return voice.ladder.send(surface, draw, send);
}

/** The longest wait of a message for the names in its notification. */
const waitMs = 2_000;

/**
 * Replaces user groups in a notification by their names: a mention would notify the whole group, and people cannot read
 * an id. In blocks Slack shows the group itself.
 */
async function nameGroups(voice: Voice, view: View): Promise<View> {
  if (typeof view.summary === 'string' || !view.summary.some((span) => typeof span !== 'string' && 'group' in span))
    return view;
  const names = await within(groupNames(voice), waitMs);
  if (names.kind !== 'done') return view;
  const summary = view.summary.map((span) =>
    typeof span !== 'string' && 'group' in span ? (names.value.get(span.group) ?? span) : span,
  );
  return { ...view, summary };
}

export function threaded(channel: string, thread: string | undefined): Record<string, string> {
  return thread === undefined ? { channel } : { channel, thread_ts: thread };
}
