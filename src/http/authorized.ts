import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Access to internal figures: open on a local listener, otherwise by token. */
export interface Readers {
  readonly isLocal: boolean;
  readonly token: string | undefined;
}

export function mayRead({ isLocal, token }: Readers, request: Pick<IncomingMessage, 'headers'>): boolean {
  if (isLocal) return true;
  if (token === undefined) return false;
  const bearer = /^Bearer (\S{1,4096})$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(bearer), digest(token));
}

export function isLocalHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
