import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createHookRoutes } from '../../src/http/hook-routes.ts';
import { openServer } from '../../src/http/server.ts';
import { machineOf } from '../../test/support/bot/machine.ts';
import { startTestBot } from '../../test/support/bot/test-bot.ts';

/**
 * The conformance suite of the Model Context Protocol against /mcp. It is an alpha with many packages, so it is no
 * dependency: npx loads this version.
 */

const suite = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

/** Scenarios that need what /mcp does not have, with the reason. */
const others: readonly (readonly [RegExp, string])[] = [
  [/^tools-call-|^json-schema|^elicitation-|^input-required-result-/, 'call a tool of the suite, `test_…`'],
  [/^resources-|^prompts-|^completion-/, 'there are three tools, and no resources or prompts'],
  [/^logging-|^server-sse|^server-session/, 'the server is stateless and sends no unasked messages'],
  [/^server-stateless$/, 'six of its 28 checks need a tool of the suite or a subscription; the others pass'],
  [/^caching$/, 'three of its seven checks list resources and prompts; the others pass'],
  [/^http-custom-header-server-validation$/, 'no tool has parameters in headers'],
];

const fitting = {
  '2025-11-25': ['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list'],
  '2026-07-28': ['dns-rebinding-protection', 'http-header-validation', 'sep-2164-resource-not-found', 'tools-list'],
};

test.each(Object.entries(fitting))('/mcp passes the scenarios of %s that fit', async (revision, names) => {
  const bot = await startTestBot();
  const { token } = await machineOf(bot);
  const [replica] = bot.replicas;
  if (replica === undefined) throw new Error('no replica');
  const routes = createHookRoutes({
    receiveHook: replica.receiveHook,
    // The suite cannot send a token.
    receiveCall: ({ headers, ...call }) =>
      replica.receiveCall({ ...call, headers: { ...headers, authorization: `Bearer ${token}` } }),
  });
  const { port, close } = await openServer(routes, { port: 0, host: '127.0.0.1' }, () => {});
  onTestFinished(() => close(0));
  const url = `http://127.0.0.1:${port}/mcp`;
  const words = ['--yes', suite, 'server', '--url', url, '--suite', 'all', '--spec-version', revision];
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  const options = { env, maxBuffer: 64 * 1024 * 1024 };
  // The suite fails, since not all scenarios fit.
  const { stdout } = await promisify(execFile)('npx', words, options).catch((error: { stdout: string }) => error);
  const results = [...stdout.matchAll(/[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/g)];
  const isPassed = ([, , passed, failed]: RegExpExecArray) => passed !== '0' && failed === '0';
  expect(results.filter(isPassed).map(([, name]) => name)).toEqual(expect.arrayContaining(names));
  const listed = results.map(([, name = '']) => name).filter((name) => !names.includes(name));
  expect(listed.filter((name) => !others.some(([pattern]) => pattern.test(name)))).toEqual([]);
});
