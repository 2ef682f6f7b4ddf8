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
