import type { OperationState } from '../../core/plan/operation.ts';
import { readsForMs } from '../../core/plan/polling-schedule.ts';
import { stateWords } from '../../core/plan/say-state.ts';
import { type Comeback, isBack, sayComeback, sayMissing } from '../../core/probe/comeback.ts';
import { firstFew, sayDuration, sentenceStart } from '../../core/text/words.ts';
import { says, type Text, text, type View } from '../../core/view/view.ts';
import { endSentence } from '../context/error-view.ts';
import type { Operation, OperationStep } from './read-operation.ts';

/** Every sentence about the end of a request: on its card, in its thread and in the audit. */

export const nothingDone = 'Nothing was done.';
/** Precedes the provider's own words about an error. */
export const providerSays = 'The provider says: ';

/** Ends without a write. */
export const ends = {
  slower: `Replaced by the same request, one at a time. ${nothingDone}`,
  replaced: `Replaced by a new request. ${nothingDone}`,
  expired: (rule: Operation['rule']) =>
    `Expired: nobody ${rule === 'confirm' ? 'confirmed' : 'approved'} it in time. ${nothingDone}`,
  declined: (name: string, reason: string) => `Declined by @${name}: ${endSentence(reason)} ${nothingDone}`,
  /** With the changes that an approver asks for. */
  sentBack: (name: string, words: string) => `Sent back by @${name}: ${endSentence(words)} ${nothingDone}`,
  /** `name`: the person, unless it was the requester. */
  withdrawn: (name: string | undefined) => `Withdrawn${name === undefined ? '' : ` by @${name}`}. ${nothingDone}`,
  tokenRevoked: (token: string) => `Withdrawn: the token ${token} was revoked. ${nothingDone}`,
  /** Of a scheduled request, before its hour. */
  calledOff: (name: string) => `Called off by @${name} before its hour. ${nothingDone}`,
  standing: {
    over: (ran: string) => `The standing approval is over after ${ran}.`,
    stoppedBy: (name: string, ran: string) => `Stopped by @${name} after ${ran}. No further run begins.`,
    stopped: (why: string, ran: string) => `Stopped after ${ran}: ${endSentence(why)} No further run begins.`,
  },
  notRun: (why: string) => `Not run: ${endSentence(why)} ${nothingDone}`,
  notSent: (why: string) => `Not run: ${endSentence(why)} Nothing was sent.`,
  nothingToDo: (why: string) => `Not run: ${why}`,
  locked: (otherRequest: string) => `Not run: ${otherRequest}. ${nothingDone} Ask again when that has ended.`,
  changed: (why: string, votes: string) => `Not run: ${why} A new card with the present state was posted.${votes}`,
  interrupted: (request: string) => `${endSentence(request)} The bot could not make its card. ${nothingDone}`,
  /** For a channel in which strangers can read. */
  discreet: 'This channel is shared or public now: the requester was notified directly.',
} as const;

/** Reasons of `ends.notRun`. */
export const reasons = {
  noCommand: (command: string) => `this version of the bot has no command ${command}`,
  stopped: 'it was stopped.',
  standingEnded: 'its standing approval has ended.',
  otherTargets: 'its targets are not those that were approved.',
  notInWindow: (name: string) => `it begins only in the maintenance window “${name}”.`,
  changedAtHour: 'it changed at its hour.',
  asksMore: 'the rule asks for more now than its standing approval.',
  voidApproval: (name: string, why: string) => `the approval of ${name} no longer counts: ${why}.`,
  protected: 'its target is pinned, and nothing runs on a pinned target under a standing approval.',
  heldTooLong: 'it waited a day, and nobody clicked Continue.',
  fault: (incident: string) =>
    `something is wrong on the bot's side. An admin finds the cause in the log under incident ${incident}.`,
} as const;

/** The reason in the end text of a request that was not run. */
export function whyNotRun(endText: string): string {
  return endText.replace(/^Not run: /, '').replace(` ${nothingDone}`, '');
}

