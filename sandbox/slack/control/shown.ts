import type { Outcome } from '../delivery/types.ts';
import { slackbotSays } from '../messages.ts';
import type { Workspace } from '../workspace.ts';

/** The texts of Slack's client after a click or form without an answer. */
const words = {
  message: 'Operation timed out. Apps need to respond within 3 seconds.',
  view: 'We had some trouble connecting. Try again?',
};

export function showCommandError(workspace: Workspace, outcome: Outcome, channel: string, userId: string): Outcome {
  if (outcome.error === null) return outcome;
  outcome.shown = `${outcome.name} failed with the error "${outcome.error}"`;
  slackbotSays(workspace, channel, userId, outcome.shown);
  return outcome;
}

export function showActionError(outcome: Outcome, place: keyof typeof words): Outcome {
  if (outcome.error !== null) outcome.shown = words[place];
  return outcome;
}
