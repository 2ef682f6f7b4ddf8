/** The input of every subcommand. */
export interface Cli {
  /** The words after the subcommand. */
  readonly argv: readonly string[];
  /** The settings of subcommands that only open the database; the bot itself reads all settings. */
  readonly config: {
    readonly databaseUrl: string;
    readonly admins: readonly string[];
    readonly auditKeys?: readonly Uint8Array[];
    /** HOSTLER_SECRET_KEY and, during a rotation, the previous key. */
    readonly secretKeys?: readonly Uint8Array[];
  };
  readonly print: (line: string) => void;
}

/** An error that the person at the terminal can fix, printed without a stack. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: number;

  constructor(text: string, { exitCode = 1 }: { exitCode?: number } = {}) {
    super(text);
    this.exitCode = exitCode;
  }
}
