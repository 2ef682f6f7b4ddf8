import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { createExchange } from './exchange.ts';

export interface ProviderReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface InProcessRequest {
  readonly method: string;
  /** The path from the server's root, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
}

/** Handles a request without a socket; undefined if the provider would close the connection. */
export async function answerInProcess(
  exchange: ReturnType<typeof createExchange>,
  { method, path, headers, body }: InProcessRequest,
): Promise<ProviderReply | undefined> {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, url: path, headers, complete: true });
  if (body !== undefined) request.push(Buffer.from(body));
  request.push(null);
  const chunks: Buffer[] = [];
  const response = new ServerResponse(request);
  let reply: Omit<ProviderReply, 'text'> | undefined;
  Object.assign(response, {
    writeHead: (status: number, fields: Record<string, unknown>) => {
      const named = Object.entries(fields).map(([name, value]) => [name.toLowerCase(), String(value)]);
      reply = { status, headers: Object.fromEntries(named) };
      return response;
    },
    end: (chunk?: Buffer) => {
      if (chunk !== undefined) chunks.push(Buffer.from(chunk));
      return response;
    },
  });
  await exchange(request, response);
  return reply && { ...reply, text: Buffer.concat(chunks).toString('utf8') };
}
