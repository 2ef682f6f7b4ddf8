import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openHooks } from '../alerts/support.ts';
import { machineOf } from '../support/bot/machine.ts';
import { startTestBot } from '../support/bot/test-bot.ts';

/** The official client of the Model Context Protocol, in both revisions that clients in the field speak. */

const revisions = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
  ['the newest of both', 'auto'],
] as const;

test.each(revisions)('an agent of the revision %s reads, asks and follows to the end', async (revision, mode) => {
  const bot = await startTestBot({ replicas: 1 });
  const { token } = await machineOf(bot, { name: 'agent' });
  const { port } = await openHooks(bot);
  const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${token}` };
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  if (mode !== 'auto') expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['read', 'ask', 'follow']);
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content;
    if (first?.type !== 'text') throw new Error('an answer is text');
    return { isError, ...JSON.parse(first.text) };
  };
  expect(await call('read', { line: 'help restart' })).toMatchObject({ isError: false });
  expect(await call('read', { line: 'restart web-2' })).toMatchObject({ isError: true, reason: 'bad_value' });
  expect(await call('read', { line: 'password web-2' })).toMatchObject({ isError: true });
  const asked = await call('ask', { line: ['restart web-2'], key: 'night-1' });
  expect(asked).toMatchObject({ isError: false, state: 'waiting', title: 'Restart web-2' });
  expect((await call('ask', { line: ['restart web-2'], key: 'night-1' })).id).toBe(asked.id);
  const following = call('follow', { id: asked.id, wait: 20 });
  await bot.press('lead', 'Restart web-2');
  expect((await following).state).not.toBe('waiting');
  await bot.settle();
  expect((await call('follow', { id: asked.id })).end).toMatchObject({ verdict: 'ran' });
});

test('an agent without a token is refused', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await machineOf(bot);
  const { port } = await openHooks(bot);
  const client = new Client({ name: 'agent', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
  await expect(client.connect(transport)).rejects.toThrow(/401|valid token/);
});
