import { numbers } from './numbers.ts';

/** An API request as it was received. */
export interface LoggedRequest {
  readonly id: number;
  /** The simulated time. */
  readonly time: string;
  readonly method: string;
  /** With the query, as it was asked for. */
  readonly path: string;
  /** `GET /orders/{order_id}/`, or null for an address that is no operation. */
  readonly route: string | null;
  readonly body: unknown;
  /** null while it is under way, and when the connection was closed without an answer. */
  status: number | null;
  isFinished: boolean;
  /** Whether the provider did it, also when its answer was lost or spoilt on the way. */
  isApplied: boolean;
  /** The job that it began; null when it began none. */
  job: number | null;
}

export interface RequestLog {
  begin(request: Omit<LoggedRequest, 'id' | 'status' | 'isFinished' | 'isApplied' | 'job'>): LoggedRequest;
  finish(request: LoggedRequest, status: number | null): void;
  list(): readonly LoggedRequest[];
  clear(): void;
  /** Resolves with the first finished request that fits, those already in the log included. */
  wait(fits: (request: LoggedRequest) => boolean, timeoutMs?: number): Promise<LoggedRequest>;
}

export function createRequestLog(): RequestLog {
  let log: LoggedRequest[] = [];
  let nextId = 1;
  const waiting = new Set<(request: LoggedRequest) => void>();

  return {
    begin(request) {
      const logged: LoggedRequest = {
        id: nextId++,
        ...request,
        status: null,
        isFinished: false,
        isApplied: false,
        job: null,
      };
      log.push(logged);
      // Dropping half at a time keeps the cost of forgetting constant per request.
      if (log.length > numbers.requestsKept * 2) log = log.slice(-numbers.requestsKept);
      return logged;
    },
    finish(request, status) {
      request.status = status;
      request.isFinished = true;
      for (const notice of [...waiting]) notice(request);
    },
    list: () => log,
    clear: () => {
      log = [];
    },
    wait(fits, timeoutMs = numbers.waitForRequestMs) {
      const past = log.find((request) => request.isFinished && fits(request));
      if (past) return Promise.resolve(past);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(notice);
          const seen = log
            .slice(-10)
            .map((request) => `${request.method} ${request.path} ${request.status ?? 'no answer'}`);
          reject(
            new Error(
              `waiting for a request: none fitted within ${timeoutMs} ms. The last ones: ${seen.join('; ') || 'none'}`,
            ),
          );
        }, timeoutMs);
        const notice = (request: LoggedRequest) => {
          if (!fits(request)) return;
          clearTimeout(timer);
          waiting.delete(notice);
          resolve(request);
        };
        waiting.add(notice);
      });
    },
  };
}
