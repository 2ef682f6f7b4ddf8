import { parseArgs } from 'node:util';
import { printManifest } from '../slack/print-manifest.ts';
import type { Cli } from './cli.ts';

export async function runManifest({ argv, print }: Cli): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { name: { type: 'string', default: 'Hostler' }, 'request-url': { type: 'string' } },
  });
  print(printManifest({ name: values.name, requestUrl: values['request-url'] }).trimEnd());
  return 0;
}
