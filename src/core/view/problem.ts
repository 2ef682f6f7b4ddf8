import type { RefusalReason } from './errors.ts';

/** The reasons of refusals that machines get, each with its HTTP status. The list is closed. */

const byReason: Readonly<Record<RefusalReason, number>> = {
  not_understood: 400,
  bad_value: 400,
  not_found: 404,
  ambiguous: 400,
  no_policy: 403,
  not_granted: 403,
  not_admin: 403,
  posture: 403,
  not_yours: 403,
  not_for_tokens: 403,
  frozen: 409,
  pinned: 409,
  locked: 409,
  changed: 409,
  closed: 409,
  rate_limited: 429,
  impossible: 422,
  unavailable: 503,
};

export const problemStatus = {
  ...byReason,
  /** The same change is requested already, by another request. */
  duplicate: 409,
  /** The provider refused it, or did not answer. */
  provider: 502,
  bug: 500,
  bad_body: 400,
  no_token: 401,
  /** A page of another site sent it. */
  other_site: 403,
  too_large: 413,
  too_slow: 408,
  /** The key belongs to another line. */
  key_used: 409,
} as const;
export type ProblemReason = keyof typeof problemStatus;

/** RFC 9457. `detail` says what was wrong, and what would be right. */
export function problem(
  reason: ProblemReason,
  detail: string,
  more: { readonly hint?: string; readonly instead?: readonly string[] } = {},
) {
  const status = problemStatus[reason];
  const retry = reason === 'rate_limited' || reason === 'unavailable' ? { 'retry-after': '60' } : {};
  const who = reason === 'no_token' ? { 'www-authenticate': 'Bearer' } : {};
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...retry, ...who },
    body: { type: `urn:hostler:${reason}`, title: reason.replaceAll('_', ' '), status, reason, detail, ...more },
  };
}

export function isProblemReason(text: string): text is ProblemReason {
  return text in problemStatus;
}
