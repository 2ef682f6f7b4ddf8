import { defined } from '../../core/text/defined.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Vote } from '../../core/view/intent.ts';
import { pressAgain } from '../context/press-again.ts';
import { needsName } from '../operation/card.ts';
import type { Operation } from '../operation/record.ts';

export interface Ballot {
  readonly operation: string;
  readonly user: string;
  readonly vote: Vote;
  /**
   * The time at which the bot received the click. The vote counts from then, even if the machine sleeps before it is
   * stored.
   */
  readonly at: number;
  /** The time of the click, if Slack delivered it late. */
  readonly saidAt?: number;
  /** The reason for declining, or the typed name. */
  readonly words?: string;
  /** Why the glass is broken, or what was found. */
  readonly reason?: string;
  /** True if a crash interrupted this click: do not report effects that it already had. */
  readonly isAgain?: boolean;
}

/** Refuses a late click that would start work. A late decline, withdrawal or stop counts. */
export function mustBePressedNow({ at, saidAt }: Ballot): void {
  const words = pressAgain({ at, ...defined({ saidAt }) });
  if (words !== undefined) throw new Refusal('impossible', words);
}

/** The name of the target, typed, where the rule demands it. */
export function mustNameIt({ rule, plan: { typedName } }: Operation, { words }: Ballot): void {
  if (!needsName(rule) || typedName === undefined || words?.trim().toLowerCase() === typedName.toLowerCase()) return;
  throw new Refusal('bad_value', 'That is not the name.', { hint: `Type ${typedName} exactly.`, field: 'words' });
}
