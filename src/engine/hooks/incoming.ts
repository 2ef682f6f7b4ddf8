import { hash } from 'node:crypto';
import type { z } from 'zod';
import { oneLine } from '../../core/alert/digest-view.ts';
import { mapInSlices } from '../../core/async/in-slices.ts';
import { safeParse } from '../../core/text/json.ts';
import type { Severity } from '../../core/view/signs.ts';

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

export type PostedText = string | null | undefined;

/** An alert with the texts of the sender, in any length. */
interface PostedAlert extends Partial<Omit<IncomingAlert, 'fingerprint' | 'lines' | 'words'>> {
  readonly id: string;
  readonly isFiring: boolean;
  readonly title: string;
  readonly lines: readonly PostedText[];
  readonly words: readonly PostedText[];
}

function cut({ id, title, lines, words, groupKey, group = '', which = '', ...more }: PostedAlert): IncomingAlert {
  return {
    severity: 'warning',
    startsAt: null,
    endsAt: null,
    link: undefined,
    ...more,
    fingerprint: short(id),
    title: oneLine(title, 140),
    lines: lines.flatMap((line) => (line ? [oneLine(line, 500)] : [])),
    groupKey: groupKey ? short(groupKey) : null,
    group: oneLine(group, 200),
    which: oneLine(which, 100),
    words: words.join('\n'),
  };
}

/** The shape of a sender's body: a list of alerts with their common parts, or one alert. */
interface Shape<L extends z.ZodType<{ alerts: unknown[] }>, A extends z.ZodType> {
  readonly list?: L;
  readonly isList?: (json: unknown) => boolean;
  readonly alert: A;
  /** Undefined for a post that changes nothing. */
  readonly make: (list: z.output<L> | undefined) => (alert: z.output<A>) => PostedAlert | undefined;
}

/** Items are parsed and made one by one in slices: thousands of alerts at once would block the event loop. */
export function reader<L extends z.ZodType<{ alerts: unknown[] }>, A extends z.ZodType>(shape: Shape<L, A>) {
  const { list, isList = () => false, alert, make } = shape;
  return async (json: unknown): Promise<Read> => {
    const around = list !== undefined && isList(json) ? safeParse(list, json) : undefined;
    if (around?.success === false) return unfit(around.error.issues);
    const parsed = await mapInSlices(around?.data.alerts ?? [json], (item) => safeParse(alert, item));
    const issues = parsed.flatMap((result, n) =>
      result.success
        ? []
        : result.error.issues.map((issue) => (around ? { ...issue, path: ['alerts', n, ...issue.path] } : issue)),
    );
    if (issues.length > 0) return unfit(issues);
    const posted = make(around?.data);
    const alerts = await mapInSlices(parsed, (result) => (result.success ? posted(result.data) : undefined));
    const changed = alerts.filter((each) => each !== undefined);
    return { ok: true, alerts: await mapInSlices(changed, cut) };
  };
}

/** Errors name the field, never its value. */
function unfit(all: readonly z.core.$ZodIssue[]): Read {
  const issues = all.slice(0, 3);
  const why = issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`).join('; ');
  return { ok: false, why };
}

export function webLink(link: PostedText): string | undefined {
  const url = link ? URL.parse(link) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href.slice(0, 2_000) : undefined;
}

function short(key: string): string {
  return key.length <= 100 ? key : hash('sha256', key);
}
