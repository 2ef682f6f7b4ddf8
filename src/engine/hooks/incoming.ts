import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Severity } from '../../core/view/severity.ts';

/** The common format of alerts from all monitoring systems. All fields come from outside and stay plain text. */
export interface IncomingAlert {
  readonly fingerprint: string;
  readonly isFiring: boolean;
  readonly title: string;
  readonly lines: readonly string[];
  readonly severity: Severity;
  readonly startsAt: string | null;
  /** The time of the end, if the alert has ended and the sender reports it. */
  readonly endsAt: string | null;
  readonly groupKey: string | null;
  /** The name of the group. */
  readonly group: string;
  readonly link: string | undefined;
  /** The labels that differ from other alerts of the group: `instance=web-1:9100`. */
  readonly which: string;
  /** The text that is searched for names and addresses of servers. */
  readonly words: string;
}

export type Read =
  | { readonly ok: true; readonly alerts: readonly IncomingAlert[] }
  | { readonly ok: false; readonly why: string };

/** Errors name the field, never its value. */
export function unfit(all: readonly z.core.$ZodIssue[]): Extract<Read, { ok: false }> {
  const issues = all.slice(0, 3);
  return {
    ok: false,
    why: issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`).join('; '),
  };
}

export function webLink(link: string | null | undefined): string | undefined {
  const url = link ? URL.parse(link) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href.slice(0, 2_000) : undefined;
}

/** Long keys are hashed. */
export function short(key: string): string {
  return key.length <= 100 ? key : createHash('sha256').update(key).digest('hex');
}

export function clip(words: string, most: number): string {
  const clean = words.toWellFormed().replace(/\s+/g, ' ').trim();
  return clean.length <= most ? clean : `${clean.slice(0, most - 1)}…`;
}
