import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { z } from 'zod';
import { root } from '../../src/root.ts';
import { isOurHost } from '../foreign-caller.ts';
import { readBody } from '../http.ts';
import { SimulationError } from '../slack/simulation-error.ts';
import type { SimPerson } from '../slack/state.ts';
import { findPerson } from '../slack/workspace.ts';
import type { Live } from './live.ts';
import type { PageContext } from './parts.ts';

/** Serves the page, its stream and its acts. Refuses requests of other pages in the machine's browsers. */

export interface PageParts {
  readonly scene: PageContext;
  readonly live: Live;
  readonly acts: Readonly<Record<string, (person: string, input: unknown) => unknown>>;
  readonly startOver: () => Promise<void>;
}

const folder = join(root, 'sandbox/page');
const mimetypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const pictures = new Set(['image/png', 'image/jpeg', 'image/gif']);
/** Content types that other sites' pages can send without a preflight request. */
const formTypes = /^(text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)/i;
const uploadMaxBytes = 5 * 1024 * 1024;
/** Limit for bodies without Content-Length. */
const bodyMaxBytes = 50_000_000;

const everywhere = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

interface Asset {
  readonly body: Buffer;
  readonly type: string;
  readonly tag: string;
}

function readAssets(): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(folder)) {
    const type = mimetypes[extname(name)];
    if (type === undefined) continue;
    const source = readFileSync(join(folder, name));
    const body = ['.js', '.css'].includes(extname(name)) ? Buffer.from(lean(source.toString())) : source;
    assets.set(name, { body, type, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"` });
  }
  return assets;
}

/**
 * Removes indentation and comments of whole lines, but keeps the lines, so that line numbers stay. A test checks that
 * no string in the page's scripts spans several lines.
 */
function lean(text: string): string {
  return text
    .replace(/^[ \t]*\/\*[\s\S]*?\*\/$/gm, (comment) => comment.replace(/[^\n]+/g, ''))
    .replace(/^[ \t]*\/\/ .*$/gm, '')
    .replace(/^[ \t]+/gm, '');
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string | Buffer,
): undefined {
  response.writeHead(status, { ...everywhere, 'cache-control': 'no-store', ...headers });
  response.end(body);
}

const sendJson = (response: ServerResponse, status: number, body: unknown): undefined =>
  send(response, status, { 'content-type': 'application/json' }, JSON.stringify(body));

function isFromOurPage(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin !== undefined) return URL.parse(origin)?.host === host;
  return request.method === 'GET';
}

/**
 * Creates the server without its parts: it listens first, so that a port in use is noticed before anything else starts.
 */
export function createPageServer(host: string): { server: Server; begin: (parts: PageParts) => void } {
  const assets = readAssets();
  let parts: PageParts | undefined;

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const isTheirs = error instanceof SimulationError || error instanceof z.ZodError;
      const words =
        error instanceof z.ZodError ? z.prettifyError(error) : String(error instanceof Error ? error.message : error);
      if (response.headersSent) response.destroy();
      else sendJson(response, isTheirs ? 409 : 500, { error: words });
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://page');
    if (!isOurHost(request.headers.host, host) || !isFromOurPage(request)) {
      return sendJson(response, 403, { error: 'Only the sandbox page itself may ask this.' });
    }
    if (request.method === 'POST' && formTypes.test(request.headers['content-type'] ?? '')) {
      return sendJson(response, 415, { error: 'The sandbox takes no forms and no plain text.' });
    }
    const [, area = '', name = ''] = url.pathname.split('/');
    if (parts === undefined) return send(response, 503, { 'retry-after': '1' }, 'The sandbox is starting.');
    if (request.method === 'POST' && area === 'act') return act(parts, name, url, request, response);
    if (request.method === 'POST' && area === 'upload') return upload(parts, url, request, response);
    if (request.method === 'POST' && area === 'start-over') {
      await parts.startOver();
      return sendJson(response, 200, {});
    }
    if (request.method !== 'GET') return send(response, 405, { allow: 'GET, POST' }, '');
    if (area === 'live') return stream(parts, url, response);
    if (area === 'files') return file(parts, name, url, response);
    return asset(name === '' ? area || 'index.html' : '', request, response);
  }

  function asset(name: string, request: IncomingMessage, response: ServerResponse): undefined {
    const asset = assets.get(name);
    if (asset === undefined) return send(response, 404, { 'content-type': 'text/plain' }, 'There is nothing here.');
    const headers = { 'content-type': asset.type, etag: asset.tag, 'cache-control': 'no-cache' };
    if (request.headers['if-none-match'] === asset.tag) return send(response, 304, headers, '');
    send(response, 200, headers, asset.body);
  }

  server.on('clientError', (_error, socket) => socket.destroy());
  return {
    server,
    begin(begun) {
      parts = begun;
    },
  };
}

