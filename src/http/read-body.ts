import type { IncomingMessage } from 'node:http';
import { within } from '../core/async/within.ts';

interface BodyLimits {
  readonly mostBytes: number;
  /** The time limit from the call to the last byte. */
  readonly withinMs: number;
}

/** Reads a whole body. Stops at the limits, regardless of the announced length, and leaves the rest unread. */
export async function readBody(request: IncomingMessage, { mostBytes, withinMs }: BodyLimits) {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return 'too_large';
  const read = await within(bytesWithin(request.iterator({ destroyOnReturn: false }), mostBytes), withinMs);
  if (read.kind === 'failed') throw read.error;
  return read.kind === 'late' ? 'too_slow' : read.value;
}

/** Reads a stream without an encoding, which yields buffers. */
export async function bytesWithin(stream: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer | 'too_large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > mostBytes) return 'too_large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The header that ends the connection if the response is sent before the whole body was read. */
export function closing(request: IncomingMessage): { readonly connection?: 'close' } {
  return request.complete ? {} : { connection: 'close' };
}
