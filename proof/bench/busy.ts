import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';

/**
 * Measures the time for which a server of this process handled requests, through Node's own events, so that neither the
 * server nor its clients are changed or slowed down.
 */
export interface Busy {
  /** Ms with at least one running request, since the last reset. */
  readonly ms: () => number;
  /** The most concurrent requests since the last reset. */
  readonly peak: () => number;
  readonly reset: () => void;
  readonly stop: () => void;
}

const begun = z.object({
  request: z.custom<IncomingMessage>(),
  response: z.custom<ServerResponse>(),
  socket: z.object({ localPort: z.number().optional() }),
});

export function watchBusy(port: number): Busy {
  const underWay = new Set<IncomingMessage>();
  let since = 0;
  let ms = 0;
  let peak = 0;
  const onStart = (message: unknown) => {
    const { request, response, socket } = begun.parse(message);
    if (socket.localPort !== port) return;
    if (underWay.size === 0) since = performance.now();
    underWay.add(request);
    peak = Math.max(peak, underWay.size);
    // The response was sent, or its connection closed.
    response.once('close', () => end(request));
  };
  const end = (request: IncomingMessage) => {
    if (underWay.delete(request) && underWay.size === 0) ms += performance.now() - since;
  };
  const start = channel('http.server.request.start');
  start.subscribe(onStart);
  return {
    ms: () => ms,
    peak: () => peak,
    reset: () => {
      ms = 0;
      peak = underWay.size;
    },
    stop: () => start.unsubscribe(onStart),
  };
}
