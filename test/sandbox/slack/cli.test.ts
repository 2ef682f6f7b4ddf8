import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

test('the command line prints the settings that lead to it, serves the API, and ends on a signal', async () => {
  const cli = new URL('../../../sandbox/slack/cli.ts', import.meta.url).href;
  const signal = new URL('../../../src/cli/until-signal.ts', import.meta.url).href;
  const code = `
    const { runSimulatedSlack } = await import(${JSON.stringify(cli)});
    const { untilSignal } = await import(${JSON.stringify(signal)});
    await runSimulatedSlack(['--port', '0'], untilSignal);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = await once(child.stdout, 'data');
  const settings = Object.fromEntries(
    String(chunk)
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  expect(Object.keys(settings)).toEqual([
    'SLACK_API_URL',
    'SLACK_BOT_TOKEN',
    'SLACK_APP_TOKEN',
    'SLACK_SIGNING_SECRET',
  ]);
  const response = await fetch(`${settings.SLACK_API_URL}auth.test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${settings.SLACK_BOT_TOKEN}` },
  });
  expect(await response.json()).toMatchObject({ ok: true });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
