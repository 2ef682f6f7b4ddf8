import { Agent, request } from 'undici';
import { z } from 'zod';
import { jsonIn } from '../core/text/json.ts';
import { faultOfCode, SlackError } from './faults.ts';

export const slackApi = 'https://slack.com/api/';

export const callTimeoutMs = 10_000;
/** The signal limits a whole call, since an answer that trickles never reaches undici's limit for a body. */
export const timeLimits = (timeoutMs = callTimeoutMs) => ({
  headersTimeout: timeoutMs,
  signal: AbortSignal.timeout(timeoutMs),
});
/** More connections than Slack's limits allow calls for. */
const connections = 32;
const longestAnswerBytes = 8_000_000;

const answer = z.looseObject({
  ok: z.boolean(),
  error: z.string().default('unknown_error'),
  // Slack reports errors in blocks in one of these two fields, or in both.
  errors: z.array(z.string()).catch([]).default([]),
  response_metadata: z
    .looseObject({ messages: z.array(z.string()).catch([]).default([]) })
    .default({ messages: [] })
    .catch({ messages: [] }),
});

/**
 * Calls Slack's Web API on the wire, without the SDK's client: its additions (retries, a queue, a pause of all channels
 * after one 429, a copy of each body for a debug line) would have to be turned off, and used most of the processor time
 * of a message. `onTime` gets the time by Slack's clock, which each response contains.
 */
export function createCall(
  token: string,
  apiUrl = slackApi,
  onTime: (slackMs: number) => void = () => {},
  timeoutMs = callTimeoutMs,
) {
  const base = apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`;
  const dispatcher = new Agent({ connections, connectTimeout: callTimeoutMs, maxResponseSize: longestAnswerBytes });
  return async (method: string, args: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { statusCode, headers, body } = await request(`${base}${method}`, {
      method: 'POST',
      dispatcher,
      ...timeLimits(timeoutMs),
      ...written(method, token, args),
    });
    const slackMs = Date.parse(String(headers.date));
    if (!Number.isNaN(slackMs)) onTime(slackMs);
    if (statusCode !== 200) {
      await body.dump();
      const retryAfterS = Number(headers['retry-after']);
      if (statusCode === 429 && retryAfterS > 0)
        throw new SlackError({ kind: 'limited', retryAfterMs: Math.max(1, retryAfterS) * 1_000 });
      throw new SlackError({ kind: 'away', why: `Slack answered ${statusCode}` });
    }
    const parsed = answer.safeParse(jsonIn(await body.text()));
    if (!parsed.success) throw new SlackError({ kind: 'away', why: 'Slack answered no JSON' });
    if (!parsed.data.ok) throw refused(parsed.data);
    const scopes = headers['x-oauth-scopes'];
    return typeof scopes === 'string'
      ? { ...parsed.data, scopes: scopes.split(',').map((scope) => scope.trim()) }
      : parsed.data;
  };
}

function refused({ error, errors, response_metadata }: z.output<typeof answer>): SlackError {
  return new SlackError(faultOfCode(error), [...new Set([...response_metadata.messages, ...errors])]);
}

/** Reads the response of a response_url, which is not a method: a status and sometimes a reason. */
export function responseFault(statusCode: number, body: string): SlackError | undefined {
  if (statusCode === 200) return undefined;
  const parsed = answer.safeParse(jsonIn(body));
  if (parsed.success && !parsed.data.ok) return refused(parsed.data);
  return /^[a-z_]{3,60}$/.test(body.trim())
    ? new SlackError(faultOfCode(body.trim()))
    : new SlackError({ kind: 'away', why: `Slack answered ${statusCode}` });
}

/** Methods with blocks require JSON; several others accept forms only. */
const takesJson = /^(chat|views)\./;

function written(method: string, token: string, args: Readonly<Record<string, unknown>>) {
  const isJson = takesJson.test(method);
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': isJson ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded',
    accept: 'application/json',
    'user-agent': 'Hostler',
  };
  if (isJson) return { headers, body: JSON.stringify(args) };
  const fields = Object.entries(args).flatMap(([name, value]): [string, string][] =>
    value == null ? [] : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]],
  );
  return { headers, body: new URLSearchParams(fields).toString() };
}
