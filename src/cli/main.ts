import { readStoreConfig } from '../config.ts';
import { nearest } from '../core/text/words.ts';
import { CliError, codeOf, StoreUnavailable } from '../core/view/errors.ts';
import { settingsHelp } from '../settings.ts';
import { version } from '../version.ts';
import { type Cli, sandboxPart } from './cli.ts';
import { readSettingsFile } from './settings-file.ts';
import { forMaintainers, usages } from './usages.ts';

type Run = (cli: Cli) => Promise<number>;

/** The subcommands, each loaded when it is run. */
const subcommands: Readonly<Record<keyof typeof usages, () => Promise<Run>>> = {
  start: async () => (await import('./start.ts')).runStart,
  setup: async () => (await import('./setup/setup.ts')).runSetup,
  check: async () => (await import('./check/check.ts')).runCheck,
  policy: async () => (await import('./policy.ts')).runPolicy,
  audit: async () => (await import('./audit.ts')).runAudit,
  backup: async () => (await import('./backup.ts')).runBackup,
  rotate: async () => (await import('./rotate.ts')).runRotate,
  run: async () => (await import('./run.ts')).runRun,
  manifest: async () => (await import('./manifest.ts')).runManifest,
  sandbox: async () => (await sandboxPart(() => import('../../sandbox/cli/sandbox.ts'))).runSandboxCommand,
  simulate: async () => (await sandboxPart(() => import('../../sandbox/cli/simulate.ts'))).runSimulate,
  version:
    async () =>
    async ({ print }) => {
      print(`hostler ${version}`);
      return 0;
    },
};

const ofProcess = {
  out: (text: string): unknown => process.stdout.write(text),
  err: (text: string): unknown => process.stderr.write(text),
};

/** Resolves with the exit code. */
export async function main(argv: readonly string[], output = ofProcess): Promise<number> {
  try {
    return await run(argv, output);
  } catch (error) {
    // A fixable error prints one line; any other is a bug and prints its stack.
    const isFixable = error instanceof CliError || error instanceof StoreUnavailable || isMistyped(error);
    const text = error instanceof Error ? (isFixable ? error.message : error.stack) : String(error);
    const advice = isMistyped(error) ? '\nhostler --help lists all options.' : '';
    output.err(`${text}${advice}\n`);
    return error instanceof CliError ? error.exitCode : 1;
  }
}

/** Recognizes node:util's errors about unknown options. */
function isMistyped(error: unknown): boolean {
  return codeOf(error).startsWith('ERR_PARSE_ARGS');
}

async function run(typed: readonly string[], { out }: typeof ofProcess): Promise<number> {
  const [first] = typed;
  const isNamed = first !== undefined && !first.startsWith('-');
  const name = isNamed ? first : 'start';
  const words = isNamed ? typed.slice(1) : typed;
  const print = (line: string) => out(`${line}\n`);
  if (!isSubcommand(name)) {
    const all = Object.keys(subcommands);
    const near = nearest(name, all);
    const advice =
      near === undefined ? `\nThere are: ${all.join(', ')}. hostler --help explains them.` : ` Did you mean ${near}?`;
    throw new CliError(`There is no subcommand ${name}.${advice}`);
  }
  if (words.includes('--help') || words.includes('-h')) {
    const overview = `${Object.values(usages).join('\n')}\n\nSettings, each also as NAME_FILE:\n${settingsHelp()}`;
    print(isNamed ? `${usages[name]}${forMaintainers[name] ?? ''}` : overview);
    return 0;
  }
  const chosen = !isNamed && words.includes('--version') ? 'version' : name;
  const runChosen = await subcommands[chosen]();
  // Setup creates the settings file and reads it itself.
  const argv = chosen === 'setup' ? words : withoutSettings(words);
  return runChosen({
    argv,
    print,
    // A getter, since only the subcommands that open the database read it.
    get config() {
      return readStoreConfig(process.env);
    },
  });
}

/** Reads the file of --settings into the environment, whose own values take precedence. */
function withoutSettings(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => /^--settings(=|$)/.test(word));
  if (at === -1) return words;
  const [, inline] = words[at]?.split(/=(.*)/s) ?? [];
  const file = inline ?? words[at + 1];
  if (file === undefined || file === '') throw new CliError('Name a file: --settings FILE, with lines of NAME=value.');
  const values = readSettingsFile(file);
  if (values === undefined) throw new CliError(`${file} does not exist. hostler setup creates such a file.`);
  for (const [name, value] of Object.entries(values)) process.env[name] ??= value;
  return words.toSpliced(at, inline === undefined ? 2 : 1);
}

function isSubcommand(name: string): name is keyof typeof subcommands {
  return Object.hasOwn(subcommands, name);
}
