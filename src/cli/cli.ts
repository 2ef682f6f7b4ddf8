import { userInfo } from 'node:os';
import type { StoreConfig } from '../config.ts';
import { CliError, codeOf } from '../core/view/errors.ts';

export interface Cli {
  /** The words after the subcommand. */
  readonly argv: readonly string[];
  /** The settings of subcommands that only open the database; the bot itself reads all settings. */
  readonly config: Pick<StoreConfig, 'databaseUrl' | 'admins'> & Partial<StoreConfig>;
  readonly print: (line: string) => void;
}

/** The user account of the machine, since the command line knows no Slack user. */
export function whoseShell(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Loads a part of the sandbox, which the image does not contain. */
export async function sandboxPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new CliError(
      'The sandbox is no part of this installation. Run Hostler from its npm package or its repository to use it.',
    );
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'no reason given';
}
