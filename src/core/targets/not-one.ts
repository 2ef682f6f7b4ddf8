import type { RawArgs } from '../grammar/shapes.ts';
import { count } from '../text/words.ts';
import { Refusal, type Suggestion } from '../view/errors.ts';
import type { Text } from '../view/view.ts';

/** A value that could have been meant; the engine makes it a button that runs the whole line. */
export interface Candidate {
  readonly label: string;
  readonly values: readonly string[];
  /** The values as people know them; left out where these are the values. */
  readonly names?: readonly string[];
  /** Other arguments that the line gets with it. */
  readonly others?: RawArgs;
  /** Stands for several, of which one may not be one more of a choice. */
  readonly isGroup?: true;
}

/** Not one thing: the candidates are asked back. */
export class NotOne extends Refusal {
  override readonly reason: 'ambiguous' | 'not_found';
  readonly candidates: readonly Candidate[];
  constructor(
    reason: 'ambiguous' | 'not_found',
    text: Text,
    hint: string,
    candidates: readonly Candidate[],
    suggestions: readonly Suggestion[] = [],
  ) {
    super(reason, text, { hint, suggestions });
    this.reason = reason;
    this.candidates = candidates;
  }
}

/** `stop prod`, where servers are tagged so. */
export function onlyTag(tag: string, tagged: number, noun: string): NotOne {
  const group = { label: `tag:${tag} (${tagged})`, values: [`tag:${tag}`], isGroup: true } as const;
  return new NotOne(
    'not_found',
    `There is no ${noun} called ${tag}, but ${count(tagged, 'order')} with this tag.`,
    `All of them together are \`tag:${tag}\`.`,
    [group],
  );
}
