import type { History } from './history.ts';
import { afterNo } from './rules/after-no.ts';
import { announced } from './rules/announced.ts';
import { answered } from './rules/answered.ts';
import { approved } from './rules/approved.ts';
import { chain } from './rules/chain.ts';
import { followed } from './rules/followed.ts';
import { inTime } from './rules/in-time.ts';
import { interrupted } from './rules/interrupted.ts';
import { locks } from './rules/locks.ts';
import { meant } from './rules/meant.ts';
import { names } from './rules/names.ts';
import { oneEnd } from './rules/one-end.ts';
import { pinned } from './rules/pinned.ts';
import type { JudgeRule } from './rules/rule.ts';
import { standing } from './rules/standing.ts';
import { told } from './rules/told.ts';
import { trueEnd } from './rules/true-end.ts';
import { voidVotes } from './rules/void.ts';

export const rules: readonly JudgeRule[] = [
  announced,
  approved,
  voidVotes,
  afterNo,
  inTime,
  pinned,
  standing,
  meant,
  oneEnd,
  trueEnd,
  told,
  answered,
  followed,
  interrupted,
  names,
  locks,
  chain,
];

export interface Violation {
  readonly rule: string;
  readonly what: string;
}

/** Lists all broken promises in the history. */
export function judge(history: History): Violation[] {
  return rules.flatMap(({ name, check }) => check(history).map((what) => ({ rule: name, what })));
}
