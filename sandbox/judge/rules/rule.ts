import type { History } from '../history.ts';

/** A promise, and a function that lists each place of a history in which it was broken, as a sentence. */
export interface JudgeRule {
  readonly name: string;
  readonly promise: string;
  readonly check: (history: History) => string[];
}
