/** One line of the table: a figure of Hostler's, beside bare Bolt's where there is one to compare with. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly hostler: number;
  readonly bare?: number;
  /** Median of the ratios of rounds that took turns; else it is the ratio of the two figures. */
  readonly ratio?: number;
  /** Processor time of the app for each command, in ms: what the figures would follow on a machine of its own. */
  readonly cpu?: { readonly hostler: number; readonly bare: number };
  /** In words, with the number that was to be kept. */
  readonly goal?: string;
  readonly isMet?: boolean;
  readonly note?: string;
}

export interface Section {
  readonly name: string;
  readonly title: string;
  readonly run: (context: Context) => Promise<readonly Row[]>;
}

/** How much is done. The least gives every row a figure that is worth nothing, and tells that the section works. */
export type Amount = 'full' | 'quick' | 'smoke';

export interface Context {
  readonly amount: Amount;
  /** A folder of this run's own, for databases. */
  readonly folder: string;
  readonly say: (line: string) => void;
}

/** The value that this share of all does not exceed; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The median of what is computed from each round. */
export const medianOf = <T>(rounds: readonly T[], figure: (round: T) => number): number => median(rounds.map(figure));

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A goal as a limit that the figure must not pass, in either direction. */
export function atMost(figure: number, limit: number, words: string): Pick<Row, 'goal' | 'isMet'> {
  return { goal: words, isMet: figure <= limit };
}

export function atLeast(figure: number, limit: number, words: string): Pick<Row, 'goal' | 'isMet'> {
  return { goal: words, isMet: figure >= limit };
}
