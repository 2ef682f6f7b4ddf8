import type { BlockBudget } from './budget.ts';
import type { SlackSurface } from './surface.ts';

/** How plain a drawing is: as meant, without blocks of this year, only plain sections and buttons, all words in one with the buttons, words only. */
export const rungs = ['drawn', 'older', 'sections', 'words', 'text'] as const;
export type Rung = (typeof rungs)[number];

/** One try at showing something on a surface; what Slack refused of the ones before it is not drawn again. */
export interface DrawAttempt {
  readonly surface: SlackSurface;
  readonly rung: Rung;
  /** Types of blocks and elements. */
  readonly avoid: ReadonlySet<string>;
  /** Of the room there is, where Slack said that the whole was too long. */
  readonly share: number;
}

export const firstAttempt = (surface: SlackSurface, avoid: ReadonlySet<string> = new Set()): DrawAttempt => ({
  surface,
  rung: 'drawn',
  avoid,
  share: 1,
});

/** The parts that could not be shown, to be mentioned at the end. */
export interface LeftOut {
  rows: number;
  columns: number;
  lines: number;
  parts: number;
  buttons: number;
  isTextCut: boolean;
}

/** The state that the parts of one view are drawn with. */
export interface Pen {
  readonly surface: SlackSurface;
  readonly budget: BlockBudget;
  readonly avoid: ReadonlySet<string>;
  readonly left: LeftOut;
  readonly cutCode: string[];
  /** The name of a table for a screen reader. */
  readonly caption: string;
  hasTable: boolean;
  hasPlan: boolean;
}
