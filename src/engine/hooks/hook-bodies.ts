import { z } from 'zod';
import type { HookKind } from '../../core/alert/alert.ts';
import { mapInSlices } from '../../core/async/in-slices.ts';
import { safeParse } from '../../core/text/safe-parse.ts';
import type { Severity } from '../../core/view/severity.ts';
import { mostDepth, readJson } from './http.ts';
import { clip, type IncomingAlert, type Read, short, unfit, webLink } from './incoming.ts';
import { readHealthchecks, readKuma } from './uptime-bodies.ts';

const status = z.enum(['firing', 'resolved']);
const labels = z
  .record(z.string(), z.coerce.string())
  .nullish()
  .transform((value) => value ?? {});

/** Items are parsed one by one in slices: thousands of alerts at once would block the event loop. */
const unread = z.array(z.unknown()).max(5_000);

/** Alertmanager's webhook, version 4. Grafana sends the same with more fields. */
const alertmanager = z.object({
  status,
  groupKey: z.string().nullish(),
  externalURL: z.string().nullish().catch(null),
  groupLabels: labels,
  commonLabels: labels,
  commonAnnotations: labels,
  /** The number of alerts omitted by a limit of the sender. */
  truncatedAlerts: z.number().nullish().catch(null),
  alerts: unread,
});

const alertmanagerAlert = z.object({
  status,
  labels,
  annotations: labels,
  startsAt: z.string().nullish(),
  endsAt: z.string().nullish(),
  generatorURL: z.string().nullish(),
  panelURL: z.string().nullish(),
  valueString: z.string().nullish(),
  fingerprint: z.string().nullish(),
});

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
const genericList = z.object({ alerts: unread });

type MonitoringKind = Exclude<HookKind, 'ticket'>;

/** Errors name the field, never its value. Thousands of alerts are read in slices. */
export async function readHookBody(kind: MonitoringKind, body: Uint8Array): Promise<Read> {
  const json = readJson(body);
  if (json === undefined)
    return { ok: false, why: `the body is not JSON, or its brackets nest deeper than ${mostDepth}` };
  return readers[kind](json);
}

const readers: Readonly<Record<MonitoringKind, (json: unknown) => Read | Promise<Read>>> = {
  alertmanager: readAlertmanager,
  grafana: readAlertmanager,
  json: readGeneric,
  kuma: readKuma,
  healthchecks: readHealthchecks,
};

async function readAlertmanager(json: unknown): Promise<Read> {
  const parsed = safeParse(alertmanager, json);
  if (!parsed.success) return unfit(parsed.error.issues);
  const { groupKey, groupLabels, commonAnnotations, commonLabels, truncatedAlerts, externalURL } = parsed.data;
  const { alerts, issues } = await readEach(alertmanagerAlert, parsed.data.alerts);
  if (issues.length > 0) return unfit(issues);
  const name = clip(pairs(groupLabels) || commonLabels.alertname || '', 100);
  const common = {
    labels: { ...commonLabels, ...groupLabels },
    words: clip(Object.values(commonAnnotations).join('\n'), 1_000),
  };
  const group = truncatedAlerts ? `${name} (and ${truncatedAlerts} that the sender left out)` : name;
  return {
    ok: true,
    alerts: await mapInSlices(alerts, (alert): IncomingAlert => {
      const noted = (key: string) => alert.annotations[key] ?? commonAnnotations[key];
      const name = alert.labels.alertname ?? 'Alert';
      const summary = noted('summary') ?? noted('title') ?? noted('message');
      const shown = { ...alert.labels };
      delete shown.alertname;
      return {
        fingerprint: short(alert.fingerprint || pairs(alert.labels)),
        isFiring: alert.status === 'firing',
        title: clip(summary === undefined || summary === name ? name : `${name}: ${summary}`, 140),
        lines: [noted('description'), pairs(shown), alert.valueString].flatMap((line) =>
          line ? [clip(line, 500)] : [],
        ),
        severity: severityFrom(alert.labels.severity ?? alert.labels.priority),
        startsAt: alert.startsAt ?? null,
        endsAt: alert.status === 'resolved' ? realTime(alert.endsAt) : null,
        groupKey: groupKey ? short(groupKey) : null,
        group,
        link: webLink(alert.panelURL) ?? webLink(alert.generatorURL) ?? webLink(externalURL),
        which: clip(whichOf(alert.labels, common.labels), 100),
        words: [...Object.values(alert.labels), ...Object.values(alert.annotations), common.words].join('\n'),
      };
    }),
  };
}

async function readGeneric(json: unknown): Promise<Read> {
  // If the body has a list, errors are reported about the list.
  const isList = typeof json === 'object' && json !== null && 'alerts' in json;
  const list = safeParse(genericList, isList ? json : { alerts: [] });
  if (!list.success) return unfit(list.error.issues);
  const single = isList ? undefined : safeParse(genericAlert, json);
  if (single?.success === false) return unfit(single.error.issues);
  const { alerts, issues } =
    single === undefined ? await readEach(genericAlert, list.data.alerts) : { alerts: [single.data], issues: [] };
  if (issues.length > 0) return unfit(issues);
  return {
    ok: true,
    alerts: await mapInSlices(
      alerts,
      ({ id, title, status, text, severity, startsAt, group, host, link }): IncomingAlert => ({
        fingerprint: short(id),
        isFiring: status === 'firing',
        title: clip(title, 140),
        lines: [text, host].flatMap((line) => (line ? [clip(line, 500)] : [])),
        severity,
        startsAt: startsAt ?? null,
        endsAt: null,
        groupKey: group === undefined ? null : short(group),
        group: clip(group ?? '', 100),
        link,
        which: clip(host ?? '', 100),
        words: [title, text, host].join('\n'),
      }),
    ),
  };
}

async function readEach<S extends z.ZodType>(schema: S, items: readonly unknown[]) {
  const parsed = await mapInSlices(items, (item) => safeParse(schema, item));
  return {
    alerts: parsed.flatMap((result) => (result.success ? [result.data] : [])),
    issues: parsed.flatMap((result, n) =>
      result.success ? [] : result.error.issues.map((issue) => ({ ...issue, path: ['alerts', n, ...issue.path] })),
    ),
  };
}

/** The labels that differ within the group; if none differ, the instance. */
function whichOf(own: Readonly<Record<string, string>>, common: Readonly<Record<string, string>>): string {
  const apart = Object.entries(own).filter(([name, value]) => name !== 'alertname' && common[name] !== value);
  if (apart.length > 0) return pairs(Object.fromEntries(apart));
  return own.instance === undefined ? '' : `instance=${own.instance}`;
}

/** Drops unset times, which Go encodes as the year 1. */
function realTime(time: string | null | undefined): string | null {
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
