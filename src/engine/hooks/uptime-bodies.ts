import { z } from 'zod';
import { clip, type IncomingAlert, type Read, short, unfit, webLink } from './incoming.ts';

/** Default bodies of monitors that report up or down. */

/** A heartbeat of Uptime Kuma; its states pending and maintenance change nothing. */
const heartbeat = z.object({
  status: z.int().min(0).max(3),
  /** UTC without a time zone: `2024-09-24 23:51:35.527`. */
  time: z.string().max(100).nullish(),
  msg: z.string().nullish(),
});
const monitor = z.object({
  id: z.union([z.number(), z.string()]).nullish(),
  name: z.string().min(1),
  url: z.string().nullish(),
  hostname: z.string().nullish(),
});
/** A test and a note about a certificate have no heartbeat. */
const kuma = z.object({ heartbeat: heartbeat.nullish(), monitor: monitor.nullish(), msg: z.string() });

export function readKuma(json: unknown): Read {
  const parsed = kuma.safeParse(json);
  if (!parsed.success) return unfit(parsed.error.issues);
  const { heartbeat, monitor, msg } = parsed.data;
  if (heartbeat == null || monitor == null) return { ok: true, alerts: [note(msg)] };
  if (heartbeat.status > 1) return { ok: true, alerts: [] };
  const place = monitor.hostname || hostOf(monitor.url);
  return downOrUp(heartbeat.status === 0, heartbeat.time, monitor.name, [heartbeat.msg, place], {
    fingerprint: short(`monitor ${monitor.id ?? monitor.name}`),
    severity: 'critical',
    words: [monitor.name, place].join('\n'),
    link: linkWithoutSecret(monitor.url),
  });
}

/** The `$JSON` of healthchecks.io; `code` and `now` are its placeholders in a body written by hand. */
const healthcheck = z.object({
  name: z.string().min(1),
  status: z.string().min(1),
  code: z.string().nullish(),
  unique_key: z.string().nullish(),
  now: z.string().max(100).nullish(),
  tags: z.string().nullish(),
  desc: z.string().nullish(),
});

export function readHealthchecks(json: unknown): Read {
  const parsed = healthcheck.safeParse(json);
  if (!parsed.success) return unfit(parsed.error.issues);
  const { name, status, code, unique_key, now, tags, desc } = parsed.data;
  if (status !== 'up' && status !== 'down') return { ok: true, alerts: [] };
  return downOrUp(status === 'down', now, name, [desc, tags], {
    fingerprint: short(`check ${code || unique_key || name}`),
    words: [name, tags, desc].join('\n'),
  });
}

/** The alert of a monitor that is down, or its end. */
function downOrUp(
  isFiring: boolean,
  time: string | null | undefined,
  name: string,
  lines: readonly (string | null | undefined)[],
  more: Pick<IncomingAlert, 'fingerprint' | 'words'> & Partial<IncomingAlert>,
): Read {
  const at = inUtc(time);
  const title = clip(`${name} is down`, 140);
  const shown = lines.flatMap((line) => (line ? [clip(line, 500)] : []));
  const times = isFiring ? { startsAt: at, endsAt: null } : { startsAt: null, endsAt: at };
  return { ok: true, alerts: [{ ...plainAlert, isFiring, title, lines: shown, ...times, ...more }] };
}

const plainAlert = {
  severity: 'warning',
  groupKey: null,
  group: '',
  which: '',
  link: undefined,
} satisfies Partial<IncomingAlert>;

function note(msg: string): IncomingAlert {
  return {
    ...plainAlert,
    fingerprint: short(`note ${msg}`),
    isFiring: true,
    title: clip(msg, 140) || 'A note',
    lines: [],
    severity: 'info',
    startsAt: null,
    endsAt: null,
    words: msg,
  };
}

function inUtc(time: string | null | undefined): string | null {
  const stamp = time?.trim().replace(' ', 'T') ?? '';
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(stamp) ? stamp : `${stamp}Z`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** Uptime Kuma sends `https://` for monitors without an address. */
function hostOf(url: string | null | undefined): string {
  return (url ? URL.parse(url)?.host : undefined) ?? '';
}

/** Drops the link if the watched address may contain a password. */
function linkWithoutSecret(url: string | null | undefined): string | undefined {
  const parsed = url ? URL.parse(url) : null;
  return parsed === null || parsed.username !== '' || parsed.password !== '' || parsed.search !== ''
    ? undefined
    : webLink(url);
}
