import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { secret, type Workspace } from '../workspace.ts';
import type { Attempt, DeliveryAnswer, DeliveryTransport, Payload } from './types.ts';

const maxConnections = 10;
const ticketLifeMs = 30_000;
/** The time after its first delivery for which an envelope of a broken connection is redelivered. */
const redeliveryWindowMs = 30_000;

interface Envelope {
  id: string;
  payload: Payload;
  attempt: Attempt;
  text: string;
  connection: WebSocket | null;
  sentAt: number;
  firstSentAt: number;
  answer(answer: DeliveryAnswer): void;
}

export interface SocketOptions {
  ackTimeoutMs: number;
  pingMs: number;
}

export interface SocketMode extends DeliveryTransport {
  /** Returns an address to which a client can connect once. */
  issueUrl(): string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  connections(): number;
  /** Terminates all connections without a closing handshake. */
  drop(): void;
  /** Refreshes connections as Slack does every few hours: a warning, then a request for a new connection. */
  refresh(options?: { isWarned?: boolean }): void;
  /** Turns Socket Mode on or off, as in the app's settings. */
  setEnabled(isEnabled: boolean): void;
  isEnabled(): boolean;
  close(): void;
}

const acknowledgement = z.object({ envelope_id: z.string(), payload: z.unknown().optional() });

export function createSocketMode(workspace: Workspace, options: SocketOptions): SocketMode {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Map<string, number>();
  const open: WebSocket[] = [];
  /** Sent envelopes without an acknowledgement. A fault may send the same envelope twice. */
  const waiting = new Set<Envelope>();
  /** Envelopes of a broken connection, while no other connection is open. */
  const stranded = new Set<Envelope>();
  const lastByPayload = new Map<string, Envelope>();
  let nextConnection = 0;
  let isOn = true;
  let isClosed = false;

  const debugInfo = { host: 'applink-sandbox-1', build_number: 1, approximate_connection_time: 18_060 };

  function place(envelope: Envelope): boolean {
    const connection = open[nextConnection % Math.max(open.length, 1)];
    if (connection === undefined) return false;
    nextConnection += 1;
    envelope.connection = connection;
    envelope.sentAt = performance.now();
    waiting.add(envelope);
    lastByPayload.set(envelope.payload.id, envelope);
    connection.send(envelope.text);
    return true;
  }

  function send(payload: Payload, attempt: Attempt, id: string, text: string): Promise<DeliveryAnswer> {
    return new Promise((resolve) => {
      const envelope: Envelope = {
        id,
        payload,
        attempt,
        text,
        connection: null,
        sentAt: 0,
        firstSentAt: performance.now(),
        answer(answer) {
          clearTimeout(timer);
          resolve(answer);
        },
      };
      const timer = setTimeout(() => envelope.answer({ ok: false, error: 'operation_timeout' }), options.ackTimeoutMs);
      timer.unref();
      if (!place(envelope)) envelope.answer({ ok: false, error: 'dispatch_failed' });
    });
  }

  function onMessage(connection: WebSocket, data: string): void {
    const parsed = acknowledgement.safeParse(parseJson(data));
    if (!parsed.success) return;
    const id = parsed.data.envelope_id;
    // A retry has the id of the earlier attempt, which may have timed out, so the last one is acknowledged.
    const envelope = [...waiting].findLast((candidate) => candidate.id === id && candidate.connection === connection);
    if (envelope === undefined) return;
    const faults = workspace.faults.delivery;
    if (faults.acksToLose > 0) {
      faults.acksToLose -= 1;
      return;
    }
    envelope.attempt.ackedMs = performance.now() - envelope.sentAt;
    waiting.delete(envelope);
    const accepts = envelope.payload.kind !== 'events_api';
    envelope.answer({ ok: true, body: accepts ? parsed.data.payload : undefined });
    workspace.changed({ kind: 'delivery', id: envelope.payload.id });
  }

  function onClose(connection: WebSocket): void {
    const index = open.indexOf(connection);
    if (index >= 0) open.splice(index, 1);
    for (const envelope of [...waiting]) {
      if (envelope.connection !== connection) continue;
      waiting.delete(envelope);
      if (!isClosed) stranded.add(envelope);
    }
    redeliver();
  }

  function redeliver(): void {
    for (const envelope of [...stranded]) {
      if (performance.now() - envelope.firstSentAt > redeliveryWindowMs) stranded.delete(envelope);
      else if (open.length > 0) {
        stranded.delete(envelope);
        envelope.attempt.error ??= 'connection_closed';
        envelope.attempt = workspace.delivery.attempted(envelope.payload, 'redelivered');
        place(envelope);
      }
    }
  }

  function accept(connection: WebSocket): void {
    connection.on('error', () => connection.terminate());
    connection.on('close', () => onClose(connection));
    connection.on('message', (data, isBinary) => {
      if (!isBinary) onMessage(connection, data.toString());
    });
    if (open.length >= maxConnections) {
      connection.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets', debug_info: debugInfo }));
      connection.close(1000);
      return;
    }
    open.push(connection);
    connection.send(
      JSON.stringify({
        type: 'hello',
        num_connections: open.length,
        debug_info: debugInfo,
        connection_info: { app_id: workspace.state.app.id },
      }),
    );
    redeliver();
  }

  const pings = setInterval(() => {
    for (const connection of open) connection.ping(`Ping from ${debugInfo.host}`);
  }, options.pingMs);
  pings.unref();

  const disconnect = (connection: WebSocket, reason: string): void =>
    connection.send(JSON.stringify({ type: 'disconnect', reason, debug_info: debugInfo }));

  return {
    send(payload, retry, attempt) {
      const id = randomUUID();
      const text = JSON.stringify({
        envelope_id: id,
        payload: payload.body,
        type: payload.kind,
        accepts_response_payload: payload.kind !== 'events_api',
        ...(payload.kind === 'events_api'
          ? { retry_attempt: retry.number, retry_reason: retry.number === 0 ? '' : 'timeout' }
          : {}),
      });
      return send(payload, attempt, id, text);
    },
    resend(payload, attempt) {
      const last = lastByPayload.get(payload.id);
      if (last === undefined) return Promise.resolve({ ok: false, error: 'dispatch_failed' });
      return send(payload, attempt, last.id, last.text);
    },
    issueUrl() {
      const ticket = secret(16);
      tickets.set(ticket, workspace.nowMs());
      return `${workspace.origin.replace(/^http/, 'ws')}/link/?ticket=${ticket}&app_id=${workspace.state.app.id}`;
    },
    upgrade(request, socket, head) {
      const url = new URL(request.url ?? '/', workspace.origin);
      const ticket = url.searchParams.get('ticket') ?? '';
      const issuedAtMs = tickets.get(ticket);
      tickets.delete(ticket);
      const isGood = issuedAtMs !== undefined && workspace.nowMs() - issuedAtMs <= ticketLifeMs;
      if (workspace.faults.isDown) {
        socket.destroy();
        return;
      }
      if (url.pathname !== '/link/' || !isGood || !isOn) {
        socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, accept);
    },
    connections: () => open.length,
    drop() {
      for (const connection of [...open]) connection.terminate();
    },
    refresh({ isWarned = false } = {}) {
      for (const connection of open) disconnect(connection, isWarned ? 'warning' : 'refresh_requested');
    },
    setEnabled(isEnabled) {
      isOn = isEnabled;
      if (isEnabled) return;
      for (const connection of open) disconnect(connection, 'link_disabled');
    },
    isEnabled: () => isOn,
    close() {
      isClosed = true;
      clearInterval(pings);
      for (const connection of [...open]) connection.terminate();
      server.close();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
