import type { Dispatcher, Pool } from 'undici';
import type { Effect, HttpMethod } from './endpoint.ts';

export interface Limits {
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly maxBodyBytes: number;
}

export interface ProviderCall {
  readonly effect: Effect;
  readonly method: HttpMethod;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly mayStillSend: (() => boolean) | undefined;
}

/** How one request went on the wire. `unsent` is certain: not a byte of it left. */
export type Exchange =
  | { readonly end: 'unsent' | 'unanswered'; readonly error: Error }
  | {
      readonly end: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly text: string;
      /** The answer began but did not arrive whole. */
      readonly broken: Error | undefined;
      /** It would have gone on beyond `maxBodyBytes`. */
      readonly isTooLong: boolean;
    };

/**
 * One request and its answer, by undici's handler interface, because only there is it certain whether a request was
 * written: `onRequestStart` comes before the first byte. Never rejects.
 */
export function exchange(pool: Pool, call: ProviderCall, limits: Limits): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let controller: Dispatcher.DispatchController | undefined;
    let answer: Pick<Extract<Exchange, { end: 'answered' }>, 'status' | 'headers'> | undefined;
    let isOver = false;
    let timer = setTimeout(
      () => stop(new Error(`no connection within ${limits.connectTimeoutMs} ms`)),
      limits.connectTimeoutMs,
    );

    /** The first end counts: a promise is resolved once. */
    function end(error?: Error) {
      isOver = true;
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', giveUp);
      if (answer !== undefined) {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ end: 'answered', ...answer, text, broken: error, isTooLong: bytes > limits.maxBodyBytes });
      } else {
        const reason = error ?? new Error('the connection ended without an answer');
        resolve({ end: controller === undefined ? 'unsent' : 'unanswered', error: reason });
      }
    }
    function stop(reason: Error) {
      end(reason);
      controller?.abort(reason);
    }
    function giveUp() {
      stop(new Error('the caller gave up waiting'));
    }
    if (call.signal?.aborted === true) return giveUp();
    call.signal?.addEventListener('abort', giveUp);

    const { method, path, headers, body = null } = call;
    // Our own clock ends a call long before undici's timeouts of minutes, and counts the whole body rather than each chunk.
    pool.dispatch(
      { method, path, headers, body, reset: call.effect === 'write' },
      {
        onRequestStart(its) {
          // undici puts a request back in its queue when some kinds of socket errors interrupt it. A write never goes
          // out a second time, and nothing goes out for which nobody waits any more.
          if (isOver || (controller !== undefined && call.effect === 'write')) {
            const reason = new Error('the connection was reset');
            its.abort(reason);
            return end(reason);
          }
          // A process that was frozen wakes up here: by now others may have said that it was not sent.
          if (call.effect === 'write' && call.mayStillSend?.() === false) {
            const reason = new Error('not sent: too long after it was begun');
            its.abort(reason);
            return end(reason);
          }
          controller = its;
          clearTimeout(timer);
          timer = setTimeout(
            () => stop(new Error(`no answer within ${limits.headersTimeoutMs} ms`)),
            limits.headersTimeoutMs,
          );
        },
        onResponseStart(_, status, responseHeaders) {
          if (status < 200) return;
          answer = { status, headers: responseHeaders };
          clearTimeout(timer);
          timer = setTimeout(
            () => stop(new Error(`the answer was not complete within ${limits.bodyTimeoutMs} ms`)),
            limits.bodyTimeoutMs,
          );
        },
        onResponseData(_, chunk) {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > limits.maxBodyBytes) stop(new Error(`the answer is longer than ${limits.maxBodyBytes} bytes`));
        },
        onResponseEnd() {
          end();
        },
        onResponseError(_, error) {
          end(error);
        },
      },
    );
  });
}
