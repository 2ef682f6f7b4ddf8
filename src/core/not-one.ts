import { Refusal, type Suggestion } from './errors.ts';

/** A value that could have been meant; the engine makes it a button that runs the whole line. */
export interface Candidate {
  readonly label: string;
  readonly values: readonly string[];
  /** Stands for several, of which one may not be one more of a choice. */
  readonly isGroup?: true;
}

/** Not one thing: the candidates are asked back. */
export class NotOne extends Refusal {
  readonly candidates: readonly Candidate[];
  constructor(
    reason: 'ambiguous' | 'not_found',
    text: string,
    hint: string,
    candidates: readonly Candidate[],
    suggestions: readonly Suggestion[] = [],
  ) {
    super(reason, text, { hint, suggestions });
    this.candidates = candidates;
  }
}
