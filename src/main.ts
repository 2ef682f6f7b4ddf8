#!/usr/bin/env node
import { auditUsage, runAudit } from './cli/audit.ts';
import { type Cli, CliError } from './cli/cli.ts';
import { manifestUsage, runManifest } from './cli/manifest.ts';
import { policyUsage, runPolicy } from './cli/policy.ts';
import { runSimulate, simulateUsage } from './cli/simulate.ts';
import { runStart, startUsage } from './cli/start.ts';
import { readStoreConfig } from './config.ts';
import { settingsHelp } from './settings.ts';
import { StoreUnavailable } from './store/unavailable.ts';
import { version } from './version.ts';

/** The command line. Each subcommand is a row; what it needs is loaded when it is asked for. */
const subcommands: Readonly<Record<string, { readonly usage: string; readonly run: (cli: Cli) => Promise<number> }>> = {
  start: { usage: startUsage, run: runStart },
  policy: { usage: policyUsage, run: runPolicy },
  audit: { usage: auditUsage, run: runAudit },
  manifest: { usage: manifestUsage, run: runManifest },
  simulate: { usage: simulateUsage, run: runSimulate },
  version: {
    usage: 'hostler version                   the version',
    run: async ({ print }) => {
      print(`hostler ${version}`);
      return 0;
    },
  },
};

async function main(argv: readonly string[]): Promise<number> {
  const [first] = argv;
  const isNamed = first !== undefined && !first.startsWith('-');
  const name = isNamed ? first : 'start';
  const words = isNamed ? argv.slice(1) : argv;
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const subcommand = subcommands[name];
  if (subcommand === undefined) throw new CliError(`hostler has no subcommand ${name}.\n\n${overview()}`);
  if (words.includes('--help') || words.includes('-h')) {
    print(isNamed ? subcommand.usage : `${overview()}\n\nSettings, each also as NAME_FILE:\n${settingsHelp()}`);
    return 0;
  }
  if (!isNamed && words.includes('--version'))
    return subcommands.version?.run({ argv: [], config: readStoreConfig(process.env), print }) ?? 0;
  return subcommand.run({ argv: words, config: readStoreConfig(process.env), print });
}

function overview(): string {
  return Object.values(subcommands)
    .map((subcommand) => subcommand.usage)
    .join('\n');
}

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
