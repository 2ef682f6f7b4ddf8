import { setTimeout as pause } from 'node:timers/promises';
import { type App, SocketModeReceiver } from '@slack/bolt';
import { aside } from '../../core/async/aside.ts';
import { within } from '../../core/async/within.ts';
import type { Log } from '../../engine/context/dependencies.ts';
import { backoffMs, type Fault, faultOf, sayFault } from '../faults.ts';
import { boltLogger } from '../slack-log.ts';
import { clientOptions } from '../web.ts';

const wanted = 2;
const stopWithinMs = 2_000;

/**
 * Two Socket Mode connections, so that Slack's refresh of one leaves no gap. This file reconnects them and not the SDK,
 * which waits five seconds, gives up for good after one failed request, and turns `invalid_auth` into an unhandled
 * rejection that ends the process (socket-mode 3.1.0, SocketModeClient.js).
 */
export function createSockets(app: App, appToken: string, apiUrl: string | undefined, log: Log) {
  const connected = new Set<SocketModeReceiver['client']>();
  let lastError: string | undefined;
  const stopping = new AbortController();

  const receivers = Array.from({ length: wanted }, () => {
    const receiver = new SocketModeReceiver({
      appToken,
      logger: boltLogger(log),
      autoReconnectEnabled: false,
      clientPingTimeout: 5_000,
      // Each receiver gets its own options, since the SDK writes its token and retries into the object.
      installerOptions: { clientOptions: clientOptions(log, apiUrl) },
    });
    receiver.init(app);
    return receiver;
  });

  /** Logs once for each cause, not for each attempt. */
  const note = (fault: Fault, why: string) => {
    if (why === lastError) return;
    lastError = why;
    if (fault.kind !== 'revoked') return log.warn({ why }, 'no connection to Slack; retrying');
    log.error(
      { why },
      'no connection to Slack: nobody can reach the bot until an admin sets a working SLACK_APP_TOKEN',
    );
  };

  /** Connects, waits until the connection ends, and reconnects. */
  async function keepConnected(client: SocketModeReceiver['client'], onFirst: (error?: unknown) => void) {
    let failures = 0;
    while (!stopping.signal.aborted) {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      client.once('disconnected', end);
      try {
        await client.start();
        if (stopping.signal.aborted) {
          aside(client.disconnect(), log, 'closing a socket');
          return;
        }
        failures = 0;
        connected.add(client);
        if (lastError !== undefined) log.info({}, 'connected to Slack again');
        lastError = undefined;
        onFirst();
        await ended;
      } catch (error) {
        // The SDK rejects without an error when a socket closes before its hello.
        const fault = error === undefined ? ({ kind: 'away', why: 'the socket closed' } as const) : faultOf(error);
        const why = fault.kind === 'revoked' ? `Slack refuses the app-level token: ${fault.code}` : sayFault(fault);
        onFirst(new Error(why));
        note(fault, why);
        failures += 1;
        // The first wait is half a second, since only reconnecting ends the outage.
        await pause(backoffMs(fault, failures - 2) * (0.75 + Math.random() / 2), undefined, {
          signal: stopping.signal,
        }).catch(() => {});
      } finally {
        connected.delete(client);
        client.off('disconnected', end);
      }
    }
  }

  let loops: Promise<void>[] = [];
  return {
    /** Resolves when one socket is connected, or rejects with the error of a first attempt. */
    start: async () => {
      const first = receivers.map(
        ({ client }) =>
          new Promise<void>((resolve, reject) => {
            loops.push(keepConnected(client, (error) => (error === undefined ? resolve() : reject(error))));
          }),
      );
      // One connection is enough for the start; the other follows.
      await Promise.any(first).catch((error: AggregateError) => {
        throw error.errors[0];
      });
    },
    stop: async () => {
      stopping.abort();
      // A client that is still connecting stops by itself: the SDK would report its interruption as an error.
      for (const client of connected) aside(client.disconnect(), log, 'closing a socket');
      await within(Promise.allSettled(loops), stopWithinMs);
      loops = [];
    },
    state: () => ({ connected: connected.size, wanted, lastError }),
  };
}
