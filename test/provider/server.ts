import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (request: Received, response: ServerResponse) => void;

/** A real HTTP server for one test, which records each complete request before it answers. */
export async function serve(answer: Answer) {
  const received: Received[] = [];
  const arrivals = new EventEmitter();
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: await text(incoming) };
    received.push(request);
    answer(request, response);
    arrivals.emit('request');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server listening on TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(stop);
  async function untilReceived(count: number) {
    while (received.length < count) await once(arrivals, 'request');
  }
  return { url: `http://127.0.0.1:${port}`, received, untilReceived, stop };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function raw(status: number, contentType: string, body: string, headers: Record<string, string> = {}): Answer {
  return (_, response) => response.writeHead(status, { 'content-type': contentType, ...headers }).end(body);
}

/** A response that breaks off after its first part. */
export function cutOff(status: number, part: string): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': '500' });
    response.write(part, () => response.socket?.destroy());
  };
}

/** Gives one answer after the other, and repeats the last one. */
export function oneByOne(...answers: Answer[]): Answer {
  let count = 0;
  return (request, response) => {
    const answer = answers[Math.min(count, answers.length - 1)];
    count += 1;
    answer?.(request, response);
  };
}

export const job = {
  pk: 812,
  action: 'restart',
  note: '',
  user: 'api',
  time: '2024-02-05T21:41:25',
  completed: false,
  job_state: 'ready',
  job_action: 'restart',
};

export const orderItem = {
  id: '34-12345',
  name: 'web-1',
  tariff: 'VPS 2',
  tariff_price: 10,
  type: 'vps',
  hostname: 'web-1.example.com',
  ipaddress_set: ['192.0.2.10'],
  status: 'active',
  cost_month: 10,
  expiration_date: '2024-03-05T21:41:25+02:00',
  tags: ['web'],
};
