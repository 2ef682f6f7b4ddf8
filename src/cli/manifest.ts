import { parseArgs } from 'node:util';
import { defined } from '../core/defined.ts';
import { printManifest } from '../slack/manifest.ts';
import type { Cli } from './cli.ts';

export async function runManifest({ argv, print }: Cli): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: { name: { type: 'string', default: 'Hostler' }, 'request-url': { type: 'string' } },
  });
  const requestUrl = values['request-url'];
  print(printManifest({ name: values.name, ...defined({ requestUrl }) }).trimEnd());
  return 0;
}
