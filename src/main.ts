#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { type Cli, CliError } from './cli/cli.ts';
import { usages } from './cli/usage.ts';
import { readStoreConfig } from './config.ts';
import { settingsHelp } from './settings.ts';
import { StoreUnavailable } from './store/unavailable.ts';
import { version } from './version.ts';

type Run = (cli: Cli) => Promise<number>;

/** The command line. Each subcommand is a row; its code is loaded when it is asked for. */
const subcommands: Readonly<Record<keyof typeof usages, () => Promise<Run>>> = {
  start: async () => (await import('./cli/start.ts')).runStart,
  check: async () => (await import('./cli/check.ts')).runCheck,
  policy: async () => (await import('./cli/policy.ts')).runPolicy,
  audit: async () => (await import('./cli/audit.ts')).runAudit,
  backup: async () => (await import('./cli/backup.ts')).runBackup,
  manifest: async () => (await import('./cli/manifest.ts')).runManifest,
  simulate: async () => (await import('./cli/simulate.ts')).runSimulate,
  version:
    async () =>
    async ({ print }) => {
      print(`hostler ${version}`);
      return 0;
    },
};

async function main(argv: readonly string[]): Promise<number> {
  const [first] = argv;
  const isNamed = first !== undefined && !first.startsWith('-');
  const name = isNamed ? first : 'start';
  const words = isNamed ? argv.slice(1) : argv;
  const print = (line: string) => process.stdout.write(`${line}\n`);
  if (!isSubcommand(name)) throw new CliError(`hostler has no subcommand ${name}.\n\n${overview()}`);
  if (words.includes('--help') || words.includes('-h')) {
    print(isNamed ? usages[name] : `${overview()}\n\nSettings, each also as NAME_FILE:\n${settingsHelp()}`);
    return 0;
  }
  const chosen = !isNamed && words.includes('--version') ? 'version' : name;
  const run = await subcommands[chosen]();
  return run({ argv: words, config: readStoreConfig(process.env), print });
}

function isSubcommand(name: string): name is keyof typeof subcommands {
  return Object.hasOwn(subcommands, name);
}

function overview(): string {
  return Object.values(usages).join('\n');
}

// Half of a start is stripping types and compiling. What was compiled once is kept beside the packages, where nobody else
// can write; where we cannot either, every start compiles anew (docs/performance.md).
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'hostler'));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // What a person can mend is one line; anything else is a bug and keeps its stack.
  const isTold = error instanceof CliError || error instanceof StoreUnavailable;
  process.stderr.write(
    `${isTold || !(error instanceof Error) ? String(error instanceof Error ? error.message : error) : error.stack}\n`,
  );
  process.exitCode = error instanceof CliError ? error.exitCode : 1;
}
