import { z } from 'zod';
import type { hookKinds } from '../../core/alert/alert.ts';
import { oneLine } from '../../core/alert/digest-view.ts';
import type { Severity } from '../../core/view/signs.ts';
import { mostDepth, readJson } from './http.ts';
import { type PostedText, type Read, reader, webLink } from './incoming.ts';

/** The shapes of the bodies that monitoring posts. */

const status = z.enum(['firing', 'resolved']);
const labels = z
  .record(z.string(), z.coerce.string())
  .nullish()
  .transform((value) => value ?? {});
const items = z.array(z.unknown()).max(5_000);

/** Alertmanager's webhook, version 4. Grafana sends the same with more fields. */
const readAlertmanager = reader({
  list: z.object({
    status,
    groupKey: z.string().nullish(),
    externalURL: z.string().nullish().catch(null),
    groupLabels: labels,
    commonLabels: labels,
    commonAnnotations: labels,
    /** The number of alerts omitted by a limit of the sender. */
    truncatedAlerts: z.number().nullish().catch(null),
    alerts: items,
  }),
  isList: () => true,
  alert: z.object({
    status,
    labels,
    annotations: labels,
    startsAt: z.string().nullish(),
    endsAt: z.string().nullish(),
    generatorURL: z.string().nullish(),
    panelURL: z.string().nullish(),
    valueString: z.string().nullish(),
    fingerprint: z.string().nullish(),
  }),
  make: (list) => {
    const { groupLabels = {}, commonLabels = {}, commonAnnotations = {}, truncatedAlerts } = list ?? {};
    const ofGroup = oneLine(pairs(groupLabels) || commonLabels.alertname || '', 100);
    const common = { ...commonLabels, ...groupLabels };
    const shared = oneLine(Object.values(commonAnnotations).join('\n'), 1_000);
    return ({ labels, annotations, valueString, ...alert }) => {
      const noted = (key: string) => annotations[key] ?? commonAnnotations[key];
      const { alertname: name = 'Alert', ...shown } = labels;
      const summary = noted('summary') ?? noted('title') ?? noted('message');
      return {
        id: alert.fingerprint || pairs(labels),
        isFiring: alert.status === 'firing',
        title: summary === undefined || summary === name ? name : `${name}: ${summary}`,
        lines: [noted('description'), pairs(shown), valueString],
        severity: severityFrom(labels.severity ?? labels.priority),
        startsAt: alert.startsAt ?? null,
        endsAt: alert.status === 'resolved' ? realTime(alert.endsAt) : null,
        groupKey: list?.groupKey ?? null,
        group: truncatedAlerts ? `${ofGroup} (and ${truncatedAlerts} that the sender left out)` : ofGroup,
        link: webLink(alert.panelURL) ?? webLink(alert.generatorURL) ?? webLink(list?.externalURL),
        which: whichOf(labels, common),
        words: [...Object.values(labels), ...Object.values(annotations), shared],
      };
    };
  },
});

/** The labels that differ within the group; if none differ, the instance. */
function whichOf(own: Readonly<Record<string, string>>, common: Readonly<Record<string, string>>): string {
  const apart = Object.entries(own).filter(([name, value]) => name !== 'alertname' && common[name] !== value);
  if (apart.length > 0) return pairs(Object.fromEntries(apart));
  return own.instance === undefined ? '' : `instance=${own.instance}`;
}

/** Drops unset times, which Go encodes as the year 1. */
function realTime(time: PostedText): string | null {
  return time && Date.parse(time) > 0 ? time : null;
}

/** Maps the sender's severity to the bot's. */
function severityFrom(word: string | undefined): Severity {
  const lower = word?.toLowerCase() ?? '';
  if (/^(critical|page|emergency|fatal|disaster|error|high|p1)/.test(lower)) return 'critical';
  return /^(info|none|ok|debug|low|notice|p[45])/.test(lower) ? 'info' : 'warning';
}

function pairs(of: Readonly<Record<string, string>>): string {
  return Object.entries(of)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}

/**
 * The generic format for other senders: one alert, or `{"alerts": [...]}` with several. docs/alerts.md is generated
 * from it.
 */
export const genericAlert = z.object({
  id: z.string().min(1).max(500).describe('the same thing has the same id, when it fires and when it is resolved'),
  title: z.string().min(1).max(500).describe('headline of the alert'),
  status: status.default('firing').describe('whether the alert is active or over'),
  text: z.string().max(5_000).optional().describe('more about it; a line of up to 500 characters is shown'),
  severity: z
    .enum(['info', 'warning', 'critical'])
    .default('warning')
    .describe('critical alerts are posted in quiet hours, too'),
  startsAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('since when; with it, the end of an earlier alarm that arrives late does not end a later one'),
  group: z.string().max(200).optional().describe('alerts of one group share a message, which it names'),
  host: z
    .string()
    .max(300)
    .optional()
    .describe(
      'a name, host name or address; if it is a server of the account, the message has its card and its buttons',
    ),
  link: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .describe('where to look; shown as Source'),
});

