import type { IncomingHttpHeaders } from 'node:http';
import { asText, type Dict, isDict } from '../dict.ts';
import type { Workspace } from '../workspace.ts';
import { type SimMethod, SlackApiError } from './method.ts';

export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Dict;
}

const jsonType = 'application/json; charset=utf-8';

/** Reads form or JSON arguments, as Slack does; undefined for other content types. */
export function readArguments(contentType: string, body: string): Dict | undefined {
  if (contentType.startsWith('application/json')) {
    try {
      const value: unknown = JSON.parse(body === '' ? '{}' : body);
      return isDict(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
  if (contentType.startsWith('application/x-www-form-urlencoded') || body === '') {
    return Object.fromEntries(new URLSearchParams(body));
  }
  return undefined;
}

function checkToken(workspace: Workspace, method: SimMethod, token: string): void {
  if (method.token === 'none') return;
  const { secrets, isTokenRevoked, scopes } = workspace.state;
  if (token === '') throw new SlackApiError('not_authed');
  const isBot = token === secrets.botToken;
  const isApp = token === secrets.appToken;
  if (!isBot && !isApp) throw new SlackApiError('invalid_auth');
  if (isBot && isTokenRevoked) throw new SlackApiError('token_revoked');
  if (method.token !== 'any' && method.token !== (isBot ? 'bot' : 'app'))
    throw new SlackApiError('not_allowed_token_type');
  if (isBot && method.scopes.length > 0 && !method.scopes.some((scope) => scopes.includes(scope))) {
    throw new SlackApiError('missing_scope', { needed: method.scopes.join(','), provided: scopes.join(',') });
  }
}

export interface WebApiCall {
  method: string;
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  body: string;
}

export function createRouter(
  workspace: Workspace,
  methods: readonly SimMethod[],
  limit: (method: SimMethod, args: Dict) => number,
): (call: WebApiCall) => Reply {
  const byName = new Map(methods.map((method) => [method.name, method]));

  function answer(status: number, body: Dict, headers: Record<string, string> = {}): Reply {
    const scopes = { 'x-oauth-scopes': workspace.state.scopes.join(',') };
    const date = new Date(workspace.nowMs()).toUTCString();
    return { status, headers: { 'content-type': jsonType, date, ...scopes, ...headers }, body };
  }

  function handle(call: WebApiCall, args: Dict | undefined, token: string): Reply {
    const method = byName.get(call.method);
    if (method === undefined) return answer(200, { ok: false, error: 'unknown_method', req_method: call.method });
    const accepted = { 'x-accepted-oauth-scopes': method.scopes.join(',') };
    try {
      if (args === undefined) throw new SlackApiError('invalid_json');
      checkToken(workspace, method, token);
      const retryAfterS = limit(method, args);
      if (retryAfterS > 0)
        return answer(429, { ok: false, error: 'ratelimited' }, { 'retry-after': String(retryAfterS) });
      return answer(200, { ok: true, ...method.call(args, workspace) }, accepted);
    } catch (error) {
      if (!(error instanceof SlackApiError)) throw error;
      return answer(200, { ok: false, error: error.code, ...error.more }, accepted);
    }
  }

  return (call) => {
    const parsed = readArguments(call.headers['content-type'] ?? '', call.body);
    const { token: bodyToken, ...args } = { ...Object.fromEntries(call.query), ...parsed };
    const header = /^Bearer\s+(\S.*)$/i.exec(call.headers.authorization ?? '')?.[1];
    const reply = handle(call, parsed === undefined ? undefined : args, header ?? asText(bodyToken));
    const { ok, error, ts } = reply.body;
    workspace.requests.push({
      method: call.method,
      args,
      atMs: workspace.nowMs(),
      status: reply.status,
      ok: ok === true,
      error: typeof error === 'string' ? error : null,
      ts: typeof ts === 'string' ? ts : null,
    });
    if (workspace.requests.length > 10_000) workspace.requests.shift();
    return reply;
  };
}
