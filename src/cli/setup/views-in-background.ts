import { sayFinding } from '../check/check.ts';
import type { CheckResult } from '../check/check-result.ts';
import { checkViews } from '../check/check-views.ts';
import { reasonOf } from '../open-scene.ts';
import type { Terminal } from './terminal.ts';

/**
 * Validates this version's messages with Slack while the person answers questions, since it takes long and needs no
 * token. A refusal does not stop setup, because the bot draws such a message plainer.
 */
export function checkViewsInBackground(apiUrl: string): (terminal: Terminal) => Promise<void> {
  const findings: CheckResult[] = [];
  const all = (async () => {
    for await (const finding of checkViews(apiUrl === '' ? undefined : apiUrl, undefined)) findings.push(finding);
  })().catch((error: unknown) => {
    findings.push({ is: 'note', about: 'views', text: `not checked: ${reasonOf(error).message}` });
  });
  return async (terminal) => {
    await all;
    for (const finding of findings) terminal.say(sayFinding(finding));
  };
}
