import type { LiveConfig } from '../../config.ts';
import { defined } from '../../core/text/defined.ts';
import type { Reader } from '../../provider/client.ts';
import type { SlackSide } from '../../slack/open-slack.ts';
import type { Store } from '../../store/database.ts';

export interface CheckResult {
  /** `note` is information without a remedy. */
  readonly is: 'good' | 'bad' | 'note';
  readonly about: string;
  readonly text: string;
  readonly remedy?: string;
}

export interface CheckContext {
  readonly config: LiveConfig;
  readonly now: () => number;
  /** The store, or the error of opening it. */
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