/** The reason of a hold: a person has to click "Continue". */
export const heldBecause = {
  offline: (ms: number) => `The bot was offline for ${sayDuration(ms)}.`,
  paused: 'The bot is paused (HOSTLER_PAUSED) and begins nothing.',
  /** `delay`: the reason that the card showed, with a space before it; or empty. */
  missedHour: (ms: number, delay: string) => `It could not begin within ${sayDuration(ms)} after its hour.${delay}`,
  stalled: (ms: number, delay: string) => `It could not continue for ${sayDuration(ms)}.${delay}`,
} as const;

/** Ends of requests whose turns always failed. */
export const abandoned = {
  sent: (title: string, incident: string) =>
    `${title}: it was sent once, and its result is unknown: ${reasons.fault(incident)} Check it in the provider's panel.`,
  notSent: (title: string, incident: string) => `${title}: ${reasons.fault(incident)} Nothing was sent.`,
} as const;

/** The note of a step that did not end as done. `doing`: "Restarting web-1". */
export const notes = {
  lost: (why: string) => endSentence(`The response was lost${why === '' ? '' : ` (${why})`}`),
  notSent: (doing: string, incident: string) =>
    `${doing}: the bot could not send it. Nothing was changed. An admin finds the cause in the log under incident ${incident}.`,
  refused: (doing: string, why: string) => `${doing}: ${endSentence(why)}`,
  notApplied: (doing: string, why: string) =>
    `${doing}: the response was lost, and reading shows that it was not applied: ${endSentence(why)} Ask again if you still want it.`,
  jobFailed: (doing: string, providerNote: string) =>
    `${doing}: the provider's job ended in error.${providerNote === '' ? '' : ` ${providerSays}${endSentence(providerNote)}`}`,
  jobUnfinished: (wasRead: boolean, elapsedMs: number, state: string) =>
    `the provider's job ${wasRead ? 'has not ended' : 'could not be seen to end'} in ${sayDuration(elapsedMs)}; ${state}`,
  /** `state` of a change that is not verified by itself. */
  noAnswer: (state: string, comeback: Comeback, isStopped: boolean) =>
    [state, sayComeback(comeback), sayMissing(comeback), isStopped ? 'the wait was stopped' : '']
      .filter(Boolean)
      .join('; '),
  unread: (providerWords: string) =>
    `it could not be read: ${providerWords === '' ? 'the provider did not answer' : providerWords}`,
} as const;

/** The reason of a lost response if the provider is not the cause. */
export const wasInterrupted = 'the bot was interrupted';

/** The hour until which a lost response is read back. */
export function readsUntil(steps: readonly Pick<OperationStep, 'startedAt' | 'state'>[]): Text | undefined {
  const sent = steps.flatMap(({ state, startedAt }) => (state === 'reading' && startedAt !== null ? [startedAt] : []));
  return sent.length === 0 ? undefined : ['about ', { date: Math.max(...sent) + readsForMs, style: 'full' }];
}

/** The warning on the card and in the thread while a lost response is read back. */
export function lostWords({ plan }: Pick<Operation, 'plan'>, steps: readonly OperationStep[]): Text {
  const isOurs = steps.some(({ note }) => note?.includes(wasInterrupted));
  const why = isOurs ? 'The bot was interrupted before it stored the response' : 'The provider did not respond';
  const until = readsUntil(steps);
  const checking: Text = until === undefined ? '' : text('; checking until ', until);
  return text(`${why}: “${plan.title}” may have begun. Not retried`, checking, '.');
}

export type WorkedEnd = Extract<OperationState, 'done' | 'unverified' | 'failed' | 'unknown' | 'stopped' | 'refused'>;

type SayEnd = (operation: Operation, steps: readonly OperationStep[], ending: string, took: string) => string;