const bodySchema = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'a JSON body is needed' });
    return z.NEVER;
  }
});

/** The person at the page, by handle or id. */
const personOf = ({ slack }: PageContext, url: URL): SimPerson | undefined =>
  findPerson(slack.sim.state(), url.searchParams.get('as') ?? '');

async function act(
  { acts, scene }: PageParts,
  name: string,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const run = Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (run === undefined) return sendJson(response, 404, { error: `There is no act ${name}.` });
  if (request.headers['content-type'] !== 'application/json')
    return sendJson(response, 415, { error: 'An act is sent as application/json.' });
  const input = bodySchema.parse((await readBody(request, bodyMaxBytes)).toString());
  const person = personOf(scene, url);
  if (person === undefined) return sendJson(response, 409, { error: 'This person is not in the workspace.' });
  sendJson(response, 200, (await run(person.id, input)) ?? {});
}

async function upload({ scene }: PageParts, url: URL, request: IncomingMessage, response: ServerResponse) {
  const { sim } = scene.slack;
  const person = personOf(scene, url)?.id ?? '';
  if (request.headers['content-type'] !== 'application/octet-stream')
    return sendJson(response, 415, { error: 'A file is sent as application/octet-stream.' });
  if (Number(request.headers['content-length'] ?? 0) > uploadMaxBytes)
    return sendJson(response, 413, { error: 'The sandbox takes files of up to 5 MB.' });
  const bytes = await readBody(request, bodyMaxBytes);
  const name = (url.searchParams.get('name') ?? '').replace(/[\p{Cc}/\\]/gu, '_').slice(0, 200) || 'file';
  const channel = url.searchParams.get('channel');
  const id = channel === null ? sim.attach(person, name, bytes) : sim.upload(person, channel, name, bytes);
  sendJson(response, 200, { id, name, size: bytes.length });
}

function stream({ scene, live }: PageParts, url: URL, response: ServerResponse): undefined {
  const person = personOf(scene, url);
  if (person === undefined || person.isBot)
    return sendJson(response, 404, { error: 'This person is not in the workspace.' });
  response.writeHead(200, { ...everywhere, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  live.open(response, person.id);
}

/** Serves a file as Slack does: to its uploader, and to people in a channel with it. */
function file({ scene }: PageParts, id: string, url: URL, response: ServerResponse): undefined {
  const state = scene.slack.sim.state();
  const person = personOf(scene, url)?.id ?? '';
  const stored = state.files.find((candidate) => candidate.id === id && candidate.isCompleted);
  const channels = stored?.shares.map((share) => share.channel) ?? [];
  const isSeen =
    stored?.userId === person ||
    (stored?.userId === state.app.botUserId && channels.length === 0) ||
    state.channels.some((channel) => channels.includes(channel.id) && channel.members.includes(person));
  if (stored === undefined || !isSeen) return send(response, 404, { 'content-type': 'text/plain' }, 'No such file.');
  const isPicture = pictures.has(stored.mimetype);
  send(
    response,
    200,
    {
      'content-type': isPicture ? stored.mimetype : 'application/octet-stream',
      'content-disposition': `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(stored.name)}`,
      'content-security-policy': "default-src 'none'; sandbox",
    },
    scene.slack.sim.fileContent(id),
  );
}
