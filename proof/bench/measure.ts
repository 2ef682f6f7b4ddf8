/** A row of the table: Hostler's figure, with bare Bolt's if it has one. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly hostler: number;
  readonly bare?: number;
  /** The median of the ratios of alternating rounds; by default the ratio of the two figures. */
  readonly ratio?: number;
  /** The app's processor time for each command, in ms, which would determine the figures on a dedicated machine. */
  readonly cpu?: { readonly hostler: number; readonly bare: number };
  /** The goal in words, with its number. */
  readonly goal?: string;
  readonly isMet?: boolean;
  readonly note?: string;
}

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly run: (context: Context) => Promise<readonly Row[]>;
}

/** The amount of work. `smoke` only shows that the section works; its figures are meaningless. */
export type Amount = 'full' | 'quick' | 'smoke';

export interface Context {
  readonly amount: Amount;
  /** This run's folder for databases. */
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** The quantile at this share; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The median of a figure of all rounds. */
export const medianOf = <T>(rounds: readonly T[], figure: (round: T) => number): number => median(rounds.map(figure));

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A goal with an upper limit for the figure. */
export function atMost(figure: number, limit: number, words: string): Pick<Row, 'goal' | 'isMet'> {
  return { goal: words, isMet: figure <= limit };
}

export function atLeast(figure: number, limit: number, words: string): Pick<Row, 'goal' | 'isMet'> {
  return { goal: words, isMet: figure >= limit };
}
