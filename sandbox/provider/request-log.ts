import { numbers } from './numbers.ts';

/** A received API request. */
export interface LoggedRequest {
  readonly id: number;
  /** The simulated time. */
  readonly time: string;
  readonly method: string;
  /** The requested path, with the query. */
  readonly path: string;
  /** `GET /orders/{order_id}/`, or null for an unknown operation. */
  readonly route: string | null;
  readonly body: unknown;
  /** Null while the request is running, and if the connection was closed without a response. */
  status: number | null;
  isFinished: boolean;
  /** Whether the provider applied the request, even if its response was lost or spoilt. */
  isApplied: boolean;
  /** The job that the request began; null without a job. */
  job: number | null;
}

export interface RequestLog {
  begin(request: Omit<LoggedRequest, 'id' | 'status' | 'isFinished' | 'isApplied' | 'job'>): LoggedRequest;
  finish(request: LoggedRequest, status: number | null): void;
  list(): readonly LoggedRequest[];
  clear(): void;
  /** Resolves with the first finished request that fits, including those already in the log. */
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
      // Dropping half of the log at a time keeps the cost per request constant.
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
