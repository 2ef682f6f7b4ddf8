import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const program = `
import { runSimulatedProvider } from './sandbox/provider/cli.ts';
import { untilSignal } from './src/cli/until-signal.ts';
await runSimulatedProvider(process.argv.slice(1), untilSignal);
process.stdout.write('ended\\n');
`;

test('the command line prints the address and the key, and ends on a signal', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, '--', '--port', '0', '--key', 'k.1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8');
  const address = await new Promise<string>((resolve) => {
    child.stdout.on('data', (text: string) => {
      output += text;
      const found = /HOST_API_URL=(\S+)\nHOST_API_KEY=k\.1\n/.exec(output)?.[1];
      if (found) resolve(found);
    });
  });
  const response = await fetch(`${address}/account/info`, { headers: { authorization: 'Api-Key k.1' } });
  expect(await response.json()).toEqual({ email: 'ops@example.com', name: 'Example Ltd' });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(output).toContain('ended');
});
