import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { act, ask, entriesFor, keysOf, listen, nextWith, open } from './open.ts';

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
  const sandbox = await open();
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
  const { url, slack } = await open();
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
  expect((await ask(url, '/start-over', { 'content-type': 'application/json' }, '{}')).status).toBe(403);
});

test('a wrong act gets an error and does nothing', async () => {
  const { url } = await open();
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

test('the stream sends everything once and then only changes, and to each person only what they may see', async () => {
  const { url, slack, provider } = await open();
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

test('a file is shown only to members of its channel, and anything but a picture as a download', async () => {
  const { url, slack } = await open();
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

test('the page offers the command and the shortcuts of the manifest, but no arguments of the command', async () => {
  const { url } = await open();
  const { features } = parse(await readFile('manifest.yml', 'utf8'));
  const [{ command, usage_hint, description }] = features.slash_commands;
  const entries = await entriesFor(url, 'operator');
  expect(entries.get('command')).toEqual({ name: command, hint: usage_hint, description });
  const ofType = (type: string) =>
    features.shortcuts
      .filter((one: { type: string }) => one.type === type)
      .map(({ callback_id, name }: { callback_id: string; name: string }) => ({ id: callback_id, name }));
  expect(entries.get('shortcuts')).toEqual({ global: ofType('global'), message: ofType('message') });
  expect(JSON.stringify([...entries])).not.toContain('hard-reset');
});
