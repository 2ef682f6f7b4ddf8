import { setTimeout as pause } from 'node:timers/promises';
import type { CallerConfig } from '../config.ts';
import { safeParse } from '../core/text/json.ts';
import { minute, second } from '../core/text/words.ts';
import { codeOf } from '../core/view/errors.ts';
import { readJson } from '../engine/hooks/http.ts';
import { bytesWithin } from '../http/read-body.ts';
import { answerSchema, type BotAnswer, type ProblemAnswer } from './say-answer.ts';

/** Calls the bot as a machine does, and repeats calls that may be repeated. */

export interface Patience {
  /** The first pause before a call is repeated. Each further pause is twice as long. */
  readonly firstMs: number;
  readonly mostMs: number;
  readonly askMs: number;
  readonly followMs: number;
}
export const usualPatience: Patience = {
  firstMs: second,
  mostMs: 30 * second,
  askMs: 2 * minute,
  followMs: 10 * minute,
};

export interface HeardAnswer {
  /** The parsed JSON, for people who read it themselves. */
  readonly body: unknown;
  readonly answer: BotAnswer;
}
/** No answer of a bot, and why. `mayPass` if another try may get one. */
export interface Silence {
  readonly why: string;
  readonly mayPass: boolean;
}

type Heard = HeardAnswer | Silence;

interface Repetition {
  readonly forMs: number;
  /** True for a problem that may pass. */
  readonly isPassing: (problem: ProblemAnswer) => boolean;
  readonly signal?: AbortSignal;
}

const answerMostBytes = 4 * 1024 * 1024;
const callWithinMs = 90 * second;
const longestWaitS = 50;
/** Bounds the calls per second if a server answers without waiting. */
const betweenMs = second / 2;

export type BotCalls = ReturnType<typeof createCaller>;

/** `onSilence` gets the reason of the first repetition of a call. */
export function createCaller({ url, token }: CallerConfig, patience: Patience, onSilence: (why: string) => void) {
  async function call(method: string, path: string, { body, signal }: { body?: object; signal?: AbortSignal }) {
    const limit = AbortSignal.timeout(callWithinMs);
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        // A redirect could lead the token elsewhere.
        redirect: 'manual',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
      return await heardOf(response);
    } catch (error) {
      signal?.throwIfAborted();
      return { why: sayCause(error), mayPass: true };
    }
  }

  async function persist(tryOnce: (tries: number) => Promise<Heard>, { forMs, isPassing, signal }: Repetition) {
    const until = performance.now() + forMs;
    for (let tries = 0; ; tries += 1) {
      const heard = await tryOnce(tries);
      const why = whyAgain(heard, isPassing);
      // Even a first call that took all of the time is repeated once.
      if (why === undefined || (tries > 0 && performance.now() >= until)) return heard;
      if (tries === 0) onSilence(why);
      await pause(Math.min(patience.firstMs * 2 ** tries, patience.mostMs), undefined, signal ? { signal } : {});
    }
  }

  return {
    /** The key makes a repeated call the same request. */
    ask: (body: { readonly line: readonly string[]; readonly key: string; readonly dryRun: boolean }) =>
      persist(() => call('POST', '/api/run', { body }), {
        forMs: patience.askMs,
        isPassing: ({ reason }) => reason === 'unavailable',
      }),
    /** The request after its next change of state, or after a while. */
    follow: async (id: string, signal: AbortSignal) => {
      await pause(Math.min(betweenMs, patience.firstMs), undefined, { signal });
      // A proxy may end long calls: the next one does not wait.
      const pathOf = (tries: number) => `/api/requests/${id}?wait=${tries % 2 === 0 ? longestWaitS : 0}`;
      return persist((tries) => call('GET', pathOf(tries), { signal }), {
        forMs: patience.followMs,
        isPassing: ({ status }) => status >= 500 || status === 429,
        signal,
      });
    },
  };
}

function whyAgain(heard: Heard, isPassing: Repetition['isPassing']): string | undefined {
  if ('why' in heard) return heard.mayPass ? heard.why : undefined;
  return heard.answer.kind === 'problem' && isPassing(heard.answer) ? heard.answer.detail : undefined;
}

async function heardOf(response: Response): Promise<Heard> {
  const { status } = response;
  const bytes = response.body === null ? undefined : await bytesWithin(response.body, answerMostBytes);
  const body = bytes instanceof Buffer ? readJson(bytes) : undefined;
  const read = safeParse(answerSchema, body);
  if (read.success) return { body, answer: read.data };
  const advice = status === 404 ? ' The address of the bot may be another, or it has no token yet.' : '';
  return { why: `It answers with HTTP ${status}, and not as Hostler.${advice}`, mayPass: status >= 500 };
}

/** The error of the connection is the cause of fetch's own. */
function sayCause(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error && cause.name === 'TimeoutError') return `No answer within ${callWithinMs / second} s.`;
  return `No connection (${codeOf(cause) || (cause instanceof Error ? cause.message : 'unknown error')}).`;
}
