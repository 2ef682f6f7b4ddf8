import { parseArgs } from 'node:util';
import { defined } from '../core/text/defined.ts';
import { CliError } from '../core/view/errors.ts';
import { BadManifest, printManifest } from '../slack/print-manifest.ts';
import type { Cli } from './cli.ts';

export async function runManifest({ argv, print }: Cli): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { name: { type: 'string', default: 'Hostler' }, 'request-url': { type: 'string' } },
  });
  print(manifestOf(values.name, values['request-url']).trimEnd());
  return 0;
}

export function manifestOf(name: string, requestUrl?: string): string {
  try {
    return printManifest({ name, ...defined({ requestUrl }) });
  } catch (error) {
    throw error instanceof BadManifest ? new CliError(error.message) : error;
  }
}
