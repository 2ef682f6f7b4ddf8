import type { LiveConfig } from '../../config.ts';
import { defined } from '../../core/text/defined.ts';
import type { Reader } from '../../provider/client.ts';
import type { SlackSide } from '../../slack/connect.ts';
import type { Store } from '../../store/database.ts';

/** The form of a check of `hostler check`, and of what it finds. */

export interface CheckResult {
  /** `note` is worth knowing and nothing to mend. */
  readonly is: 'good' | 'bad' | 'note';
  readonly about: string;
  readonly text: string;
  /** The remedy. */
  readonly remedy?: string;
}

export interface CheckContext {
  readonly config: LiveConfig;
  readonly now: () => number;
  /** An error is why it could not be opened. */
  readonly store: Store | Error;
  readonly slack: SlackSide | Error;
  readonly reader: Reader;
}

export type FoundByCheck = Omit<CheckResult, 'about'>;
export type RunCheck = (scene: CheckContext) => Promise<readonly FoundByCheck[]>;

export const good = (text: string): FoundByCheck[] => [{ is: 'good', text }];
export const bad = (text: string, remedy?: string): FoundByCheck[] => [{ is: 'bad', text, ...defined({ remedy }) }];
export const note = (text: string): FoundByCheck[] => [{ is: 'note', text }];
export const notLookedAt = (why: string): FoundByCheck[] => note(`not checked, since ${why}`);

export function wordsOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'no answer';
}
