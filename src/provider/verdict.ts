import { defined } from '../core/text/defined.ts';
import { jsonIn } from '../core/text/json.ts';
import { codeOf, ProviderError, type ProviderErrorKind } from '../core/view/errors.ts';
import { isHtml, readWords } from './error-words.ts';
import type { Exchange, ProviderRequest } from './exchange.ts';
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

type More = ConstructorParameters<typeof ProviderError>[2];

function fault({ endpoint }: ProviderRequest, kind: ProviderErrorKind, more: More, mayRetry = false): AnswerVerdict {
  return { error: new ProviderError(kind, endpoint, more), mayRetry };
}

/** Judges an exchange: returns the response's value, or the error and whether a retry can help. */
export function judge(request: ProviderRequest, exchange: Exchange, redact: (text: string) => string): AnswerVerdict {
  if (exchange.end !== 'answered') {
    // An interrupted read has no effect. A write that was sent may have arrived.
    const kind = exchange.end === 'unanswered' && request.effect === 'write' ? 'lost' : 'unavailable';
    const words = redact(reason(exchange.error));
    return fault(request, kind, { words }, true);
  }
  const { status } = exchange;
  if (status >= 400) return refused(request, exchange, redact);
  if (status >= 300) return redirected(request, exchange, redact);
  return accepted(request, exchange, redact);
}

function accepted(request: ProviderRequest, answer: Answered, redact: (text: string) => string): AnswerVerdict {
  const { status, text, broken, isTooLong } = answer;
  // Django labels empty responses text/html too; those are not error pages.
  const isEmpty = broken === undefined && text.trim() === '';
  if (!isEmpty && isHtml(contentType(answer), text)) {
    return unread(request, status, 'a web page instead of an answer: the path or HOST_API_URL is wrong');
  }
  if (request.answers === 'nothing') return { value: undefined, status };
  if (broken !== undefined) {
    if (request.effect === 'write' || isTooLong) return unread(request, status, redact(reason(broken)));
    return fault(request, 'unavailable', { status, words: redact(reason(broken)) }, true);
  }
  if (request.answers === 'text') return { value: text, status };
  if (request.isKnown?.(text) === true) return { value: undefined, status };
  try {
    return { value: parseJson(text), status };
  } catch {
    // The parser's message is dropped, since it quotes the text, which may contain a password.
    return unread(request, status, text.trim() === '' ? 'the answer is empty' : 'the answer is not JSON');
  }
}

/** An unreadable success. A write has probably taken effect, but its result is unknown. */
function unread(request: ProviderRequest, status: number, words: string): AnswerVerdict {
  return fault(request, request.effect === 'write' ? 'lost' : 'shape', { status, words });
}

/**
 * Redirects are not followed: a POST would become a GET, whose 200 would look like a success. 301, 307 and 308 mean
 * that the request belongs to another address; a server may also send 302 and 303 after it has applied the request.
 */
function redirected(request: ProviderRequest, answer: Answered, redact: (text: string) => string): AnswerVerdict {
  const { status, headers } = answer;
  const isDone = request.effect === 'write' && (status === 302 || status === 303);
  const to = typeof headers.location === 'string' ? ` to ${redact(headers.location).slice(0, 200)}` : '';
  const words = `redirected${to}: the path or HOST_API_URL is wrong`;
  return fault(request, isDone ? 'lost' : 'rejected', { status, words });
}

function refused(request: ProviderRequest, answer: Answered, redact: (text: string) => string): AnswerVerdict {
  const { status, text } = answer;
  const { words, fields } = readWords(contentType(answer), text, redact);
  const kind = kinds[status] ?? (status < 500 ? 'rejected' : kindOfFault(request, answer));
  const more = defined({
    retryAfterMs: readRetryAfter(answer.headers),
    fields: kind === 'invalid' ? fields : undefined,
  });
  return fault(request, kind, { status, words, ...more }, retriedStatuses.has(status));
}

/**
 * The kind of a 5xx. After a write, 500 can follow the work; 502 and 504 come from a proxy whose back end may still be
 * working, and so can a proxy's 503 (Envoy: "upstream connect error or disconnect/reset before headers"). Only a 503
 * with the application's own text, `{"detail": …}`, means that it declined the write.
 */
function kindOfFault(request: ProviderRequest, { status, text }: Answered): ProviderErrorKind {
  if (request.effect === 'read') return 'unavailable';
  const body = jsonIn(text);
  const hasDetail = typeof body === 'object' && body !== null && 'detail' in body;
  return status === 503 && hasDetail ? 'unavailable' : 'lost';
}

function contentType(answer: Answered): string {
  const value = answer.headers['content-type'];
  return typeof value === 'string' ? value.toLowerCase() : '';
}

/** Reads bare NaN and Infinity as null: Python writes them into statistics, although they are not JSON. */
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

/** Reads seconds or a date. The date is by the provider's clock, so it is compared with the date of the response. */
function readRetryAfter({ 'retry-after': header, date }: Answered['headers']): number | undefined {
  if (typeof header !== 'string' || header.trim() === '') return undefined;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds)
    ? Date.parse(header) - (typeof date === 'string' ? Date.parse(date) : Number.NaN)
    : seconds * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** The text of a network error. The object itself is not passed on: it refers to the connection and the request. */
function reason(error: Error): string {
  const code = codeOf(error);
  if (error.message === '') return code === '' ? error.name : code;
  return code === '' || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
