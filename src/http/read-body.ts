import type { IncomingMessage } from 'node:http';
import { within } from '../core/async/within.ts';

interface BodyLimits {
  readonly mostBytes: number;
  /** From now to its last byte. */
  readonly withinMs: number;
}

/** All of a body. Stops at its limits, whatever length was announced; what is left of it is not read. */
export async function readBody(
  request: IncomingMessage,
  { mostBytes, withinMs }: BodyLimits,
): Promise<Buffer | 'too_large' | 'too_slow'> {
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return 'too_large';
  const read = await within(collect(request, mostBytes), withinMs);
  if (read.kind === 'failed') throw read.error;
  return read.kind === 'late' ? 'too_slow' : read.value;
}

async function collect(request: IncomingMessage, mostBytes: number): Promise<Buffer | 'too_large'> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    // Without an encoding set, a request gives buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > mostBytes) return 'too_large';
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** An answer before all of a body was read also ends the connection: nobody waits for the rest. */
export function closing(request: IncomingMessage): { readonly connection?: 'close' } {
  return request.complete ? {} : { connection: 'close' };
}
