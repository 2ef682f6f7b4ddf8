import type { IncomingMessage, ServerResponse } from 'node:http';
import { StoreUnavailable } from '../core/errors.ts';
import type { RunningEngine } from '../engine/engine.ts';
import type { HttpRoute } from './server.ts';

/** `/hooks/…` over HTTP: monitoring's alerts and the provider's creation report. Nothing of a body is logged. */
export function createHookRoutes(running: Pick<RunningEngine, 'receiveHook'>): HttpRoute[] {
  return [
    {
      method: 'POST',
      path: '/hooks/*',
      handler: async (request, response) => {
        try {
          const answer = await running.receiveHook({
            path: URL.parse(request.url ?? '/', 'http://localhost')?.pathname ?? '/',
            signature: one(request.headers['fornex-signature']),
            encoding: request.headers['content-encoding'],
            read: (mostBytes) => readBody(request, mostBytes),
          });
          send(request, response, answer.status, answer.body);
        } catch (error) {
          // Whoever posts tries again, as monitoring does: what was taken already changes nothing then.
          const isAway = error instanceof StoreUnavailable;
          const why = isAway
            ? 'my database does not answer just now'
            : 'something is wrong on my side; my log says what';
          send(request, response, isAway ? 503 : 500, { error: `Not taken: ${why}. Post it again.` });
          throw error;
        }
      },
    },
  ];
}

/** Stops at the limit, whatever length was announced. */
async function readBody(request: IncomingMessage, mostBytes: number): Promise<Uint8Array | 'too_large'> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return 'too_large';
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    // Without an encoding set, a request gives buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > mostBytes) return 'too_large';
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function send(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  // What is left of a body nobody wants is not waited for.
  const isUnread = !request.complete;
  response.writeHead(status, { 'content-type': 'application/json', ...(isUnread ? { connection: 'close' } : {}) });
  response.end(`${JSON.stringify(body)}\n`);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
