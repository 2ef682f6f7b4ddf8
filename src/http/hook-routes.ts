import { StoreUnavailable } from '../core/view/errors.ts';
import { problem } from '../core/view/problem.ts';
import type { RunningEngine } from '../engine/engine.ts';
import type { CallRequest, HookAnswer, HookRequest } from '../engine/hooks/http.ts';
import { closing, readBody } from './read-body.ts';
import { type HttpRoute, sendText } from './server.ts';

/** Monitoring needs milliseconds to post; the limit allows for slow networks. */
const bodyWithinMs = 10_000;

type Receive = (request: CallRequest & HookRequest) => Promise<HookAnswer>;

/**
 * The routes `/hooks/…` for monitoring's alerts and the provider's creation report, and `/api/…` and `/mcp` for machines. Bodies are
 * not logged.
 */
export function createHookRoutes({ receiveHook, receiveCall }: Pick<RunningEngine, 'receiveCall' | 'receiveHook'>) {
  return [
    route('POST', '/hooks/*', receiveHook),
    route('POST', '/api/run', receiveCall),
    route('GET', '/api/requests/*', receiveCall),
    route('DELETE', '/api/requests/*', receiveCall),
    route('POST', '/mcp', receiveCall),
  ];
}

function route(method: HttpRoute['method'], path: string, receive: Receive): HttpRoute {
  return {
    method,
    path,
    handler: async (request, response, isClosing = () => false) => {
      const send = ({ status, body, text, headers }: HookAnswer) => {
        const type = { 'content-type': 'application/json', ...headers };
        sendText(response, status, text ?? JSON.stringify(body), { ...type, ...closing(request) });
      };
      try {
        const answer = await receive({
          method,
          path: request.url ?? '/',
          headers: request.headers,
          signature: [request.headers['fornex-signature']].flat()[0],
          encoding: request.headers['content-encoding'],
          isGone: () => response.destroyed || isClosing(),
          read: (mostBytes) => readBody(request, { mostBytes, withinMs: bodyWithinMs }),
        });
        send(answer);
      } catch (error) {
        // An error makes the sender retry, as monitoring does; applying an alert twice changes nothing.
        const isAway = error instanceof StoreUnavailable;
        const why = isAway
          ? 'the database does not respond right now'
          : 'something is wrong with the bot; details are in the log';
        send(problem(isAway ? 'unavailable' : 'bug', `Not accepted: ${why}. Post it again.`));
        throw error;
      }
    },
  };
}
