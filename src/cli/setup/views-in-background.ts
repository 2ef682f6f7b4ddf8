import { sayFinding } from '../check/check.ts';
import type { CheckResult } from '../check/check-result.ts';
import { checkViews } from '../check/check-views.ts';
import { reasonOf } from '../open-scene.ts';
import type { Terminal } from './terminal.ts';

/**
 * Asks Slack about the messages of this version, while the person answers questions: it needs no token, and takes longer
 * than anybody wants to wait. A refusal holds nothing up, because the bot draws such a message plainer.
 */
export function checkViewsInBackground(apiUrl: string): (terminal: Terminal) => Promise<void> {
  const found: CheckResult[] = [];
  const all = (async () => {
    for await (const finding of checkViews(apiUrl === '' ? undefined : apiUrl, undefined)) found.push(finding);
  })().catch((error: unknown) => {
    found.push({ is: 'note', about: 'views', text: `not checked: ${reasonOf(error).message}` });
  });
  return async (terminal) => {
    await all;
    for (const finding of found) terminal.say(sayFinding(finding));
  };
}
