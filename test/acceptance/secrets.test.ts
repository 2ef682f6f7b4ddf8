import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textOf } from '../support/process/bot-process.ts';
import { patientSlack, startSystem, type TestSystem } from '../support/process/test-system.ts';

// A new password, and the secret key of a bucket, which every answer about the bucket has, each reach one dialog of the
// requester, once.

let system: TestSystem;
let secret: string;

beforeAll(async () => {
  system = await startSystem({ slack: patientSlack, env: { LOG_LEVEL: 'trace' } });
  secret = system.provider.sim.state().orders.find(({ storage }) => storage)?.storage?.secretKey ?? '';
  expect(secret).toHaveLength(32);
});
afterAll(() => system.close());

/** Everything that the bot wrote or sent: its log, its database and its calls of Slack, except dialogs. */
async function traces(): Promise<Map<string, string>> {
  const { sim } = system.slack;
  const { url } = system.database;
  const files = (await readdir(dirname(url))).filter((name) => name.startsWith(basename(url)));
  const database = await Promise.all(
    files.map(
      async (name) => [name.replace(/^.*(?=\.db)/, ''), await readFile(join(dirname(url), name), 'latin1')] as const,
    ),
  );
  const said = sim.requests().filter(({ method }) => !method.startsWith('views.'));
  const { messages, ephemerals } = sim.state();
  return new Map([
    ...database,
    ['log', system.bots.map((bot) => textOf(bot.log)).join('\n')],
    ['audit', JSON.stringify(await system.store.audit.list({ limit: 1_000 }))],
    ['messages', JSON.stringify([messages, ephemerals, said])],
    ['metrics', (await system.bots[0]?.get('/metrics'))?.text ?? ''],
  ]);
}

async function placesOf(words: string): Promise<string[]> {
  return [...(await traces())].flatMap(([name, text]) => (text.includes(words) ? [name] : []));
}

test('a password is in no file, no log and no message', async () => {
  const ops = await system.channel('password');
  const { sim } = system.slack;
  await sim.say('operator', ops, '/host password db-1');
  await sim.waitFor('[Approve ', { channel: ops });
  await sim.click('lead', { channel: ops, isMain: true });
  await sim.waitFor((s) => s.transcript('dm', 'operator').includes('Reveal once'));
  await system.settle();
  // While the password waits, sealed, and after it was shown.
  const before = await traces();
  await sim.click('operator', { channel: 'dm', label: 'Reveal once' });
  const [, password = ''] = await sim.waitFor((s) => /```\n(\S+)\n```/.exec(s.viewText('operator')));
  expect(password).toMatch(/^\w{14}$/);
  await sim.closeView('operator');
  await system.settle();
  const after = await traces();
  for (const name of ['.db', '.db-wal', 'log', 'audit', 'messages', 'metrics'])
    for (const places of [before, after]) {
      expect(places.get(name)?.length, name).toBeGreaterThan(0);
      expect(places.get(name)?.includes(password), `the password is in ${name}`).toBe(false);
    }
  // The search works: it finds a text that is no secret in the same places.
  expect(`${after.get('.db')}${after.get('.db-wal')}`).toContain('34-12346');
  // Counters are there from the start: Prometheus sees no increase in a counter that appears with 1.
  const metrics = after.get('metrics');
  expect(metrics).toMatch(/^hostler_operations_total\{command="restart",end="unknown"\} 0$/m);
  expect(metrics).toMatch(/^hostler_build_info\{version="[^"]+",node="v\d+[^"]*"\} 1$/m);
  expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m);
});

test('the secret key of a bucket is in no message, log line, row or audit entry, and is shown once', async () => {
  const ops = await system.channel('storage');
  const { sim } = system.slack;
  await sim.say('operator', ops, '/host alerts on s3-space');
  await sim.waitFor('[Cancel]', { channel: ops });
  await sim.click('operator', { channel: ops, isMain: true });
  await sim.waitFor('done in', { channel: ops });
  for (const [line, shown] of [
    ['s3 list', '232 GB of 250 GB'],
    ['s3 show 664-2041', 'Not shown here'],
    ['order 664-2041', 'Object storage 250 GB'],
    ['orders', 'Media bucket'],
  ] as const) {
    await sim.say('operator', ops, `/host ${line}`);
    await sim.waitFor(shown, { channel: ops });
  }
  // An answer of the wrong shape is an error, which names the field and not its value.
  system.provider.sim.fault({
    kind: 'shape',
    match: 'GET /orders/s3/',
    times: 1,
    body: { count: 1, results: [{ id: { odd: secret }, secret_key: secret }] },
  });
  await sim.say('operator', ops, '/host s3 list');
  await sim.waitFor('cannot be read', { channel: ops });
  system.provider.sim.clearFaults();
  await system.settle();
  // The search works: it finds another text.
  expect(await placesOf('Media bucket')).not.toEqual([]);
  expect(await placesOf(secret)).toEqual([]);
  await sim.say('reader', ops, '/host s3 secret 664-2041');
  await sim.say('operator', ops, '/host s3 secret 664-2041');
  await sim.waitFor('[Approve ', { channel: ops });
  await sim.click('lead', { channel: ops, isMain: true });
  await sim.waitFor('sent to the person who asked', { channel: ops });
  await system.settle();
  expect(
    await system.store.operations
      .list({ limit: 10 })
      .then((rows) => rows.filter(({ command }) => command === 's3 secret')),
  ).toHaveLength(1);
  expect(await placesOf(secret)).toEqual([]);
  await sim.click('operator', { channel: 'dm', label: 'Reveal once' });
  await sim.waitFor((s) => s.viewText('operator').includes(secret) || undefined);
  await sim.closeView('operator');
  await sim.click('operator', { channel: 'dm', label: 'Reveal once' }).catch(() => undefined);
  await sim.waitFor((s) => !s.viewText('operator').includes(secret) || undefined);
  await system.settle();
  expect(await placesOf(secret)).toEqual([]);
  expect(await placesOf(Buffer.from(secret).toString('base64').replace(/=+$/, ''))).toEqual([]);
  // The end of the process leaves it nowhere either.
  const [bot] = system.bots;
  await bot?.end('SIGTERM');
  system.bots.splice(0);
  expect(textOf(bot?.log ?? [])).not.toContain(secret);
  expect(await placesOf(secret)).toEqual([]);
});
