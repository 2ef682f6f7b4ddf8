import type { IncomingMessage, ServerResponse } from 'node:http';
import { StoreUnavailable } from '../core/view/errors.ts';
import type { RunningEngine } from '../engine/engine.ts';
import { closing, readBody } from './read-body.ts';
import type { HttpRoute } from './server.ts';

/** Monitoring needs milliseconds to post; the limit allows for slow networks. */
const bodyWithinMs = 10_000;

/** The routes `/hooks/…` for monitoring's alerts and the provider's creation report. Bodies are not logged. */
export function createHookRoutes(running: Pick<RunningEngine, 'receiveHook'>): HttpRoute[] {
  return [
    {
      method: 'POST',
      path: '/hooks/*',
      handler: async (request, response) => {
        try {
          const answer = await running.receiveHook({
            path: request.url ?? '/',
            signature: [request.headers['fornex-signature']].flat()[0],
            encoding: request.headers['content-encoding'],
            read: (mostBytes) => readBody(request, { mostBytes, withinMs: bodyWithinMs }),
          });
          send(request, response, answer.status, answer.body);
        } catch (error) {
          // An error makes the sender retry, as monitoring does; applying an alert twice changes nothing.
          const isAway = error instanceof StoreUnavailable;
          const why = isAway
            ? 'the database does not respond right now'
            : 'something is wrong with the bot; details are in the log';
          send(request, response, isAway ? 503 : 500, { error: `Not accepted: ${why}. Post it again.` });
          throw error;
        }
      },
    },
  ];
}

function send(request: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', ...closing(request) });
  response.end(`${JSON.stringify(body)}\n`);
}
