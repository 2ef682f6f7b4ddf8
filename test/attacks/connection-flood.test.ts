import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { clientOf } from '../../src/core/account/ip-address.ts';
import { createHookRoutes } from '../../src/http/hook-routes.ts';
import { openServer } from '../../src/http/server.ts';
import { connected } from '../slack/support.ts';

// The port of Slack's requests and of webhooks is open to everybody. One client cannot block the others.

/** Connections of one client, by the address that they come from. */
function flooder(port: number, localAddress = '127.0.0.1') {
  const sockets = new Set<ReturnType<typeof connect>>();
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = async (sent: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.add(socket);
    socket.on('error', () => {}).resume();
    socket.once('close', () => sockets.delete(socket));
    await once(socket, 'connect').catch(() => undefined);
    socket.write(sent);
  };
  return { sockets, open };
}

/** A new connection from another address. */
async function status(port: number, path: string, { method = 'GET', from = '127.0.0.2' } = {}) {
  const asked = request({ host: '127.0.0.1', port, path, method, localAddress: from, agent: false, timeout: 10_000 });
  asked.once('timeout', () => asked.destroy(new Error(`${path} was not answered`)));
  asked.end();
  const [answer] = await once(asked, 'response');
  answer.resume();
  return answer.statusCode;
}

const health = {
  method: 'GET',
  path: '/healthz',
  handler: (_: unknown, response: { end: (text: string) => void }) => response.end('alive\n'),
} as const;

async function bot() {
  const { connection, log } = await connected({ mode: 'http', routes: [health] });
  return { port: connection.port, log };
}

const floods = {
  'that send no headers': 'POST /slack/events HTTP/1.1\r\n',
  'that send no byte': '',
  'that send no body': 'POST /nowhere HTTP/1.1\r\nhost: bot\r\ncontent-length: 9\r\n\r\n',
  'that stay open after an answer': 'GET /healthz HTTP/1.1\r\nhost: bot\r\n\r\n',
};

test.each(Object.entries(floods))('with 1,100 connections of one client %s, others reach the bot', async (_, sent) => {
  const { port, log } = await bot();
  const { sockets, open } = flooder(port);
  const flood = () => Promise.all(Array.from({ length: 1_100 - sockets.size }, () => open(sent)));
  await flood();
  expect(await status(port, '/healthz')).toBe(200);
  await flood();
  expect(await status(port, '/slack/events', { method: 'POST' })).toBe(401);
  const notices = log.lines.filter(({ text }) => text.startsWith('too many connections of one client'));
  expect(notices).toMatchObject([{ level: 'warn', fields: { client: '127.0.0.1' } }]);
});

test('connections without headers are closed after three seconds, and a burst of complete requests is answered', async () => {
  const { port } = await bot();
  const answers = await Promise.all(Array.from({ length: 300 }, () => status(port, '/healthz', { from: '127.0.0.1' })));
  expect(new Set(answers)).toEqual(new Set([200]));
  const { sockets, open } = flooder(port);
  for (let n = 0; n < 60; n++) await open('GET /healthz HTTP/1.1\r\n');
  expect(sockets.size).toBe(60);
  await expect.poll(() => sockets.size, { timeout: 10_000 }).toBe(0);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('an IPv6 network is one client: %s', (address, client) => {
  expect(clientOf(address)).toBe(client);
});

test.each(['/hooks/./json/token', '/hooks/x/../json/token', '/hooks/%2e%2e/hooks/json/token', '/hooks/json/token?x=1'])(
  'the address of a hook has one spelling: %s',
  async (path) => {
    const asked: string[] = [];
    const routes = createHookRoutes({
      receiveHook: async (hook) => {
        asked.push(hook.path);
        return { status: 404, body: {} };
      },
      receiveCall: async () => ({ status: 404, body: {} }),
    });
    const { port, close } = await openServer(routes, { port: 0, host: '127.0.0.1' }, () => {});
    onTestFinished(() => close(0));
    expect(await status(port, path, { method: 'POST' })).toBe(404);
    expect(asked).not.toContain('/hooks/json/token');
  },
);
