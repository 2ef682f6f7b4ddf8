import type { History } from '../history.ts';
import { matchWrites } from '../match-writes.ts';
import type { Call, RequestStory } from '../requests.ts';
import type { JudgeRule } from './rule.ts';

/** The longest absence after which the bot may continue requests without confirmation. */
const longMs = 15 * 60_000;

export const meant: JudgeRule = {
  name: 'meant',
  promise:
    'What is sent was still meant: nothing goes to a target that was changed by hand after people saw it, nor after a long absence unless somebody decided since.',
  check: (history) =>
    matchWrites(history).matched.flatMap(({ request, call }) => [
      ...changedBefore(history, request, call),
      ...absentBefore(history, request, call),
    ]),
};

function changedBefore(
  { changes, graceMs }: History,
  { id, askedAt }: RequestStory,
  { step, target, at }: Call,
): string[] {
  return changes
    .filter((change) => change.target === target && change.at > askedAt && change.at < at - graceMs)
    .map((change) => `step ${step} of ${id} was sent at ${at}, and ${target} was changed at ${change.at}`);
}

function absentBefore({ absences, acts }: History, request: RequestStory, { step, at }: Call): string[] {
  const decided = [
    request.askedAt,
    ...request.votes.map((vote) => vote.at),
    // People decided on the hour, and on the end of the countdown.
    ...[...request.hours, ...request.countdowns].map((moment) => moment.at),
    ...acts.filter(({ kind, operation }) => kind === 'continue' && operation === request.id).map((act) => act.at),
  ];
  return absences
    .filter(({ from, to }) => to - from > longMs && to < at && !decided.some((time) => time >= from && time <= at))
    .filter(({ from }) => request.calls.every((call) => call.at === at || call.at < from))
    .map(({ to }) => `step ${step} of ${request.id} was sent by itself after the absence that ended at ${to}`);
}
