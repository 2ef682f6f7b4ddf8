import { createHmac, randomUUID } from 'node:crypto';
import { asDict } from '../dict.ts';
import type { Workspace } from '../workspace.ts';
import type { Attempt, DeliveryAnswer, DeliveryTransport, Payload } from './types.ts';

export interface HttpOptions {
  ackTimeoutMs: number;
}

export interface HttpDelivery extends DeliveryTransport {
  /** The bot's request URL for commands, interactions and events; null in Socket Mode. */
  url: string | null;
  /** Slack's handshake for a new request URL; true if the challenge is returned. */
  verifyUrl(): Promise<boolean>;
}

interface SignedRequest {
  headers: Record<string, string>;
  body: string;
}

const retryReasons: Record<string, string> = {
  operation_timeout: 'http_timeout',
  dispatch_failed: 'connection_failed',
};

export function createHttpDelivery(workspace: Workspace, options: HttpOptions): HttpDelivery {
  const sent = new Map<string, SignedRequest>();

  function sign(body: string, contentType: string): SignedRequest {
    const timestamp = String(Math.floor(workspace.nowMs() / 1000));
    const mac = createHmac('sha256', workspace.state.secrets.signingSecret)
      .update(`v0:${timestamp}:${body}`)
      .digest('hex');
    return {
      body,
      headers: {
        'content-type': contentType,
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        accept: '*/*',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${mac}`,
      },
    };
  }

  async function post(request: SignedRequest, attempt: Attempt): Promise<DeliveryAnswer> {
    const startedAt = performance.now();
    if (delivery.url === null) return { ok: false, error: 'dispatch_failed' };
    try {
      const response = await fetch(delivery.url, {
        method: 'POST',
        headers: request.headers,
        body: request.body,
        redirect: 'manual',
        signal: AbortSignal.timeout(options.ackTimeoutMs),
      });
      const text = await response.text();
      if (workspace.faults.delivery.acksToLose > 0) {
        workspace.faults.delivery.acksToLose -= 1;
        return { ok: false, error: 'operation_timeout' };
      }
      const isFinal = response.headers.get('x-slack-no-retry') === '1';
      if (!response.ok) return { ok: false, error: `http_status_${response.status}`, isFinal };
      attempt.ackedMs = performance.now() - startedAt;
      return { ok: true, body: parseBody(text, response.headers.get('content-type') ?? '') };
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError';
      return { ok: false, error: isTimeout ? 'operation_timeout' : 'dispatch_failed' };
    }
  }

  function signedFor(payload: Payload): SignedRequest {
    if (payload.kind === 'events_api') return sign(JSON.stringify(payload.body), 'application/json');
    const form =
      payload.kind === 'slash_commands'
        ? Object.fromEntries(Object.entries(payload.body).map(([name, value]) => [name, String(value)]))
        : { payload: JSON.stringify(payload.body) };
    return sign(new URLSearchParams(form).toString(), 'application/x-www-form-urlencoded');
  }

  const delivery: HttpDelivery = {
    url: null,
    send(payload, retry, attempt) {
      const request = signedFor(payload);
      if (retry.number > 0) {
        request.headers['x-slack-retry-num'] = String(retry.number);
        request.headers['x-slack-retry-reason'] = retryReasons[retry.reason] ?? 'http_error';
      }
      sent.set(payload.id, request);
      return post(request, attempt);
    },
    resend(payload, attempt) {
      const request = sent.get(payload.id);
      if (request === undefined) return Promise.resolve({ ok: false, error: 'dispatch_failed' });
      return post(request, attempt);
    },
    async verifyUrl() {
      const challenge = randomUUID();
      const body = { token: workspace.state.secrets.verificationToken, challenge, type: 'url_verification' };
      const attempt: Attempt = { atMs: workspace.nowMs(), reason: 'first', ackedMs: null, error: null };
      const answer = await post(sign(JSON.stringify(body), 'application/json'), attempt);
      if (!answer.ok) return false;
      return [asDict(answer.body).challenge, asDict(answer.body).text].includes(challenge);
    },
  };
  return delivery;
}

/** Parses Bolt's response: JSON, plain text (which the person sees), or nothing. */
function parseBody(text: string, contentType: string): unknown {
  if (text === '') return undefined;
  if (!contentType.startsWith('application/json')) return { text };
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}