/** Ends of requests whose steps have all ended. */
export const workedEnds: Readonly<Record<WorkedEnd, SayEnd>> = {
  done: (_, steps, ending, took) =>
    `${ending}${steps.length === 1 && isWaitedFor(steps) ? '' : took}${verified(steps)}.`,
  unverified: ({ plan }, steps) =>
    sentences(
      `${plan.title}: accepted by the provider, but not verified: ${endSentence(noteOf(steps, 'unverified') ?? 'it could not be read')}`,
      tally(steps),
    ),
  failed: ({ plan }, steps) =>
    sentences(noteOf(steps, 'failed') ?? `${plan.title}: the job ended in error.`, tally(steps)),
  unknown: ({ plan }, steps) =>
    sentences(
      `${plan.title}: the provider's response was lost, and reading does not show whether it was applied.`,
      sentenceStart(endSentence(noteOf(steps, 'unknown') ?? 'Nothing more could be read')),
      'It was sent once and will not be retried.',
      tally(steps),
    ),
  stopped: ({ plan }, steps) => `${plan.title}: ${tally(steps)}`,
  refused: (_, steps) => ends.notRun(noteOf(steps, 'skipped') ?? 'it was left'),
};

function sentences(...all: readonly string[]): string {
  return all.filter((sentence) => sentence !== '').join(' ');
}

function verified(steps: readonly OperationStep[]): string {
  const [only] = steps;
  if (steps.length > 1 && isWaitedFor(steps)) return '; all answer again as before';
  return steps.length < 2 && only?.note ? `; ${only.note}` : '';
}

/** True if a server did not answer again. */
export function isSilent(steps: readonly Pick<OperationStep, 'comeback' | 'state'>[]): boolean {
  return steps.some(({ comeback, state }) => state === 'unverified' && comeback?.missing != null && !isBack(comeback));
}

/** True if each server had answered before and does so again. */
function isWaitedFor(steps: readonly OperationStep[]): boolean {
  return steps.every(({ comeback }) => comeback !== null && isBack(comeback));
}

function noteOf(steps: readonly OperationStep[], state: OperationStep['state']): string | undefined {
  return steps.find((step) => step.state === state)?.note ?? undefined;
}

/** The only reply in the thread. It mentions the requester if `isNews`: they may not know the end. */
export function endReply(operation: Operation, steps: readonly OperationStep[], isNews: boolean): View {
  const failed = steps.filter(({ state }) => state === 'failed' || state === 'unknown' || state === 'unverified');
  const sentence = endSentenceOf(operation);
  const first = says(isNews ? [{ user: operation.requester }, ` ${sentence}`] : sentence);
  // The first one is in the sentence above.
  if (failed.length < 2) return first;
  const lines = failed.slice(0, 20).map(({ label, note, state }) => `${label}: ${note ?? state}`);
  const more = lines.join('\n');
  return { summary: text(first.summary, '\n', more), parts: [...first.parts, { kind: 'text', text: more }] };
}

/** The end text with the title, which the text of an end without a write lacks. */
export function endSentenceOf(operation: Pick<Operation, 'endText' | 'plan' | 'startedAt' | 'state'>): string {
  const { endText, plan, startedAt, state } = operation;
  if (endText === null) return `${plan.title}: ${stateWords[state]}.`;
  return startedAt === null || state === 'refused'
    ? `${plan.title}: ${endText.charAt(0).toLowerCase()}${endText.slice(1)}`
    : endText;
}

/** `2 of 5 done, 1 failed; not started: web-3 and db-1, because everything is frozen.` Empty for a single step. */
function tally(steps: readonly OperationStep[]): string {
  if (steps.length < 2) return '';
  const numberOf = (state: OperationStep['state']) => steps.filter((step) => step.state === state).length;
  const others = (['unverified', 'failed', 'unknown'] as const)
    .filter((state) => numberOf(state) > 0)
    .map((state) => `, ${numberOf(state)} ${stateWords[state]}`)
    .join('');
  const left = steps.filter((step) => step.state === 'skipped');
  const why = left.find((step) => step.note !== null)?.note;
  const because = why === undefined || why === null ? '' : `, because ${why.replace(/[.]$/, '')}`;
  const notStarted = left.length === 0 ? '' : `; not started: ${firstFew(left, 8, ({ label }) => label)}${because}`;
  return `${numberOf('done')} of ${steps.length} done${others}${notStarted}.`;
}
