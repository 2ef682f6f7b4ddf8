import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';

async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'hostler-page-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function open(
  dataDir: string,
  log: (line: string) => void = () => {},
): Promise<Sandbox & { end(): Promise<void> }> {
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir, log });
  let isOver = false;
  const end = async () => {
    if (isOver) return;
    isOver = true;
    await sandbox.close();
  };
  onTestFinished(end);
  return { ...sandbox, end };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** fetch sets Host and Origin by itself, and this test needs other ones. */
function ask(url: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    asked.on('error', reject).end(body);
  });
}

const act = (url: string, name: string, as: string, input: unknown, headers: Record<string, string> = {}) =>
  ask(
    url,
    `/act/${name}?as=${as}`,
    { origin: url, 'content-type': 'application/json', ...headers },
    JSON.stringify(input),
  );

interface Change {
  readonly clear: string[];
  readonly drop: string[];
  readonly set: [string, unknown][];
}

/** One person's stream: the next change, whenever it comes. */
async function listen(url: string, as: string) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(`${url}/live?as=${as}`, { signal: stop.signal });
  const changes: Change[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const next = async (): Promise<Change> => {
    for (;;) {
      const at = rest.indexOf('\n\n');
      if (at >= 0) {
        const entry = rest.slice(0, at);
        rest = rest.slice(at + 2);
        if (entry.startsWith('data: ')) {
          const change: Change = JSON.parse(entry.slice('data: '.length));
          changes.push(change);
          return change;
        }
        if (entry.startsWith('event: reload')) return { clear: ['reload'], drop: [], set: [] };
        continue;
      }
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) throw new Error('the stream ended');
      rest += value;
    }
  };
  return { next, changes };
}

const keysOf = ({ set }: Change) => set.map(([key]) => key);

test('the page is small, loads nothing from elsewhere, and runs only its own scripts', async () => {
  const folder = join(import.meta.dirname, '../../../sandbox/page');
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
  );
  for (const [name, text] of files) {
    const strays = text.match(/https?:\/\/(?!www\.w3\.org\/2000\/svg)[\w.]+/g) ?? [];
    expect(strays, name).toEqual([]);
    expect(text, name).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|\beval\(/);
    if (!name.endsWith('.js')) continue;
    expect(text.split('\n').length, name).toBeLessThanOrEqual(301);
    const code = text.replace(/\/\*\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|\/(?![/*])(?:[^/\\\n]|\\.)+\/|\/\/.*/g, '');
    const open = code.split('\n').filter((line) => line.split('`').length % 2 === 0);
    expect(open, `${name}: a text over several lines would lose its indentation`).toEqual([]);
  }
  const sandbox = await open(await newDir());
  const served = await Promise.all(files.map(([name]) => ask(sandbox.url, `/${name}`)));
  expect(served.map(({ status }) => status)).toEqual(files.map(() => 200));
  expect(served.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)).toBeLessThan(150_000);
  const page = await ask(sandbox.url, '/');
  expect(page.status).toBe(200);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
  expect(page.body).not.toMatch(/ style=|<script>|onclick/);
  expect((await ask(sandbox.url, '/%2e%2e/live.ts')).status).toBe(404);
});

