import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { closing, readBody } from '../../src/http/read-body.ts';
import { openServer } from '../../src/http/server.ts';

/** A server that answers with the body that it read: at most eight bytes within a tenth of a second. */
async function openReader(): Promise<number> {
  const { port, close } = await openServer(
    [
      {
        method: 'POST',
        path: '/',
        handler: async (request, response) => {
          const body = await readBody(request, { mostBytes: 8, withinMs: 100 });
          response.writeHead(200, closing(request)).end(typeof body === 'string' ? body : `read ${body}`);
        },
      },
    ],
    { port: 0, host: '127.0.0.1' },
    (error) => {
      throw error;
    },
  );
  onTestFinished(() => close(0));
  return port;
}

/** The whole answer of the server until the end of the connection. */
async function exchange(port: number, chunks: readonly string[], headers: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(['POST / HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n'));
  for (const chunk of chunks) socket.write(chunk);
  let said = '';
  for await (const data of socket) said += data;
  return said;
}

const chunked = 'Transfer-Encoding: chunked';
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

test('a request body in several chunks is read to its end', async () => {
  const port = await openReader();
  const whole = [chunk('1234'), chunk('5678'), '0\r\n\r\n'];
  expect(await exchange(port, whole, [chunked, 'Connection: close'])).toContain('read 12345678');
});

test('a body that is too large is refused, with any declared length, and the connection ends', async () => {
  const port = await openReader();
  expect(await exchange(port, [], ['Content-Length: 9'])).toContain('too_large');
  expect(await exchange(port, [chunk('12345'), chunk('6789')], [chunked])).toContain('too_large');
});

test('a body that does not arrive in time is refused', async () => {
  const port = await openReader();
  expect(await exchange(port, [chunk('1')], [chunked])).toContain('too_slow');
});
