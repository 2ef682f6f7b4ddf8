import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { HTTPReceiver } from '@slack/bolt';
import { jsonIn } from '../../core/text/json.ts';
import type { Log } from '../../engine/context/dependencies.ts';
import { closing, readBody } from '../../http/read-body.ts';
import type { HttpRoute } from '../../http/server.ts';
import { requestPath } from '../print-manifest.ts';
import { boltLogger } from '../slack-log.ts';

/** Slack's requests have some kilobytes, a full view at most 250 kB, and Slack waits three seconds. */
const limits = { mostBytes: 1_024 * 1_024, withinMs: 3_000 };
const skewS = 5 * 60;
/** Slack causes none of these statuses: a too large or malformed body is as forged as one with a wrong signature. */
const unsignedStatuses: ReadonlySet<number> = new Set([400, 401, 413]);

/**
 * Checks Slack's HTTP requests before Bolt gets them (bolt 5.1.0):
 * - Bolt refuses old requests, but accepts requests that are signed for the future (verify-request.js).
 * - Bolt reads a property of the parsed body outside of any catch: a signed `null` is an unhandled rejection that ends
 *   the process (HTTPReceiver.js; found by test/crash/fuzz.test.ts). So the body is read here, and Bolt gets the result.
 */
export function createHttpRequests(
  signingSecret: string | undefined,
  log: Log,
  hooks: { readonly onSignatureFailure?: () => void },
  isShut: () => boolean,
) {
  if (signingSecret === undefined || signingSecret === '') {
    throw new Error(
      'starting: without SLACK_APP_TOKEN (Socket Mode) requests come over HTTP, and that needs SLACK_SIGNING_SECRET',
    );
  }
  const receiver = new HTTPReceiver({ signingSecret, endpoints: requestPath, logger: boltLogger(log) });
  const handler = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.once('finish', () => {
      if (unsignedStatuses.has(response.statusCode)) hooks.onSignatureFailure?.();
    });
    const refuse = (status: number) => void response.writeHead(status, closing(request)).end();
    if (isShut()) return refuse(503);
    if (Number(request.headers['x-slack-request-timestamp']) > Date.now() / 1_000 + skewS) return refuse(401);
    const rawBody = await readBody(request, limits);
    if (rawBody === 'too_large') return refuse(413);
    if (rawBody === 'too_slow') return refuse(408);
    if (!isObjectBody(rawBody, request.headers['content-type'])) return refuse(400);
    receiver.requestListener(Object.assign(request, { rawBody }), response);
  };
  return { receiver, route: { method: 'POST', path: requestPath, handler } satisfies HttpRoute };
}

function isObjectBody(body: Buffer, contentType: string | undefined): boolean {
  const text = body.toString();
  const isForm = contentType === 'application/x-www-form-urlencoded';
  const { payload } = isForm ? parse(text) : { payload: text };
  if (isForm && typeof payload !== 'string') return true;
  const value = jsonIn(String(payload));
  // To no JSON, Bolt responds with 400 itself, after it has checked the signature.
  return value === undefined || (typeof value === 'object' && value !== null);
}
