import type { Order } from '../account/account.ts';
import type { RawArgs } from '../grammar/command-shape.ts';
import { count, firstFew } from '../text/words.ts';
import { Refusal, type Suggestion } from '../view/errors.ts';
import type { Text } from '../view/view.ts';

/** A value that may have been meant; the engine makes a button that runs the whole line with it. */
export interface Candidate {
  readonly label: string;
  readonly values: readonly string[];
  /** The values by name; absent if equal to `values`. */
  readonly names?: readonly string[];
  /** Further arguments of the line with this candidate. */
  readonly others?: RawArgs;
  /** Stands for several orders, so it cannot replace one name among others. */
  readonly isGroup?: true;
}

/** A word that does not name exactly one thing. The person chooses among the candidates. */
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

/** `stop Website`, where a project is called so. */
export function onlyProject(project: string, orders: readonly Pick<Order, 'id' | 'label'>[], noun: string): NotOne {
  const names = orders.map(({ label }) => label);
  const group = { label: `All ${orders.length}`, values: orders.map(({ id }) => id), names, isGroup: true } as const;
  const has = `${count(orders.length, noun)}: ${firstFew(names, 8)}`;
  const text = `There is no ${noun} called ${project}, but a project with ${has}.`;
  return new NotOne('not_found', text, 'Name those that you mean.', [group]);
}

/** `stop prod`, where servers are tagged so. */
export function onlyTag(tag: string, tagged: number, noun: string): NotOne {
  const text = `There is no ${noun} called ${tag}, but ${count(tagged, 'order')} with this tag.`;
  return new NotOne('not_found', text, `All of them together are \`tag:${tag}\`.`, [allTagged(tag, tagged)]);
}

export function allTagged(tag: string, tagged: number): Candidate {
  return { label: `tag:${tag} (${tagged})`, values: [`tag:${tag}`], isGroup: true };
}
