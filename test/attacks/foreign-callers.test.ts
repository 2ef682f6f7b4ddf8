import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../sandbox/http.ts';
import { createPageServer } from '../../sandbox/page-server/server.ts';
import { type SimulatedProvider, startProvider } from '../../sandbox/provider/server.ts';
import { type SimulatedSlack, startSlack } from '../../sandbox/slack/server.ts';

// A developer has the sandbox or a simulation open, and a hostile page in a browser. The page can send requests to this
// machine, and its own domain can be made to lead here.

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as a browser would send it; `fetch` would not let a test choose its Host. */
function statusOf(port: number, { method, path, headers }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve(101);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{}' : undefined);
  });
}

const attacks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a page of another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'a page without an origin': { origin: 'null' },
  'a picture or a link of another site': { 'sec-fetch-site': 'cross-site' },
  'a page on another port of this machine': { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
  'a foreign host name that resolves to this machine': { host: 'evil.example' },
  'a foreign host name with the right port': { host: '127.0.0.1.evil.example:80' },
};

let slack: SimulatedSlack;
let provider: SimulatedProvider;
let portOfPage: number;
const page = createPageServer('127.0.0.1');

beforeAll(async () => {
  slack = await startSlack({ isControlServed: true });
  provider = await startProvider();
  portOfPage = await listen(page.server, 0, '127.0.0.1');
});

afterAll(async () => {
  await slack.close();
  await provider.close();
  page.server.close();
});

const pagePort = () => portOfPage;

interface Route {
  readonly route: string;
  readonly port: () => number;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = { 'content-type': 'application/json' };
const bytes = { 'content-type': 'application/octet-stream' };
const ofSlack = () => slack.port;
const ofProvider = () => provider.port;
const routes: readonly Route[] = [
  { route: 'GET /', port: pagePort },
  { route: 'GET /main.js', port: pagePort },
  { route: 'GET /live?as=admin', port: pagePort },
  { route: 'GET /files/F1', port: pagePort },
  { route: 'POST /act/say?as=admin', port: pagePort, headers: json },
  { route: 'POST /upload?as=admin', port: pagePort, headers: bytes },
  { route: 'POST /start-over', port: pagePort },
  { route: 'POST /api/chat.postMessage', port: ofSlack, headers: json },
  { route: 'GET /api/users.list', port: ofSlack },
  { route: 'POST /upload/v1/F1', port: ofSlack, headers: bytes },
  { route: 'GET /files-pri/T1-F1/a.txt', port: ofSlack },
  { route: 'POST /response/T1/1/x', port: ofSlack, headers: json },
  { route: 'POST /_sim/say', port: ofSlack, headers: json },
  { route: 'GET /link/?ticket=x', port: ofSlack, headers: { connection: 'Upgrade', upgrade: 'websocket' } },
  { route: 'GET /nothing-of-slack', port: ofSlack },
  { route: 'GET /api/orders/', port: ofProvider },
  { route: 'POST /api/vps/34-12345/stop/', port: ofProvider, headers: json },
  { route: 'GET /_sim/state', port: ofProvider },
  { route: 'POST /_sim/reset', port: ofProvider, headers: json },
  { route: 'GET /nothing-of-the-provider', port: ofProvider },
];

describe.each(Object.entries(attacks))('%s calls the sandbox', (_, attack) => {
  test.each(routes)('the call of $route is refused', async ({ route, port, headers }) => {
    const [method = '', path = ''] = route.split(' ');
    const before = provider.sim.requests().length;
    expect(await statusOf(port(), { method, path, headers: { ...headers, ...attack } })).toBe(403);
    expect(provider.sim.requests()).toHaveLength(before);
  });
});

test('a page of another site may show a logo, but a request with a foreign host name gets none', async () => {
  const logo = { method: 'GET', path: '/media/project/default.svg' };
  const shown = await statusOf(provider.port, { ...logo, headers: { 'sec-fetch-site': 'cross-site' } });
  expect(shown).toBe(200);
  expect(await statusOf(provider.port, { ...logo, headers: { host: 'evil.example' } })).toBe(403);
});

const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
describe.each(types)('a body of type %s, which a page may send without asking', (type) => {
  const paths = ['/act/say?as=admin', '/upload?as=admin', '/start-over'];
  test.each(paths)('the page’s %s refuses the body', async (path) => {
    const headers = { origin: `http://127.0.0.1:${pagePort()}`, 'content-type': type };
    expect(await statusOf(pagePort(), { method: 'POST', path, headers })).toBe(415);
  });

  test('the controls of both simulators refuse the body', async () => {
    const headers = { 'content-type': type };
    expect(await statusOf(slack.port, { method: 'POST', path: '/_sim/transcript', headers })).toBe(403);
    expect(await statusOf(provider.port, { method: 'POST', path: '/_sim/reset', headers })).toBe(403);
  });
});
