import { inspect } from 'node:util';
import { onTestFinished } from 'vitest';
import { ProviderError } from '../../src/core/view/errors.ts';
import { createProvider } from '../../src/provider/client.ts';
import { createTransport, type TransportOptions } from '../../src/provider/transport.ts';
import { type Answer, json, serve } from './server.ts';

export const apiKey = 'CANARY12.0123456789abcdef0123456789abcdef';

/** A provider on a real transport, whose pauses between tries are noted instead of waited for. */
export function openProvider(baseUrl: string, more: Partial<TransportOptions> = {}) {
  const pausesMs: number[] = [];
  const transport = createTransport({
    baseUrl,
    apiKey,
    sleep: async (ms) => {
      pausesMs.push(ms);
    },
    ...more,
  });
  onTestFinished(() => transport.close());
  return { provider: createProvider(transport), transport, pausesMs };
}

/** The ProviderError of a call; fails if the error contains the key. */
export async function errorOf(call: Promise<unknown>): Promise<ProviderError> {
  const error = await call.then(
    (value) => new Error(`it answered: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProviderError)) throw error;
  const everything = `${inspect(error, { depth: null, showHidden: true })} ${JSON.stringify(error)} ${error.stack}`;
  if (/CANARY12\.|0123456789abcdef/.test(everything)) throw new Error(`the key is in the error: ${error.message}`);
  return error;
}

/** A server that gives this answer, and a provider on it. */
export async function openAt(answer: Answer, more: Partial<TransportOptions> = {}, path = '') {
  const server = await serve(answer);
  return { server, ...openProvider(server.url + path, more) };
}

/** The usual server of tests, and a call that reads and one that writes there. */
export const server34 = { order_id: '34-12345' };
const path = '/vps/34-12345/status/';
export const readPower = {
  endpoint: 'GET /vps/{order_id}/status/',
  effect: 'read',
  method: 'GET',
  path,
  answers: 'json',
} as const;
export const powerOn = json(200, { status: 'on' });
export const hangUp: Answer = (_, response) => response.socket?.destroy();
