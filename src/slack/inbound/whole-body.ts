import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';

/** What Slack sends is some kilobytes; a view with everything in it is at most 250 kB. */
const mostBytes = 1_024 * 1_024;

/** All of it; undefined when it is more than Slack ever sends. */
export async function wholeBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    // A stream without an encoding gives bytes.
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > mostBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/**
 * Whether Bolt may see it. It reads a property of what it parsed outside of any catch: a signed `null` would be an unhandled
 * rejection that ends the process (bolt 5.1, HTTPReceiver.js; found by test/crash/fuzz.test.ts).
 */
export function isObjectBody(body: Buffer, contentType: string | undefined): boolean {
  const text = body.toString();
  const isForm = contentType === 'application/x-www-form-urlencoded';
  const { payload } = isForm ? parse(text) : { payload: text };
  if (isForm && typeof payload !== 'string') return true;
  try {
    const value: unknown = JSON.parse(String(payload));
    return typeof value === 'object' && value !== null;
  } catch {
    // Bolt answers this itself, with 400, once the signature is checked.
    return true;
  }
}
