import type { History } from '../history.ts';

/** A promise, with a function that lists its violations in a history as sentences. */
export interface JudgeRule {
  readonly name: string;
  readonly promise: string;
  readonly check: (history: History) => string[];
}
