import type { Token } from './tokens.ts';

/** The command that a line names. */
export interface Understood<C> {
  readonly command: C;
  /** The words behind its name. */
  readonly rest: readonly Token[];
  /** Says how it was read, where the name of the command was not typed. */
  readonly note?: string;
  /** It was named in words that are not its name: what changes something waits for a person then, whatever the rule. */
  readonly isTaken?: true;
}
