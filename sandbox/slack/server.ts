import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createChanges } from '../changes.ts';
import { claimPort } from '../claim-port.ts';
import { refuseForeign } from '../foreign-caller.ts';
import { originOf, readBody } from '../http.ts';
import { askedRecorder } from '../view-recorder.ts';
import { callSim, refuseControl } from './control/http.ts';
import { createSim, type SlackControl } from './control/sim.ts';
import { createDelivery } from './delivery/delivery.ts';
import { createHttpDelivery } from './delivery/http.ts';
import { createSocketMode } from './delivery/socket.ts';
import { createFaults } from './faults.ts';
import { useResponseUrl } from './response-url.ts';
import { createRuleSet, type RuleChoice } from './rules.ts';
import { createState, type SlackSeed } from './seed.ts';
import { parseState, type SlackState } from './state.ts';
import { blockMethods } from './web-api/blocks.ts';
import { chatMethods } from './web-api/chat.ts';
import { conversationMethods } from './web-api/conversations.ts';
import { fileMethods, storeUpload, uploadedBytes } from './web-api/files.ts';
import { peopleMethods } from './web-api/people.ts';
import { createRateLimiter } from './web-api/rates.ts';
import { createRouter, readArguments } from './web-api/router.ts';
import { connectionMethod, teamMethods } from './web-api/team.ts';
import { viewMethods } from './web-api/views.ts';
import type { SlackChange, Workspace } from './workspace.ts';

export interface SlackOptions extends RuleChoice {
  port?: number;
  host?: string;
  /** An earlier `snapshot()`, to continue from. */
  state?: unknown;
  delivery?: { mode: 'socket' } | { mode: 'http'; url: string };
  /** Apply Slack's real rate limits. */
  strictRates?: boolean;
  seed?: SlackSeed;
  /** Serves the control object under /_sim, to programs on this machine. */
  isControlServed?: boolean;
  /** Returns Unix ms, for triggers, response URLs, timestamps and signatures. */
  clock?: () => number;
  ackTimeoutMs?: number;
  /** How long a trigger opens a view. */
  triggerLifeMs?: number;
  pingMs?: number;
  /** The delays before retries of an unacknowledged event. */
  eventRetryMs?: readonly number[];
}

export interface SimulatedSlack {
  apiUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  teamId: string;
  botUserId: string;
  appId: string;
  port: number;
  sim: SlackControl;
  snapshot(): SlackState;
  close(): Promise<void>;
}

const maxBodyBytes = 50_000_000;
const slackRetriesMs = [1_000, 60_000, 300_000];

function send(response: ServerResponse, status: number, headers: Record<string, string>, body: string | Buffer): void {
  response.writeHead(status, headers);
  response.end(body);
}

const sendJson = (response: ServerResponse, status: number, body: unknown): void =>
  send(response, status, { 'content-type': 'application/json' }, JSON.stringify(body));

