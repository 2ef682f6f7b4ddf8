import { parseArgs } from 'node:util';
import { OptionError, readPort } from '../claim-port.ts';
import { type ProviderOptions, startProvider } from './server.ts';

const usage = `usage: hostler simulate provider [--port N] [--host ADDRESS] [--key KEY] [--job-ms N] [--seed account|empty|N]`;

/** Runs the simulated provider until a signal ends it. */
export async function runSimulatedProvider(argv: string[], signaled: () => Promise<void>): Promise<void> {
  const stopped = signaled();
  const provider = await startProvider(readOptions(argv));
  const control = provider.url.replace(/\/api$/, '/_sim/');
  process.stdout.write(
    `simulated provider\nHOST_API_URL=${provider.url}\nHOST_API_KEY=${provider.key}\ncontrol ${control}\n`,
  );
  await stopped;
  await provider.close();
}

function readOptions(argv: string[]): ProviderOptions {
  const string = { type: 'string' } as const;
  const options = { port: string, host: string, key: string, 'job-ms': string, seed: string };
  const { values } = parseArgs({ args: argv, options, allowPositionals: false });
  const { seed } = values;
  return {
    ...(values.port === undefined ? {} : { port: readPort(values.port) }),
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(values.key === undefined ? {} : { key: values.key }),
    ...(values['job-ms'] === undefined ? {} : { jobMs: wholeNumber('--job-ms', values['job-ms']) }),
    ...(seed === undefined
      ? {}
      : { seed: seed === 'account' || seed === 'empty' ? seed : { orders: wholeNumber('--seed', seed) } }),
  };
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new OptionError(`${name} takes a whole number, not "${text}".\n${usage}`);
}
