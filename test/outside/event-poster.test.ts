import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createEventPoster, noEvents } from '../../src/outside/event-poster.ts';

/** Posts to a server on loopback, which is a private address. */

async function open() {
  const heard: { path: string; body: string; id: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const id = String(request.headers['webhook-id']);
    heard.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString(), id });
    if (request.url === '/away') response.writeHead(302, { location: '/in' }).end();
    else response.writeHead(202).end('x'.repeat(1_000_000));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { heard, port, url: `http://127.0.0.1:${port}` };
}

const headers = { 'webhook-id': 'event:1' };
const anywhere = createEventPoster({ allowsPrivate: true });
const publicOnly = createEventPoster();

test('an event is posted with its headers and its whole body', async () => {
  const { heard, url } = await open();
  expect(await anywhere.post(`${url}/in`, headers, '{"what":"„Ü“"}')).toBe(202);
  expect(heard).toEqual([{ path: '/in', body: '{"what":"„Ü“"}', id: 'event:1' }]);
});

test('a redirect is not followed', async () => {
  const { heard, url } = await open();
  expect(await anywhere.post(`${url}/away`, headers, '{}')).toBe(302);
  expect(heard.map(({ path }) => path)).toEqual(['/away']);
});

test('a name that leads to a private address is not connected', async () => {
  const { heard, port } = await open();
  await expect(publicOnly.post(`https://localhost:${port}/in`, headers, '{}')).rejects.toThrow('not public');
  expect(heard).toEqual([]);
});

test.for([
  ['http://siem.example.net/in', 'It is not an https address.'],
  ['https://127.0.0.1/in', 'Its address is not public.'],
  ['https://[::1]/in', 'Its address is not public.'],
  ['https://2130706433/in', 'Its address is not public.'],
  ['https://0x7f.1/in', 'Its address is not public.'],
  ['https://169.254.169.254/latest', 'Its address is not public.'],
  ['https://[::ffff:10.0.0.1]/in', 'Its address is not public.'],
  ['https://user:secret@siem.example.net/in', 'It has a user or a password in it.'],
  ['file:///etc/passwd', 'It is no web address.'],
  ['siem', 'It is no web address.'],
] as const)('the address %s is refused', async ([url, why]) => {
  expect(publicOnly.whyNot(url)).toBe(why);
  await expect(publicOnly.post(url, headers, '{}')).rejects.toThrow(why);
});

test('a public address is accepted, and a private one where a setting allows it', () => {
  expect(publicOnly.whyNot('https://siem.example.net/in?key=1')).toBeUndefined();
  expect(anywhere.whyNot('http://10.0.0.1/in')).toBeUndefined();
  expect(noEvents.whyNot('https://siem.example.net/in')).toBe('HOSTLER_EVENTS is off.');
});
