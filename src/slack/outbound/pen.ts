import type { BlockBudget } from './budget.ts';
import type { SlackSurface } from './surface.ts';

/**
 * How plain a drawing is: as designed, without newer blocks, only plain sections and buttons, one text with the
 * buttons, text only.
 */
export const rungs = ['drawn', 'older', 'sections', 'words', 'text'] as const;
type Rung = (typeof rungs)[number];

/** One attempt to show a view on a surface, without the types that Slack refused in the earlier attempts. */
export interface DrawAttempt {
  readonly surface: SlackSurface;
  readonly rung: Rung;
  /** Types of blocks and elements that Slack refused. */
  readonly avoid: ReadonlySet<string>;
  /** The share of the room to use, after Slack refused the drawing as too long. */
  readonly share: number;
}

export const firstAttempt = (surface: SlackSurface, avoid: ReadonlySet<string> = new Set()): DrawAttempt => ({
  surface,
  rung: 'drawn',
  avoid,
  share: 1,
});

/** Counts of the parts that do not fit, for the line at the end. */
export interface LeftOut {
  rows: number;
  lines: number;
  parts: number;
  buttons: number;
  isTextCut: boolean;
}

/** The state of drawing a view's parts. */
export interface Pen {
  readonly surface: SlackSurface;
  readonly budget: BlockBudget;
  readonly avoid: ReadonlySet<string>;
  readonly left: LeftOut;
  readonly cutCode: string[];
  /** The name of tables for screen readers. */
  readonly caption: string;
  hasTable: boolean;
  hasPlan: boolean;
}
