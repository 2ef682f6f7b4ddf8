import type { Token } from './tokens.ts';

/** The command that a line names. */
export interface Understood<C> {
  readonly command: C;
  /** The words behind its name. */
  readonly rest: readonly Token[];
  /** Says how it was read, where the name of the command was not typed. */
  readonly note?: string;
  /** The line names the command in other words, so an action waits for a confirmation under every rule. */
  readonly isTaken?: true;
}
