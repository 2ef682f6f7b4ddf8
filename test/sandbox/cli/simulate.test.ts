import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { runSimulate } from '../../../sandbox/cli/simulate.ts';
import { listen } from '../../../sandbox/http.ts';
import { CliError } from '../../../src/cli/cli.ts';

/** The command line prints a CliError as one line; anything else gets a stack. */
async function refusal(...argv: string[]): Promise<string> {
  const config = { databaseUrl: '', admins: [] };
  const error = await runSimulate({ argv, config, print: () => {} }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CliError);
  return String(error instanceof CliError ? error.message : error);
}

test.each(['slack', 'provider'])('simulate %s says in one line why it cannot listen', async (what) => {
  const taken = createServer();
  const port = await listen(taken, 0, '127.0.0.1');
  onTestFinished(() => void taken.close());
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
