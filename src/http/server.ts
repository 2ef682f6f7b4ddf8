import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { clientOf } from '../core/account/ip-address.ts';
import { codeOf } from '../core/view/errors.ts';

/** A route of the HTTP server, which serves health, metrics, hooks, calls of machines, and in HTTP mode Slack's requests. */
export interface HttpRoute {
  readonly method: 'DELETE' | 'GET' | 'POST';
  /** An exact path, or everything below it if it ends in `/*`. */
  readonly path: string;
  readonly handler: (
    request: IncomingMessage,
    response: ServerResponse,
    isClosing?: () => boolean,
  ) => void | Promise<void>;
}

/** The limit for headers, which Slack and monitoring send in one packet, and how often Node checks it. */
const headersWithinMs = 3_000;
const checkHeadersEveryMs = 1_000;

export async function openServer(
  routes: readonly HttpRoute[],
  { port, host }: { readonly port: number; readonly host?: string | undefined },
  onError: (error: unknown) => void,
  onCrowded: (client: string) => void = () => {},
) {
  const server = createServer({ connectionsCheckingInterval: checkHeadersEveryMs }, (request, response) => {
    serve(routes, request, response, () => !server.listening).catch((error: unknown) => {
      // A client that disconnects during a body is not an error of the bot, and could fill the log.
      const isHungUp = !request.complete && (request.destroyed || codeOf(error) === 'ECONNRESET');
      if (!isHungUp) onError(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.requestTimeout = 30_000;
  server.headersTimeout = headersWithinMs;
  limitConnections(server, onCrowded);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(notListening(error, port, host)));
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      server.on('error', onError);
      resolve();
    });
  });
  // The address of a listening TCP server has a port.
  const { port: bound } = server.address() as AddressInfo;
  return { port: bound, close: (withinMs: number) => close(server, withinMs) };
}

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has it; set PORT or HOSTLER_METRICS_PORT to another',
  EACCES: 'this user may not use it; set PORT or HOSTLER_METRICS_PORT to one above 1023',
  EADDRNOTAVAIL: 'this machine does not have that address; set HOSTLER_HOST or HOSTLER_METRICS_HOST to one that it has',
  ENOTFOUND: 'no address has that name; set HOSTLER_HOST or HOSTLER_METRICS_HOST to one of this machine',
};

function notListening(error: Error, port: number, host = 'all addresses'): Error {
  return new Error(`starting: listening on port ${port} of ${host}: ${remedies[codeOf(error)] ?? error.message}`, {
    cause: error,
  });
}

async function serve(routes: readonly HttpRoute[], ...call: Parameters<HttpRoute['handler']>): Promise<void> {
  const [request, response] = call;
  // The raw path is compared: parsing would accept other spellings, such as `/./` and `%2e%2e`.
  const [path = '/'] = (request.url ?? '/').split('?');
  const here = routes.filter(({ path: at }) => (at.endsWith('/*') ? path.startsWith(at.slice(0, -1)) : path === at));
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const route = here.find((candidate) => candidate.method === method);
  if (route !== undefined) return route.handler(...call);
  if (here.length > 0) return sendText(response, 405, 'This address accepts another method.');
  sendText(response, 404, 'There is nothing at this address.');
}

export function sendText(response: ServerResponse, status: number, text: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${text}\n`);
}

async function close(server: Server, withinMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearTimeout(timer);
}

/** The most connections of all clients together. */
const most = 1_000;
const betweenNoticesMs = 60_000;

interface Open {
  readonly client: string;
  hasSentHeaders: boolean;
}

/**
 * Prevents one client from locking out the others: at the limit, each new connection closes one of the client with the
 * most. Node's own `server.maxConnections` refuses the new connection instead. `onCrowded` is called with that client,
 * at most once a minute.
 */
function limitConnections(server: Server, onCrowded: (client: string) => void): void {
  const open = new Map<Socket, Open>();
  let noticedAt = Number.NEGATIVE_INFINITY;
  server.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      const [closed, client] = toClose(open);
      if (closed !== undefined) open.delete(closed);
      closed?.destroy();
      if (performance.now() - noticedAt >= betweenNoticesMs) {
        noticedAt = performance.now();
        onCrowded(client);
      }
    }
    open.set(socket, { client: clientOf(socket.remoteAddress), hasSentHeaders: false });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }) => {
    const opened = open.get(socket);
    if (opened !== undefined) opened.hasSentHeaders = true;
  });
}

/**
 * The connection to close, of the client with the most: its oldest that has sent no headers, or else its oldest. A map
 * keeps the order of insertion.
 */
function toClose(open: ReadonlyMap<Socket, Open>): readonly [Socket | undefined, string] {
  const [client, own] = [...Map.groupBy(open, ([, of]) => of.client)].reduce((a, b) =>
    b[1].length > a[1].length ? b : a,
  );
  const [socket] = own.find(([, { hasSentHeaders }]) => !hasSentHeaders) ?? own[0] ?? [];
  return [socket, client];
}
