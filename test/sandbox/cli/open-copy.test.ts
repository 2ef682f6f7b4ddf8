import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { openCopy } from '../../../sandbox/cli/open-copy.ts';
import { readAccount } from '../../../sandbox/cli/read-account.ts';
import { runSandboxCommand } from '../../../sandbox/cli/sandbox.ts';
import { type AccountCopy, parseCopy } from '../../../sandbox/copy/copy.ts';
import { stateOfCopy } from '../../../sandbox/copy/state-of-copy.ts';
import { type ProviderOptions, startProvider } from '../../../sandbox/provider/server.ts';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { CliError } from '../../../src/core/view/errors.ts';
import { createReader } from '../../../src/provider/client.ts';
import { effectOf } from '../../../src/provider/endpoint.ts';
import { table } from '../../../src/provider/table.ts';
import { createTransport } from '../../../src/provider/transport.ts';
import { root } from '../../../src/root.ts';
import { openStore } from '../../../src/store/database.ts';
import { inPlace } from '../../cli/in-place.ts';
import { compileCache } from '../../support/process/compile-cache.ts';
import { newFolder } from '../../support/process/new-folder.ts';
import { openPseudoTerminal } from '../../support/process/pseudo-terminal.ts';

async function startReal(options: ProviderOptions = {}) {
  const provider = await startProvider({ key: 'realkey1.0123456789abcdef0123456789abcdef', ...options });
  onTestFinished(() => provider.close());
  return provider;
}

async function copyOf(provider: Awaited<ReturnType<typeof startProvider>>): Promise<AccountCopy> {
  const transport = createTransport({ baseUrl: provider.url, apiKey: provider.key });
  onTestFinished(() => transport.close());
  return (await readAccount(createReader(transport), Date.now())).copy;
}

