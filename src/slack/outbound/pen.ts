/** The places where Slack shows messages. Each accepts different blocks. */
export const surfaces = ['message', 'update', 'ephemeral', 'response_url', 'modal', 'home'] as const;
export type SlackSurface = (typeof surfaces)[number];

export const isView = (surface: SlackSurface): surface is 'modal' | 'home' => surface === 'modal' || surface === 'home';

/** All drawn block types. A test draws everything and compares. */
export const blockTypes = [
  'actions',
  'alert',
  'container',
  'context',
  'data_table',
  'header',
  'image',
  'input',
  'plan',
  'rich_text',
  'section',
  'task_card',
  'table',
] as const;

/** Blocks of 2026, which are left out first if Slack refuses a drawing without naming a block. */
export const newerBlocks: readonly (typeof blockTypes)[number][] = ['container', 'data_table', 'plan', 'task_card'];

/** How plain it is drawn: as designed, without newer blocks, plain sections and buttons, one text and buttons, text. */
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

/**
 * The remaining room of a message, modal or Home. Slack limits blocks everywhere, characters in messages and bytes in
 * views (250 kB). Each block is paid for before it is added, so any drawing is within the limits.
 *
 * Characters are counted as Slack does by measurement: escaped, and with about a hundred more for each header. Slack
 * refuses messages (`msg_blocks_too_long`) above a number that was measured between 11,300 and 13,200; the budget is
 * well below.
 */
export interface BlockBudget {
  blocks: number;
  characters: number;
  bytes: number;
}

/** Numbers the controls of a drawing. */
export interface Numbering {
  next: number;
  /** Grows with each edit of a message. */
  readonly generation: number;
}

export interface Pen {
  readonly surface: SlackSurface;
  readonly budget: BlockBudget;
  readonly avoid: ReadonlySet<string>;
  readonly numbering: Numbering;
  /** Counts of the parts that do not fit, for the line at the end. */
  readonly left: Record<'rows' | 'lines' | 'parts' | 'buttons', number> & { isTextCut: boolean };
  readonly cutCode: string[];
  /** The name of tables for screen readers. */
  readonly caption: string;
  hasTable: boolean;
  hasPlan: boolean;
}