export async function startSlack(options: SlackOptions = {}): Promise<SimulatedSlack> {
  const { host = '127.0.0.1', ackTimeoutMs = 3_000, triggerLifeMs = 3_000, pingMs = 10_000 } = options;
  const { eventRetryMs = slackRetriesMs } = options;
  const nowMs = options.clock ?? Date.now;
  const state =
    options.state === undefined
      ? createState(options.seed ?? {}, Math.floor(nowMs() / 1000))
      : parseState(options.state);

  const server = createServer((request, response) => {
    if (workspace.faults.isDown) {
      request.socket.destroy();
      return;
    }
    handle(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (!response.headersSent) sendJson(response, 500, { ok: false, error: 'internal_error', message });
    });
  });

  const faults = createFaults();
  // The workspace and its delivery, transports and server refer to each other, so they are assigned below, before any
  // call.
  const workspace: Workspace = {
    state,
    nowMs,
    triggerLifeMs,
    origin: '',
    faults,
    rules: createRuleSet(options),
    lastAct: '',
    record: askedRecorder(),
    requests: [],
    ...createChanges<SlackChange>(),
    get delivery() {
      return delivery;
    },
  };
  const socketMode = createSocketMode(workspace, { ackTimeoutMs, pingMs });
  const http = createHttpDelivery(workspace, { ackTimeoutMs });
  http.url = options.delivery?.mode === 'http' ? options.delivery.url : null;
  const delivery = createDelivery(workspace, () => (http.url === null ? socketMode : http), { eventRetryMs });
  const sim = createSim(workspace, { socketMode, http });
  const limit = options.strictRates === true ? createRateLimiter(nowMs) : () => 0;
  const methods = [
    ...teamMethods,
    connectionMethod(socketMode),
    ...blockMethods,
    ...chatMethods,
    ...conversationMethods,
    ...peopleMethods,
    ...viewMethods,
    ...fileMethods,
  ];
  const route = createRouter(workspace, methods, limit);

  async function api(method: string, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request, maxBodyBytes);
    const fault = faults.strike(method);
    if (fault?.delayMs !== undefined) await pause(fault.delayMs);
    if (fault?.errorCode !== undefined || fault?.status !== undefined) {
      const status = fault.status ?? 200;
      const error = fault.errorCode ?? (status === 429 ? 'ratelimited' : 'internal_error');
      const after = status === 429 ? { 'retry-after': String(fault.retryAfterS ?? 1) } : {};
      workspace.requests.push({ method, args: {}, atMs: nowMs(), status, ok: false, error, ts: null });
      send(response, status, { 'content-type': 'application/json', ...after }, JSON.stringify({ ok: false, error }));
      return;
    }
    const reply = route({ method, headers: request.headers, query: url.searchParams, body: body.toString() });
    if (fault?.isAnswerLost === true) request.socket.destroy();
    else send(response, reply.status, reply.headers, JSON.stringify(reply.body));
  }

  function download(path: string, request: IncomingMessage, response: ServerResponse): void {
    const id = /^\/files-pri\/[A-Z0-9]+-([A-Z0-9]+)\//.exec(path)?.[1];
    const file = state.files.find((candidate) => candidate.id === id && candidate.isCompleted);
    const isAllowed = request.headers.authorization === `Bearer ${state.secrets.botToken}` && !state.isTokenRevoked;
    // Without a token Slack redirects to the login page.
    if (!isAllowed) send(response, 302, { location: `https://${state.team.domain}.slack.com/` }, '');
    else if (file === undefined) send(response, 404, {}, '');
    else send(response, 200, { 'content-type': file.mimetype }, Buffer.from(file.contentBase64, 'base64'));
  }

  async function upload(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await uploadedBytes(request.headers['content-type'] ?? '', await readBody(request, maxBodyBytes));
    const result = storeUpload(workspace, id, content);
    const status = { stored: 200, unknown: 404, 'wrong size': 400 }[result];
    send(response, status, { 'content-type': 'text/plain' }, status === 200 ? `OK - ${content.length}` : result);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', workspace.origin);
    const [, folder = '', name = '', ...rest] = url.pathname.split('/');
    const foreign = folder === '_sim' ? undefined : refuseForeign(request, host);
    if (foreign !== undefined) sendJson(response, 403, { ok: false, error: `Refused: ${foreign}.` });
    else if (folder === 'api') await api(name, url, request, response);
    else if (folder === 'upload') await upload(rest[0] ?? '', request, response);
    else if (folder === 'files-pri') download(url.pathname, request, response);
    else if (folder === 'response') {
      const body = readArguments(
        request.headers['content-type'] ?? '',
        (await readBody(request, maxBodyBytes)).toString(),
      );
      const reply = useResponseUrl(workspace, rest.at(-1) ?? '', body ?? {});
      sendJson(response, reply.status, reply.body);
    } else if (folder === '_sim' && options.isControlServed === true) {
      const refusal = refuseControl(request, port);
      if (refusal !== undefined) {
        sendJson(response, 403, { ok: false, error: `The control API refuses this request: ${refusal}.` });
        return;
      }
      const reply = await callSim(sim, name, (await readBody(request, maxBodyBytes)).toString());
      sendJson(response, reply.status, reply.body);
    } else send(response, 404, {}, '');
  }

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (refuseForeign(request, host) !== undefined) socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
    else socketMode.upgrade(request, socket, head);
  });
  const port = await claimPort(server, options.port ?? 0, host);
  workspace.origin = originOf(host, port);

  return {
    apiUrl: `${workspace.origin}/api/`,
    botToken: state.secrets.botToken,
    appToken: state.secrets.appToken,
    signingSecret: state.secrets.signingSecret,
    teamId: state.team.id,
    botUserId: state.app.botUserId,
    appId: state.app.id,
    port,
    sim,
    snapshot: () => structuredClone(state),
    async close() {
      delivery.close();
      socketMode.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
