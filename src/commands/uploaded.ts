import type { UploadedFile } from '../core/bot.ts';
import { Refusal } from '../core/errors.ts';

/** What was uploaded with a form, for a plan: that Slack does not give it out is no fault of the bot. */
export async function uploaded(
  id: string,
  field: string,
  { file }: { readonly file: (id: string) => Promise<UploadedFile> },
): Promise<UploadedFile> {
  try {
    return await file(id);
  } catch (error) {
    const why = error instanceof Error ? ` (${error.message})` : '';
    throw new Refusal('unavailable', `Slack did not give me the file${why}.`, {
      hint: 'Nothing was sent. Upload it again.',
      field,
    });
  }
}
