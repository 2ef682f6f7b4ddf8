import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { listeningPort } from '../support/process/listening-port.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { act, ask, listen, open } from './page-server/open.ts';

test('the state survives a restart, and starting over forgets everything but the keys', async () => {
  const dataDir = await newFolder('page');
  const before = await open(dataDir);
  await act(before.url, 'say', 'operator', { channel: '#ops', text: 'remember this' });
  await act(before.url, 'balance', 'operator', { balance: 12.5 });
  await act(before.url, 'read', 'operator', { where: 'C0OPS00001', ts: '9999999999.000000' });
  await before.end();

  const after = await open(dataDir);
  expect(after.env).toMatchObject({
    SLACK_BOT_TOKEN: before.env.SLACK_BOT_TOKEN,
    HOST_API_KEY: before.env.HOST_API_KEY,
    HOSTLER_SECRET_KEY: before.env.HOSTLER_SECRET_KEY,
  });
  expect(after.slack.sim.transcript('#ops')).toContain('remember this');
  const stream = await listen(after.url, 'operator');
  const whole = new Map((await stream.next()).set);
  expect(whole.get('account')).toMatchObject({ balance: 12.5 });
  expect(whole.get('read/C0OPS00001')).toBe('9999999999.000000');

  const order: string[] = [];
  const where = () => (after.slack.sim.transcript('#ops').includes('remember this') ? 'it was there' : 'it was gone');
  after.onStartOver(async () => {
    order.push(`stopped while ${where()}`);
    return async () => void order.push(`started when ${where()}`);
  });
  await act(after.url, 'switch', 'operator', { name: 'down', isOn: true });
  await act(after.url, 'say', 'operator', { channel: '#ops', text: '/host list' });
  expect(after.slack.sim.outcomes()).toEqual([expect.objectContaining({ name: '/host' })]);
  expect((await ask(after.url, '/start-over', { origin: after.url }, '')).status).toBe(200);
  expect(order).toEqual(['stopped while it was there', 'started when it was gone']);
  expect(after.provider.sim.state()).toMatchObject({ account: { balance: 84.2 }, faults: [] });
  expect(after.slack.sim.outcomes()).toEqual([]);
  expect(after.slack.botToken).toBe(before.env.SLACK_BOT_TOKEN);
  let change = await stream.next();
  while (change.clear[0] !== 'reload') change = await stream.next();
});

test('a state file that cannot be read is moved aside, with the database whose key was in it, and the sandbox starts', async () => {
  const dataDir = await newFolder('page');
  await writeFile(join(dataDir, 'hostler.db'), 'rows');
  await writeFile(join(dataDir, 'sandbox.json'), '{"version": 1, "slack":');
  const lines: string[] = [];
  const sandbox = await open(dataDir, (line) => lines.push(line));
  expect(lines).toEqual([expect.stringContaining('could not be read')]);
  const files = await readdir(dataDir);
  expect(files).toEqual(expect.arrayContaining(['sandbox.json', 'sandbox.json.unreadable', 'hostler.db.unreadable']));
  expect(files).not.toContain('hostler.db');
  expect(sandbox.slack.sim.transcript('#ops')).toContain('web-1 has been slow');
});

test('a port in use is reported, with the next free port', async () => {
  const port = await listeningPort(createServer());
  await expect(startSandbox({ port, host: '127.0.0.1', dataDir: await newFolder('page') })).rejects.toThrow(
    new RegExp(`^Port ${port} is in use; the next free one is (\\d+): --port \\1$`),
  );
});

test('a second sandbox in the same folder gets a separate folder', async () => {
  const dataDir = await newFolder('page');
  const lines: string[] = [];
  const first = await open(dataDir);
  const second = await open(dataDir, (line) => lines.push(line));
  onTestFinished(() => rm(second.dataDir, { recursive: true, force: true }));
  expect([first.dataDir, second.dataDir]).toEqual([dataDir, `${dataDir}-${new URL(second.url).port}`]);
  expect(lines).toEqual([`Another sandbox is open in ${dataDir}; this one is kept in ${second.dataDir}`]);
  await first.end();
  await second.end();
  expect((await open(dataDir)).dataDir).toBe(dataDir);
});
