import type { Severity } from '../../core/view/severity.ts';

/** One shape for alerts of all monitoring systems. Everything in it comes from outside and stays plain text. */
export interface IncomingAlert {
  readonly fingerprint: string;
  readonly isFiring: boolean;
  readonly title: string;
  readonly lines: readonly string[];
  readonly severity: Severity;
  readonly startsAt: string | null;
  /** Only where it is over, and monitoring says since when. */
  readonly endsAt: string | null;
  readonly groupKey: string | null;
  /** The name of the group. */
  readonly group: string;
  readonly link: string | undefined;
  /** The labels that the others of its group do not share: `instance=web-1:9100`. */
  readonly which: string;
  /** The text that is searched for names and addresses of servers. */
  readonly words: string;
}

export type Read =
  | { readonly ok: true; readonly alerts: readonly IncomingAlert[] }
  | { readonly ok: false; readonly why: string };
