import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { runSimulate } from '../../../sandbox/cli/simulate.ts';
import { CliError } from '../../../src/core/view/errors.ts';
import { compileCache } from '../../support/process/compile-cache.ts';
import { listeningPort } from '../../support/process/listening-port.ts';

/** The command line prints a CliError as one line; anything else gets a stack. */
async function refusal(...argv: string[]): Promise<string> {
  const config = { databaseUrl: '', admins: [] };
  const error = await runSimulate({ argv, config, print: () => {} }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CliError);
  return String(error instanceof CliError ? error.message : error);
}

test.each(['slack', 'provider'])('simulate %s says in one line why it cannot listen', async (what) => {
  const port = await listeningPort(createServer());
  expect(await refusal(what, '--port', String(port))).toMatch(
    new RegExp(`^Port ${port} is in use; the next free one is (\\d+): --port \\1$`),
  );
  for (const wrong of ['70000', '99999', 'abc', '-1', '1.5', '']) {
    expect(await refusal(what, `--port=${wrong}`)).toBe(
      `--port ${wrong} is not a port; give a number from 0 to 65535.`,
    );
  }
  expect(await refusal(what, '--host', '192.0.2.1')).toBe(
    'Cannot listen on 192.0.2.1, port 0: this machine does not have that address.',
  );
});

test('simulate slack lists the rules that can be switched off', async () => {
  expect(await refusal('slack', '--lenient', 'nonsense')).toMatch(
    /^--lenient nonsense: there is no such rule\. There are: alert-only-in-modals, .+\.$/,
  );
  // A rule without doubt.
  expect(await refusal('slack', '--lenient', 'missing-parent-at-root')).toMatch(/there is no such rule/);
});

const program = `
import { runSimulate } from './sandbox/cli/simulate.ts';
await Promise.all([runSimulate({ argv: ['slack', '--port', '0'] }), runSimulate({ argv: ['provider', '--key', 'k.1'] })]);
process.stdout.write('ended');
`;

test('the simulators print the settings that lead to them, serve their APIs, and end on a signal', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, ...compileCache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const settings = () =>
    Object.fromEntries(output.split('\n').map((line) => line.split('='))) as Record<string, string>;
  while (settings().SLACK_SIGNING_SECRET === undefined || settings().HOST_API_KEY === undefined)
    await once(child.stdout, 'data');
  const { SLACK_API_URL, SLACK_BOT_TOKEN, SLACK_APP_TOKEN, HOST_API_URL, HOST_API_KEY } = settings();
  expect([SLACK_APP_TOKEN, HOST_API_KEY]).toEqual([expect.stringMatching(/^xapp-/), 'k.1']);
  const who = await fetch(`${SLACK_API_URL}auth.test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SLACK_BOT_TOKEN}` },
  });
  expect(await who.json()).toMatchObject({ ok: true });
  const account = await fetch(`${HOST_API_URL}/account/info`, {
    headers: { authorization: `Api-Key ${HOST_API_KEY}` },
  });
  expect(await account.json()).toEqual({ email: 'ops@example.com', name: 'Example Ltd' });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(output).toContain('ended');
});