test('only the page itself may act, not another site, a foreign host name or a form', async () => {
  const { url, slack } = await open(await newDir());
  const input = { channel: '#ops', text: 'hello' };
  const host = new URL(url).host;
  const cases: [Record<string, string>, number][] = [
    [{}, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: 'rebound.example', origin: 'http://rebound.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'content-type': 'text/plain' }, 415],
    [{ host: host.replace('127.0.0.1', 'localhost'), origin: url.replace('127.0.0.1', 'localhost') }, 200],
  ];
  for (const [headers, status] of cases) {
    expect((await act(url, 'say', 'operator', input, headers)).status, JSON.stringify(headers)).toBe(status);
  }
  expect(slack.sim.messages('#ops').filter((message) => message.text === 'hello')).toHaveLength(2);
  expect((await ask(url, '/live?as=operator', { host: 'rebound.example' })).status).toBe(403);
  expect((await ask(url, '/live?as=operator', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await ask(url, '/start-over', { 'content-type': 'application/json' }, '{}')).status).toBe(403);
});

test('a wrong act gets an error and does nothing', async () => {
  const { url } = await open(await newDir());
  expect((await act(url, 'sing', 'operator', {})).status).toBe(404);
  expect((await act(url, 'constructor', 'operator', {})).status).toBe(404);
  expect(await act(url, 'say', 'operator', { channel: '#ops' })).toMatchObject({
    status: 409,
    body: expect.stringContaining('text'),
  });
  expect(await act(url, 'say', 'partner', { channel: '#ops', text: 'hi' })).toMatchObject({
    status: 409,
    body: expect.stringContaining('@partner is not in #ops'),
  });
  expect((await act(url, 'say', 'nobody', { channel: '#ops', text: 'hi' })).body).toContain('not in the workspace');
  expect((await act(url, 'forward', 'operator', { ms: 5 })).status).toBe(409);
});

async function nextWith(stream: Awaited<ReturnType<typeof listen>>, words: string) {
  for (;;) {
    const change = await stream.next();
    if (JSON.stringify(change.set).includes(words)) return change;
  }
}

test('the stream sends everything once and then only changes, and to each person only what they may see', async () => {
  const { url, slack, provider } = await open(await newDir());
  const [omar, petra] = [await listen(url, 'operator'), await listen(url, 'partner')];
  const first = await omar.next();
  expect(keysOf(first)).toEqual(
    expect.arrayContaining(['me', 'team', 'channel/C0OPS00001', 'server/34-12345', 'switches', 'home']),
  );
  expect(keysOf(await petra.next())).not.toContain('channel/C0OPS00001');

  await slack.sim.say('lead', '#ops', 'one & <two>');
  // Changes of the workspace while the pages opened may come before or along with it: only messages count.
  const said = await nextWith(omar, 'one & <two>');
  expect(keysOf(said)).toEqual(keysOf(said).map(() => expect.stringMatching(/^(message\/|noise$)/)));
  const news = said.set.filter(([, value]) => JSON.stringify(value).includes('one & <two>'));
  expect(news).toHaveLength(1);
  expect(news[0]?.[1]).toMatchObject({ user: 'U0LEAD0001', pieces: [{ kind: 'text', text: 'one & <two>' }] });

  provider.sim.power({ order: '34-12345', state: 'off' });
  expect(keysOf(await nextWith(omar, '34-12345'))).toEqual(['server/34-12345']);
  expect(keysOf(await nextWith(petra, '34-12345'))).toEqual(['server/34-12345']);
  expect(petra.changes.flatMap(keysOf).filter((key) => key === news[0]?.[0])).toEqual([]);
});

test('the state survives a restart, and starting over forgets everything but the keys', async () => {
  const dataDir = await newDir();
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
  after.onStartOver(async () => {
    order.push(
      `stopped while ${after.slack.sim.transcript('#ops').includes('remember this') ? 'it was there' : 'it was gone'}`,
    );
    return async () => {
      order.push(
        `started when ${after.slack.sim.transcript('#ops').includes('remember this') ? 'it was there' : 'it was gone'}`,
      );
    };
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
  const dataDir = await newDir();
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
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await expect(startSandbox({ port, host: '127.0.0.1', dataDir: await newDir() })).rejects.toThrow(
    new RegExp(`^Port ${port} is in use; the next free one is (\\d+): --port \\1$`),
  );
});

test('a second sandbox in the same folder gets a separate folder', async () => {
  const dataDir = await newDir();
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

test('the switch for a lost response loses one response, of any operation', async () => {
  const { url, provider } = await open(await newDir());
  await act(url, 'switch', 'operator', { name: 'answerLost', isOn: true });
  const call = (path: string) =>
    fetch(`${provider.url}${path}`, { method: 'POST', headers: { authorization: `Api-Key ${provider.key}` } });
  await expect(call('/vps/34-12345/restart/')).rejects.toThrow();
  expect((await call('/vps/34-12399/restart/')).status).toBe(200);
  expect(provider.sim.state().faults).toEqual([]);
  expect(provider.sim.state().jobs.filter((job) => job.state === 'ready')).toHaveLength(2);
});

test('a file is shown only to members of its channel, and anything but a picture as a download', async () => {
  const { url, slack } = await open(await newDir());
  const upload = (name: string, channel: string) =>
    ask(
      url,
      `/upload?as=operator&name=${encodeURIComponent(name)}&channel=${channel}`,
      { origin: url, 'content-type': 'application/octet-stream' },
      '<script>alert(1)</script>',
    );
  const { id } = JSON.parse((await upload('../page.html', 'C0PRIVATE1')).body);
  expect(slack.sim.files().find((file) => file.id === id)?.name).toBe('.._page.html');
  const seen = await ask(url, `/files/${id}?as=operator`);
  expect(seen).toMatchObject({ status: 200, body: '<script>alert(1)</script>' });
  expect(seen.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringContaining('attachment'),
    'x-content-type-options': 'nosniff',
  });
  expect((await ask(url, `/files/${id}?as=reader`)).status).toBe(404);
});
