import { z } from 'zod';
import type { View } from '../../core/view.ts';
import { faultOf, SlackError } from '../faults.ts';
import type { SlackLog } from '../log.ts';
import type { Web, WebMethod } from '../web.ts';
import { asPlainMessage, drawMessage } from './message.ts';

/** What Slack says when it is the blocks, not the message, that it does not take. */
const blocksRefused: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
  'invalid_arguments',
  'block_mismatch',
  'failed_for_some_blocks',
]);

const posted = z.object({
  ts: z.string().optional(),
  message_ts: z.string().optional(),
  channel: z.string().optional(),
});

export interface Posted {
  readonly ts: string;
  readonly cutCode: readonly string[];
}

/** Sends a view; when Slack refuses its blocks the words are sent without them, once, so that nothing is lost. */
export async function sendView(
  web: Web,
  log: SlackLog,
  method: Extract<WebMethod, 'chat.postMessage' | 'chat.postEphemeral' | 'chat.update'>,
  args: Readonly<Record<string, string>>,
  view: View,
): Promise<Posted> {
  const { text, blocks, cutCode } = drawMessage(view);
  // Links in names and records must not pull in previews of somebody's page.
  const quiet = method === 'chat.postMessage' ? { unfurl_links: false, unfurl_media: false } : {};
  const tsOf = (answer: z.output<typeof posted>) => answer.ts ?? answer.message_ts ?? args.ts ?? '';
  try {
    return { ts: tsOf(await web.call(method, { ...args, ...quiet, text, blocks }, posted)), cutCode };
  } catch (error) {
    const fault = faultOf(error);
    if (fault.kind !== 'refused' || !blocksRefused.has(fault.code)) throw error;
    log.error(
      { method, code: fault.code, problems: error instanceof SlackError ? error.details.slice(0, 5) : [] },
      'Slack refused the blocks of a message; its words are sent without them',
    );
    const plain = method === 'chat.postMessage' ? { ...quiet, mrkdwn: false } : {};
    return {
      ts: tsOf(await web.call(method, { ...args, ...plain, text: asPlainMessage(view), blocks: [] }, posted)),
      cutCode: [],
    };
  }
}
