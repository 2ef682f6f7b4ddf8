import { StoreUnavailable } from '../core/view/errors.ts';
import type { RunningEngine } from '../engine/engine.ts';
import { closing, readBody } from './read-body.ts';
import { type HttpRoute, sendText } from './server.ts';

/** Monitoring needs milliseconds to post; the limit allows for slow networks. */
const bodyWithinMs = 10_000;

/** The routes `/hooks/…` for monitoring's alerts and the provider's creation report. Bodies are not logged. */
export function createHookRoutes(running: Pick<RunningEngine, 'receiveHook'>): HttpRoute[] {
  return [
    {
      method: 'POST',
      path: '/hooks/*',
      handler: async (request, response) => {
        const send = (status: number, body: object) =>
          sendText(response, status, JSON.stringify(body), { 'content-type': 'application/json', ...closing(request) });
        try {
          const answer = await running.receiveHook({
            path: request.url ?? '/',
            signature: [request.headers['fornex-signature']].flat()[0],
            encoding: request.headers['content-encoding'],
            read: (mostBytes) => readBody(request, { mostBytes, withinMs: bodyWithinMs }),
          });
          send(answer.status, answer.body);
        } catch (error) {
          // An error makes the sender retry, as monitoring does; applying an alert twice changes nothing.
          const isAway = error instanceof StoreUnavailable;
          const why = isAway
            ? 'the database does not respond right now'
            : 'something is wrong with the bot; details are in the log';
          send(isAway ? 503 : 500, { error: `Not accepted: ${why}. Post it again.` });
          throw error;
        }
      },
    },
  ];
}
