import type { AnswerKeeper } from './answer-keeper.ts';

/** The result of a turn: the operation is over, or its next turn is due after `waitMs` at the latest. */
export type Turn = { readonly isOver: true } | { readonly isOver: false; readonly waitMs: number };

export const waitFor = (waitMs: number): Turn => ({ isOver: false, waitMs });

/** The memory and the clock that a turn has beside its rows. */
export interface TurnScope {
  /** Responses of the provider that are not stored yet. */
  readonly answers: AnswerKeeper;
  /** This moment, by the clock that decides due times. */
  readonly dueTime: () => number;
  /** Delays a look for as long as the number of operations under way demands. */
  readonly paced: (ms: number) => number;
  /** Between 0 and 1. */
  readonly random: () => number;
}
