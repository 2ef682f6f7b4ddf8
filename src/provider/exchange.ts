import type { Dispatcher, Pool } from 'undici';
import type { UploadedFile } from '../core/command/bot-port.ts';
import { suspendedWords } from '../core/view/errors.ts';
import type { Effect, EndpointRoute, HttpMethod } from './endpoint.ts';
import { maxRead } from './error-words.ts';

export interface ProviderRequest {
  readonly endpoint: EndpointRoute;
  readonly effect: Effect;
  readonly method: HttpMethod;
  /** The path after the base URL, with the query, and with slashes exactly as in the endpoint table. */
  readonly path: string;
  readonly body?: { readonly json: unknown } | { readonly form: Readonly<Record<string, UploadedFile>> };
  readonly answers: 'json' | 'text' | 'nothing';
  /** Ends the wait. A write that was already sent is then `lost`, since it may have taken effect. */
  readonly signal?: AbortSignal;
  /** Called right before the first byte; false guarantees that nothing is sent. */
  readonly mayStillSend?: () => boolean;
  /** True if the caller already holds a slot (Transport.takeWriteSlot). */
  readonly hasSlot?: boolean;
  readonly isPage?: boolean;
  readonly onBytes?: (length: number) => void;
  /** Called with the text of the response; true skips parsing and yields undefined. */
  readonly isKnown?: (text: string) => boolean;
}

export interface Limits {
  readonly connectTimeoutMs: number;
  /** From sending the request to the first line of the response. */
  readonly headersTimeoutMs: number;
  /** From the first line of the response to its end. */
  readonly bodyTimeoutMs: number;
  readonly maxBodyBytes: number;
}

export interface ProviderCall extends Pick<ProviderRequest, 'effect' | 'method' | 'path' | 'signal' | 'mayStillSend'> {
  readonly headers: Record<string, string>;
  readonly body: Uint8Array | string | undefined;
}

/** The outcome of one request on the wire. `unsent` guarantees that no byte of it left. */
export type Exchange =
  | { readonly end: 'unsent' | 'unanswered'; readonly error: Error }
  | {
      readonly end: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly text: string;
      /** The error that interrupted the response. */
      readonly broken: Error | undefined;
      /** The response is longer than `maxBodyBytes`. */
      readonly isTooLong: boolean;
    };

/**
 * Sends one request and reads its response. Uses undici's handler interface, because only it shows whether a request
 * was written: `onRequestStart` comes before the first byte. Never rejects.
 */
export function exchange(pool: Pool, call: ProviderCall, limits: Limits): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let controller: Dispatcher.DispatchController | undefined;
    let answer: Pick<Extract<Exchange, { end: 'answered' }>, 'status' | 'headers'> | undefined;
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;

    function limit(ms: number, words: string) {
      clearTimeout(timer);
      timer = setTimeout(() => stop(new Error(`${words} within ${ms} ms`)), ms);
    }
    /** Only the first call counts, since a promise resolves once. */
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
    function refuse(started: Dispatcher.DispatchController, why: string) {
      const reason = new Error(why);
      started.abort(reason);
      end(reason);
    }
    const giveUp = () => stop(new Error('the caller gave up waiting'));
    limit(limits.connectTimeoutMs, 'no connection');
    if (call.signal?.aborted === true) return giveUp();
    call.signal?.addEventListener('abort', giveUp);

    const { method, path, headers, body = null } = call;
    // The timers here end a call long before undici's timeouts of minutes, and limit the whole body, not each chunk.
    pool.dispatch(
      { method, path, headers, body, reset: call.effect === 'write' },
      {
        onRequestStart(started) {
          // undici requeues a request that some kinds of socket errors interrupt. A write must not be sent a second
          // time, and a call that is over must not be sent at all.
          if (isOver || (controller !== undefined && call.effect === 'write')) {
            return refuse(started, 'the connection was reset');
          }
          // After a freeze of this process, another process may already have reported the write as not sent.
          if (call.effect === 'write' && call.mayStillSend?.() === false) {
            return refuse(started, suspendedWords);
          }
          controller = started;
          limit(limits.headersTimeoutMs, 'no answer');
        },
        onResponseStart(_, status, responseHeaders) {
          if (status < 200) return;
          answer = { status, headers: responseHeaders };
          limit(limits.bodyTimeoutMs, 'the answer was not complete');
        },
        onResponseData(_, chunk) {
          if (isOver) return;
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > limits.maxBodyBytes) stop(new Error(`the answer is longer than ${limits.maxBodyBytes} bytes`));
          // Reading all of an error page of 8 MB would hold the event loop.
          else if (answer !== undefined && answer.status >= 400 && bytes >= maxRead) {
            end();
            controller?.abort(new Error('the rest of an error page is not read'));
          }
        },
        onResponseEnd: () => end(),
        onResponseError: (_, error) => end(error),
      },
    );
  });
}
