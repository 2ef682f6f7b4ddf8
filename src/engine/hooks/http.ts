import type { Json } from '../../core/text/json.ts';

export const hookBodyMostBytes = 256 * 1024;

/**
 * A POST to `/hooks/…`, independent of the HTTP server. The body is read on demand, so that a post to an unknown
 * address is refused without it.
 */
export interface HookRequest {
  /** `/hooks/alertmanager/<token>` */
  readonly path: string;
  /** The provider's header over the raw body. */
  readonly signature: string | undefined;
  /** `content-encoding`. */
  readonly encoding: string | undefined;
  /** Stops reading at a limit. */
  readonly read: (mostBytes: number) => Promise<Uint8Array | Unread>;
}

/** A call of a machine, to `/api/…` or `/mcp`. */
export interface CallRequest extends Omit<HookRequest, 'signature'> {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** True once the caller has closed the connection, or the bot stops. */
  readonly isGone: () => boolean;
}

type Unread = 'too_large' | 'too_slow';

export interface HookAnswer {
  readonly status: number;
  readonly body: Json;
  /** The whole body, if it is not JSON. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const notTaken = (status: number, error: string): HookAnswer => ({ status, body: { error } });

/** The responses to a body that was not read to its end. */
export const unread: Readonly<Record<Unread, HookAnswer>> = {
  too_large: notTaken(
    413,
    `The body is larger than ${hookBodyMostBytes} bytes. Let the sender group less into one message.`,
  ),
  too_slow: notTaken(408, 'The body did not arrive in time. Post it again.'),
};

/** No sender nests deeper. Parsing 250 kB of brackets would hold the event loop. */
export const mostDepth = 100;

/** Undefined unless the body is JSON in UTF-8 that nests no deeper. */
export function readJson(body: Uint8Array): unknown {
  if (depthOf(body) > mostDepth) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** How deep the brackets of a JSON text nest. */
function depthOf(json: Uint8Array): number {
  let [depth, most, isText] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const sign = String.fromCharCode(json[at] ?? 0);
    if (sign === '"') isText = !isText;
    else if (isText) at += sign === '\\' ? 1 : 0;
    else if (sign === '[' || sign === '{') most = Math.max(most, ++depth);
    else if (sign === ']' || sign === '}') depth -= 1;
  }
  return most;
}
