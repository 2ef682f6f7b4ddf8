import type { Attachment } from '../../core/view/view.ts';
import { faultOf, sayFault } from '../faults.ts';
import type { SlackLog } from '../log.ts';
import type { SlackAddresses } from '../slack-addresses.ts';
import { sendView, type Voice } from './post.ts';
import { uploadFiles } from './upload.ts';

export type SendFiles = ReturnType<typeof createSendFiles>;

/** Uploads the files of a message and its cut code. If that fails, a message says so; the message itself stays. */
export function createSendFiles({ voice, log, addresses }: { voice: Voice; log: SlackLog; addresses: SlackAddresses }) {
  return async (
    where: { channel: string; thread?: string | undefined },
    own: readonly Attachment[],
    cutCode: readonly string[],
  ): Promise<void> => {
    const files: Attachment[] = [
      ...own,
      ...cutCode.map((code, index) => ({
        name: cutCode.length === 1 ? 'complete.txt' : `complete-${index + 1}.txt`,
        title: 'Complete text',
        alt: 'The complete text of the answer above',
        bytes: Buffer.from(code),
      })),
    ];
    if (files.length === 0) return;
    try {
      await uploadFiles(voice.web, where, files, addresses);
    } catch (error) {
      log.warn({ why: sayFault(faultOf(error)) }, 'Slack refused a file of an answer');
      const text = `The attached ${files.length === 1 ? 'file' : 'files'} could not be uploaded to Slack. Run the command again to get ${files.length === 1 ? 'it' : 'them'}.`;
      await sendView(voice, 'chat.postMessage', threaded(where.channel, where.thread), {
        summary: text,
        parts: [{ kind: 'notice', tone: 'warning', text }],
      });
    }
  };
}

export function threaded(channel: string, thread: string | undefined): Record<string, string> {
  return thread === undefined ? { channel } : { channel, thread_ts: thread };
}