const readGeneric = reader({
  list: z.object({ alerts: items }),
  // If the body has a list, errors are reported about the list.
  isList: (json) => typeof json === 'object' && json !== null && 'alerts' in json,
  alert: genericAlert,
  make:
    () =>
    ({ id, title, status, text, severity, startsAt = null, group = '', host = '', link }) => ({
      id,
      title,
      severity,
      startsAt,
      link,
      isFiring: status === 'firing',
      lines: [text, host],
      groupKey: group,
      group: oneLine(group, 100),
      which: host,
      words: [title, text, host],
    }),
});

/**
 * Uptime Kuma's heartbeat, whose states pending and maintenance change nothing. A test and a note about a certificate
 * have none.
 */
const readKuma = reader({
  alert: z.object({
    heartbeat: z
      .object({
        status: z.int().min(0).max(3),
        /** UTC without a time zone: `2024-09-24 23:51:35.527`. */
        time: z.string().max(100).nullish(),
        msg: z.string().nullish(),
      })
      .nullish(),
    monitor: z
      .object({
        id: z.union([z.number(), z.string()]).nullish(),
        name: z.string().min(1),
        url: z.string().nullish(),
        hostname: z.string().nullish(),
      })
      .nullish(),
    msg: z.string(),
  }),
  make:
    () =>
    ({ heartbeat, monitor, msg }) => {
      if (heartbeat == null || monitor == null)
        return {
          id: `note ${msg}`,
          isFiring: true,
          title: msg.trim() || 'A note',
          lines: [],
          severity: 'info',
          words: [msg],
        };
      if (heartbeat.status > 1) return undefined;
      const place = monitor.hostname || hostOf(monitor.url);
      return {
        ...downOrUp(monitor.name, heartbeat.status === 0, heartbeat.time),
        id: `monitor ${monitor.id ?? monitor.name}`,
        lines: [heartbeat.msg, place],
        severity: 'critical',
        words: [monitor.name, place],
        link: linkWithoutSecret(monitor.url),
      };
    },
});

/** The `$JSON` of healthchecks.io; `code` and `now` are its placeholders in a body written by hand. */
const readHealthchecks = reader({
  alert: z.object({
    name: z.string().min(1),
    status: z.string().min(1),
    code: z.string().nullish(),
    unique_key: z.string().nullish(),
    now: z.string().max(100).nullish(),
    tags: z.string().nullish(),
    desc: z.string().nullish(),
  }),
  make:
    () =>
    ({ name, status, code, unique_key, now, tags, desc }) => {
      if (status !== 'up' && status !== 'down') return undefined;
      return {
        ...downOrUp(name, status === 'down', now),
        id: `check ${code || unique_key || name}`,
        lines: [desc, tags],
        words: [name, tags, desc],
      };
    },
});

function downOrUp(name: string, isFiring: boolean, time: PostedText) {
  const stamp = time?.trim().replace(' ', 'T') ?? '';
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(stamp) ? stamp : `${stamp}Z`);
  const at = Number.isNaN(ms) ? null : new Date(ms).toISOString();
  return { title: `${name} is down`, isFiring, startsAt: isFiring ? at : null, endsAt: isFiring ? null : at };
}

/** Uptime Kuma sends `https://` for monitors without an address. */
function hostOf(url: PostedText): string {
  return (url ? URL.parse(url)?.host : undefined) ?? '';
}

/** Drops the link if the watched address may contain a password. */
function linkWithoutSecret(url: PostedText): string | undefined {
  const parsed = url ? URL.parse(url) : null;
  const isPlain = parsed?.username === '' && parsed.password === '' && parsed.search === '';
  return isPlain ? webLink(url) : undefined;
}

export type MonitoringKind = (typeof hookKinds)[number];

const readers: Readonly<Record<MonitoringKind, (json: unknown) => Promise<Read>>> = {
  alertmanager: readAlertmanager,
  grafana: readAlertmanager,
  json: readGeneric,
  kuma: readKuma,
  healthchecks: readHealthchecks,
};

/** Errors name the field, never its value. */
export async function readHookBody(kind: MonitoringKind, body: Uint8Array): Promise<Read> {
  const json = readJson(body);
  if (json !== undefined) return readers[kind](json);
  return { ok: false, why: `the body is not JSON, or its brackets nest deeper than ${mostDepth}` };
}
