/** How requests that need an approval were answered. */

export interface Answer {
  readonly createdAt: number;
  /** Null while it is undecided, and if it ended without a decision. */
  readonly decidedAt: number | null;
  /** True if it expired without any vote. */
  readonly isUnseen: boolean;
}

/** The median time from the request to the decision; undefined if none was decided. */
export function medianWaitMs(answers: readonly Answer[]): number | undefined {
  const waits = answers
    .flatMap(({ createdAt, decidedAt }) => (decidedAt === null ? [] : [decidedAt - createdAt]))
    .sort((a, b) => a - b);
  const [below, above] = [waits[Math.ceil(waits.length / 2) - 1], waits[Math.floor(waits.length / 2)]];
  return below === undefined || above === undefined ? undefined : (below + above) / 2;
}

export function countUnseen(answers: readonly Answer[]): number {
  return answers.filter(({ isUnseen }) => isUnseen).length;
}
