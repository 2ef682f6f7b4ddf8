import { ProviderError, type ProviderErrorKind } from '../core/view/errors.ts';
import { isHtml, readWords } from './error-words.ts';
import type { Exchange } from './exchange.ts';
import type { ProviderRequest } from './exchange-types.ts';
import { retriedStatuses } from './retry.ts';

type Answered = Extract<Exchange, { end: 'answered' }>;

export type AnswerVerdict =
  | { readonly value: unknown; readonly status: number }
  | { readonly error: ProviderError; readonly mayRetry: boolean };

const kinds: Readonly<Record<number, ProviderErrorKind>> = {
  400: 'invalid',
  401: 'auth',
  403: 'forbidden',
  404: 'not_found',
  429: 'throttled',
};

/** Judges an exchange: the answer's value, or what went wrong and whether a retry can help. */
export function judge(request: ProviderRequest, exchange: Exchange, redact: (text: string) => string): AnswerVerdict {
  if (exchange.end !== 'answered') {
    // A read has no effect wherever it broke off. A write that left may have arrived.
    const kind = exchange.end === 'unanswered' && request.effect === 'write' ? 'lost' : 'unavailable';
    const words = redact(reason(exchange.error));
    return { error: new ProviderError(kind, request.endpoint, { words }), mayRetry: true };
  }
  const { status } = exchange;
  if (status >= 400) return refused(request, exchange, redact);
  if (status >= 300) return redirected(request, exchange, redact);
  return accepted(request, exchange, redact);
}

function accepted(request: ProviderRequest, answer: Answered, redact: (text: string) => string): AnswerVerdict {
  const { status, text, broken, isTooLong } = answer;
  // Django names an empty answer text/html as well, and that is no page.
  const isEmpty = broken === undefined && text.trim() === '';
  if (!isEmpty && isHtml(contentType(answer), text)) {
    return unread(request, status, 'a web page instead of an answer: the path or HOST_API_URL is wrong');
  }
  if (request.answers === 'nothing') return { value: undefined, status };
  if (broken !== undefined) {
    if (request.effect === 'write' || isTooLong) return unread(request, status, redact(reason(broken)));
    const error = new ProviderError('unavailable', request.endpoint, { status, words: redact(reason(broken)) });
    return { error, mayRetry: true };
  }
  if (request.answers === 'text') return { value: text, status };
  if (request.isKnown?.(text) === true) return { value: undefined, status };
  try {
    return { value: parseJson(text), status };
  } catch {
    // The parser's message quotes the text, which may hold a password: it goes nowhere.
    return unread(request, status, text.trim() === '' ? 'the answer is empty' : 'the answer is not JSON');
  }
}

/** A success that cannot be read. A write has probably taken effect, but what it made is unknown. */
function unread(request: ProviderRequest, status: number, words: string): AnswerVerdict {
  const kind = request.effect === 'write' ? 'lost' : 'shape';
  return { error: new ProviderError(kind, request.endpoint, { status, words }), mayRetry: false };
}

/**
 * Following a redirect would turn a POST into a GET that answers 200: a success that never was. 301, 307 and 308 say
 * that the request belongs elsewhere; 302 and 303 may also be how a server answers what it has already done.
 */
function redirected(request: ProviderRequest, answer: Answered, redact: (text: string) => string): AnswerVerdict {
  const { status, headers } = answer;
  const isDone = request.effect === 'write' && (status === 302 || status === 303);
  const to = typeof headers.location === 'string' ? ` to ${redact(headers.location).slice(0, 200)}` : '';
  const words = `redirected${to}: the path or HOST_API_URL is wrong`;
  return {
    error: new ProviderError(isDone ? 'lost' : 'rejected', request.endpoint, { status, words }),
    mayRetry: false,
  };
}

function refused(request: ProviderRequest, answer: Answered, redact: (text: string) => string): AnswerVerdict {
  const { status, text } = answer;
  const { words, fields } = readWords(contentType(answer), text, redact);
  const kind = kinds[status] ?? (status < 500 ? 'rejected' : kindOfFault(request, answer));
  const retryAfterMs = readRetryAfter(answer.headers);
  return {
    error: new ProviderError(kind, request.endpoint, {
      status,
      words,
      ...(kind === 'invalid' && { fields }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }),
    mayRetry: retriedStatuses.has(status),
  };
}

/**
 * A 5xx to a write. 500 can come after the work was done, 502 and 504 come from a front door whose back end may still
 * be doing it, and so can a front door's own 503 (Envoy: "upstream connect error or disconnect/reset before headers").
 * Only a 503 in the application's own words, `{"detail": …}`, is a decision not to do it.
 */
function kindOfFault(request: ProviderRequest, { status, text }: Answered): ProviderErrorKind {
  if (request.effect === 'read') return 'unavailable';
  return status === 503 && hasDetail(text) ? 'unavailable' : 'lost';
}

function hasDetail(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && 'detail' in body;
  } catch {
    return false;
  }
}

function contentType(answer: Answered): string {
  const value = answer.headers['content-type'];
  return typeof value === 'string' ? value.toLowerCase() : '';
}

/**
 * Statistics may hold NaN and Infinity as bare words, as Python writes them: not JSON, and read as null.
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error;
    return JSON.parse(
      text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (token) => (token.startsWith('"') ? token : 'null')),
    );
  }
}

/** Seconds or a date, which the provider tells by its own clock: the date of its answer is what it is compared with. */
function readRetryAfter({ 'retry-after': header, date }: Answered['headers']): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds)
    ? Date.parse(header) - (typeof date === 'string' ? Date.parse(date) : Number.NaN)
    : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Only the text of a network error is passed on: the object itself knows the connection and its request. */
function reason(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error.message === '') return code === '' ? error.name : code;
  return code === '' || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