/** `hostler sandbox …` in a process, until it prints its address or ends. */
async function run(argv: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const { NODE_ENV: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(root, 'src/main.ts'), 'sandbox', '--port', '0', ...argv], {
    env: { ...env, ...compileCache, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  const lines = [child.stdout, child.stderr].map((stream) => createInterface({ input: stream }));
  for (const line of lines) line.on('line', (text) => (printed += `${text}\n`));
  const exited = once(child, 'exit');
  while (!printed.includes("Hostler's sandbox is at") && child.exitCode === null)
    await Promise.race([exited, ...lines.map((line) => once(line, 'line'))]);
  return {
    printed: () => printed,
    url: /sandbox is at (\S+)/.exec(printed)?.[1] ?? '',
    /** On a busy machine the time on the clock would depend on the other tests. */
    processorSeconds() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function act(url: string, name: string, input: object): Promise<unknown> {
  const response = await fetch(`${url}/act/${name}?as=operator`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The first message of the page's stream: everything that the person sees. */
async function firstView(url: string): Promise<ReadonlyMap<string, unknown>> {
  const response = await fetch(`${url}/live?as=operator`);
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.includes('\n\n')) break;
  }
  const { set } = JSON.parse(text.slice('data: '.length, text.indexOf('\n\n')));
  return new Map(set);
}

test('the reader of the account has no method that writes or reveals a secret', () => {
  const reader = createReader({ baseUrl: 'http://127.0.0.1:1', send: async () => undefined });
  const made = Object.entries(reader).flatMap(([area, methods]) =>
    Object.keys(methods).map((name) => `${area}.${name}`),
  );
  const rows = Object.entries(table).flatMap(([area, endpoints]) =>
    Object.entries(endpoints).map(([name, row]) => ({ name: `${area}.${name}`, ...row, reveals: 'reveals' in row })),
  );
  const reads = rows.filter(({ route, reveals }) => effectOf(route) === 'read' && !reveals);
  expect(made.sort()).toEqual(reads.map(({ name }) => name).sort());
  expect(rows.length - reads.length).toBeGreaterThan(30);
});

test('the account is read once by GET requests, and hears nothing of what is done on the page', async () => {
  const real = await startReal();
  const folder = await newFolder('copy');
  const file = join(folder, 'copy.json');
  const settings = { HOST_API_URL: real.url, HOST_API_KEY: real.key, TMPDIR: folder };
  const sandbox = await run(['--copy', '--save', file], settings);
  expect(sandbox.printed()).toContain('Copied: 19 orders, 3 domains with 40 records.');
  const read = real.sim.requests();
  expect(new Set(read.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(new Set(read.map(({ path }) => path)).size).toBe(read.length);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const before = await firstView(sandbox.url);
  expect(before.get('copied')).toEqual({ of: 'Example Ltd', atMs: expect.any(Number) });
  const channel = [...before.keys()].find((key) => key.startsWith('channel/'))?.slice('channel/'.length) ?? '';
  await act(sandbox.url, 'say', { channel: 'C0OPS00001', text: '/host status web-1' });
  await act(sandbox.url, 'say', { channel, text: 'hello' });
  await act(sandbox.url, 'machine', { line: 'restart web-2 because deploy 41' });
  await act(sandbox.url, 'power', { order: '34-12345', state: 'off' });
  await act(sandbox.url, 'forward', { ms: 86_400_000 });
  const changed = await firstView(sandbox.url);
  expect(changed.get('server/34-12345')).toMatchObject({ power: { state: 'off' } });
  const again = await fetch(`${sandbox.url}/start-over`, { method: 'POST', headers: { origin: sandbox.url } });
  expect(again.status).toBe(200);
  // Starting over returns to the copy.
  expect((await firstView(sandbox.url)).get('server/34-12345')).toEqual(before.get('server/34-12345'));
  expect(real.sim.requests()).toHaveLength(read.length);
  expect(sandbox.printed() + readFileSync(file, 'utf8')).not.toContain('0123456789abcdef');

  expect(readdirSync(folder).some((name) => name.startsWith('hostler-copy-'))).toBe(true);
  await sandbox.stop();
  expect(readdirSync(folder)).toEqual(['copy.json']);
  // The file opens without a key and without the provider.
  await real.close();
  const opened = await run(['--from', file], { TMPDIR: folder });
  expect((await firstView(opened.url)).get('server/34-12345')).toEqual(before.get('server/34-12345'));
});

test('500 servers and a zone of 1,500 records are copied and opened in at most 10 seconds of the processor', async () => {
  const real = await startReal({ seed: { orders: 500 } });
  const snapshot = real.snapshot();
  snapshot.domains.push({
    name: 'example.com',
    createdAt: null,
    updatedAt: null,
    tags: [],
    entries: Array.from({ length: 1_500 }, (_, n) => {
      return { id: n + 1, host: `h${n}`, type: 'A', prio: null, value: '192.0.2.1', ttl: null };
    }),
  });
  const large = await startReal({ seed: snapshot });
  const sandbox = await run(['--copy'], { HOST_API_URL: large.url, HOST_API_KEY: large.key });
  expect(sandbox.printed()).toContain('Copied: 500 orders, 1 domain with 1,500 records.');
  const view = await firstView(sandbox.url);
  expect([...view.keys()].filter((key) => key.startsWith('server/'))).toHaveLength(500);
  expect(sandbox.processorSeconds()).toBeLessThan(10);
});

test('a copy has no password, key or e-mail address of the account', async () => {
  const real = await startReal();
  const snapshot = real.snapshot();
  const secrets = ['mallory@corp.example', 'eve.smith+ops@corp.example', 'PASSWORD-1', 'SECRET-KEY-2', 'ACCESS-KEY-3'];
  const [mallory = '', eve = '', password = '', secretKey = '', accessKey = ''] = secrets;
  Object.assign(snapshot.account, { email: mallory, name: `Corp <${eve}>` });
  for (const order of snapshot.orders) {
    if (order.vps !== null)
      Object.assign(order, { name: `of ${mallory}`, tags: [eve] }).vps = { ...order.vps, password };
    if (order.storage !== null) Object.assign(order.storage, { secretKey, accessKey, bucket: `${accessKey}.main` });
  }
  for (const project of snapshot.projects) project.comment = `Ask ${mallory}, or "${eve}"!`;
  snapshot.domains[0]?.entries.push({
    id: 900,
    host: '_dmarc',
    type: 'TXT',
    prio: null,
    value: `v=DMARC1; rua=mailto:${mallory},mailto:${eve}`,
    ttl: null,
  });
  const copy = await copyOf(await startReal({ seed: snapshot }));
  const written = JSON.stringify([copy, stateOfCopy(copy)]);
  for (const secret of [...secrets, 'AAAAC3', real.key]) expect(JSON.stringify(copy)).not.toContain(secret);
  for (const secret of secrets) expect(written).not.toContain(secret);
  expect(copy.domains[0]?.entry_set.at(-1)?.value).toBe(
    'v=DMARC1; rua=mailto:someone@example.com,mailto:someone@example.com',
  );
  // Fields beyond the list are dropped, wherever they come from.
  const more = { ...copy, orders: [{ ...copy.orders[0], passwd: password }], note: secretKey };
  expect(JSON.stringify(parseCopy(more))).not.toMatch(/PASSWORD-1|SECRET-KEY-2/);
});

test('a job of the copy takes as long as a job of its kind took in the bot’s own records', async () => {
  const url = join(await newFolder('copy'), 'hostler.db');
  const channel = 'C0REAL0001';
  const policy = policySchema.parse({
    grants: [{ to: ['user:U0REAL0001', 'group:S0REAL0001'], can: ['read', 'operate'] }],
  });
  const plan = { name: 'move', lines: ['restart web-1 because mallory@corp.example asked'], by: 'U0REAL0001', at: 1 };
  {
    await using store = await openStore(url);
    for (const ms of [61_000, 63_000, 65_000]) await store.durations.add('restart', ms);
    await store.values.write('policy', { [channel]: { policy, posture: null } }, 1);
    await store.values.write('plans', { [channel]: [plan] }, 1);
  }
  const masked = 'restart web-1 because someone@example.com asked';
  const bytes = readFileSync(url);
  const real = await startReal();
  const file = join(await newFolder('copy'), 'copy.json');
  const settings = { HOST_API_URL: real.url, HOST_API_KEY: real.key, DATABASE_URL: url };
  const sandbox = await run(['--copy', '--save', file], settings);
  expect(readFileSync(url)).toEqual(bytes);
  const view = await firstView(sandbox.url);
  expect(view.get(`channel/${channel}`)).toMatchObject({ name: 'channel-c0real0001' });
  expect(view.get('person/U0REAL0001')).toMatchObject({ realName: 'Person 1 (U0REAL0001)' });
  const copy = JSON.parse(readFileSync(file, 'utf8'));
  expect(copy).toMatchObject({ policies: { [channel]: policy }, plans: { [channel]: [{ ...plan, lines: [masked] }] } });
  expect(copy.jobTimes.restart).toEqual([65_000, 63_000, 61_000]);

  const twin = await startReal({ seed: stateOfCopy(parseCopy(copy)) });
  const start = async (way: string) => {
    const path = `${twin.url}/vps/34-12345/${way}/`;
    await fetch(path, { method: 'POST', headers: { authorization: `Api-Key ${twin.key}` } });
    const job = twin.sim.state().jobs.at(-1);
    twin.sim.advance(100_000);
    return (job?.dueAt ?? 0) - (job?.startedAt ?? 0);
  };
  expect([61_000, 63_000, 65_000]).toContain(await start('restart'));
  // The simulator's own duration, since the records have none.
  expect(await start('stop')).toBeLessThanOrEqual(40_000);
});

test.each([
  [['--copy', '--from', 'a.json'], '--copy reads the account, --from a file: give one of them.'],
  [['--save', 'a.json'], '--save needs --copy: it keeps the copy that is read.'],
  [['--copy'], 'HOST_API_KEY is missing: set it, or run this at a terminal, which asks for the key.'],
  [['--port', 'x'], /: PORT is not a whole number/],
  [['--drill', 'fire'], '--drill fire is no drill. There are: boot, zone, payment, slow, asleep, leaves.'],
])('hostler sandbox %j says in one line why it does not start', async (argv, words) => {
  const config = { databaseUrl: '', admins: [] };
  const error = await runSandboxCommand({ argv, config, print: () => {} }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CliError);
  expect(String(error)).toMatch(words);
});

test('a file that is no copy is refused with the reason, and an existing file is never replaced', async () => {
  const folder = await newFolder('copy');
  const file = join(folder, 'copy.json');
  const opened = (text: string) => {
    writeFileSync(file, text);
    return openCopy({ from: file }, () => {});
  };
  await expect(opened('{')).rejects.toThrow(/copy\.json is no copy that this version can open: it is not JSON\. Take/);
  await expect(opened('{"version":2}')).rejects.toThrow(/can open: version: Invalid input: expected 1/);
  const copy = await copyOf(await startReal());
  const odd = { ...copy, policies: { C0REAL0001: { grants: 'all' } } };
  await expect(opened(JSON.stringify(odd))).rejects.toThrow(/can open: policies\.C0REAL0001\.grants/);
  const notChannel = JSON.stringify({ ...copy, plans: { '<img>': [] } });
  await expect(opened(notChannel)).rejects.toThrow(/can open: plans\.<img>: /);
  writeFileSync(file, JSON.stringify(odd));
  await expect(openCopy({ from: join(folder, 'none.json') }, () => {})).rejects.toThrow(/cannot be read \(ENOENT\)/);
  await expect(openCopy({ copy: true, save: file }, () => {})).rejects.toThrow(/copy\.json exists already/);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(odd);
});

test('after the copy the process has no setting of the bot', async () => {
  const real = await startReal();
  const settings = { HOST_API_URL: real.url, HOST_API_KEY: real.key, SLACK_BOT_TOKEN: 'xoxb-1', PATH: '/bin' };
  await inPlace(root, settings, async () => {
    await openCopy({ copy: true }, () => {});
    expect(process.env).toEqual({ PATH: '/bin' });
  });
});

test('an account that refuses the key is not copied, and leaves no file', async () => {
  const real = await startReal();
  const file = join(await newFolder('copy'), 'copy.json');
  const settings = { HOST_API_URL: real.url, HOST_API_KEY: 'wrongkey.0000000000' };
  const { printed } = await run(['--copy', '--save', file], settings);
  expect(printed()).toMatch(
    /The account cannot be read: GET \/orders\/: 40[13].*\. Check HOST_API_URL and HOST_API_KEY\./,
  );
  expect(existsSync(file)).toBe(false);
});

test('without a key in the settings a terminal asks for it, and never shows it', async () => {
  const real = await startReal();
  const folder = await newFolder('copy');
  const main = [process.execPath, join(root, 'src/main.ts'), 'sandbox', '--copy', '--port', '0'];
  const env = { PATH: process.env.PATH ?? '', ...compileCache, HOST_API_URL: real.url, TMPDIR: folder };
  const terminal = openPseudoTerminal(main, { cwd: folder, env });
  await terminal.answer(/The provider's API key .*: /, real.key);
  await terminal.see(/Hostler's sandbox is at http/);
  terminal.type('\u0003');
  expect(await terminal.ended).toBe(0);
  expect(terminal.screen()).not.toContain(real.key.slice(0, 8));
  expect(real.sim.requests().length).toBeGreaterThan(20);
  expect(readdirSync(folder)).toEqual([]);

  const stopped = openPseudoTerminal(main, { cwd: folder, env });
  await stopped.see(/The provider's API key/);
  stopped.type('\u0003');
  expect(await stopped.ended).toBe(130);
  expect(stopped.screen()).toMatch(/Stopped\. Nothing was read\./);
});
