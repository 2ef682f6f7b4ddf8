import type { UploadedFile } from '../core/command/bot-port.ts';
import type { ReadContext } from '../core/command/command.ts';
import { unavailable } from '../core/view/errors.ts';

/** Reads a file uploaded with a form. A failure is reported as Slack's, not as an error of the bot. */
export function uploaded(id: string, { file }: Pick<ReadContext, 'file'>): Promise<UploadedFile> {
  return file(id).catch((error: unknown) => {
    const why = error instanceof Error ? ` (${error.message})` : '';
    throw unavailable(`Slack did not provide the file${why}.`, 'Nothing was sent. Upload it again.', 'file');
  });
}
