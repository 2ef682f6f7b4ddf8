import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';

/**
 * Measures when a server of this process was at work, as seen by node itself: neither the server nor who asks it has to
 * be changed or slowed down by something in between.
 */
export interface Busy {
  /** Ms in which at least one request was being answered, since the last reset. */
  readonly ms: () => number;
  /** The most requests at once since the last reset. */
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
    // Sent, or cut off with its connection.
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
