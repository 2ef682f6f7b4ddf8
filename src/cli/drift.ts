import { readConfig } from '../config.ts';
import { ProviderError } from '../core/view/errors.ts';
import { documented } from '../provider/documented.ts';
import type { EndpointRoute } from '../provider/endpoint.ts';
import { differencesOf, shapeOf } from '../provider/shape.ts';
import { createTransport, type Transport } from '../provider/transport.ts';
import { walkReads } from '../provider/walk-reads.ts';
import { type Cli, CliError } from './cli.ts';

/** Compares the live account's responses with the provider's document. Only reads, and prints no values. */
export async function runDrift(print: Cli['print']): Promise<number> {
  const reading = readConfig(process.env);
  if (reading.kind !== 'live') throw new CliError('--drift needs the settings of the bot: see hostler check.');
  const { provider } = reading.config;
  const transport = createTransport({ baseUrl: provider.url, apiKey: provider.key });
  try {
    return await compareShapes(transport, print);
  } finally {
    await transport.close();
  }
}

export async function compareShapes(transport: Pick<Transport, 'send'>, print: Cli['print']): Promise<number> {
  const answers = new Map<EndpointRoute, unknown[]>();
  let unread = 0;
  for await (const result of walkReads(transport)) {
    if ('error' in result) {
      unread++;
      print(`· ${result.route}: not read (${result.error instanceof ProviderError ? result.error.kind : 'an error'})`);
    } else answers.set(result.route, [...(answers.get(result.route) ?? []), result.answer]);
  }
  let count = 0;
  for (const [route, seen] of answers) {
    for (const difference of differencesOf(documented[route] ?? {}, shapeOf(...seen))) {
      count++;
      print(`✕ ${route}: ${difference}`);
    }
  }
  const summary = `${answers.size} operations read, ${unread} reads failed`;
  if (count === 0) print(`✓ ${summary}: all responses are as documented.`);
  else print(`${summary}, ${count} differences. These lines contain no values and can be shared.`);
  return count === 0 ? 0 : 1;
}
