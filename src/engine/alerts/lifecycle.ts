import type { Finding, Sight } from '../../core/alert.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import type { AlertPatch, AlertRow } from '../../store/alerts.ts';
import type { Kit } from '../kit.ts';
import { shortId } from './records.ts';

/** Over and back again within so long is one alert that flaps, on the message it had. */
const flapWithinMs = 60 * 60_000;
const calmAtLeastMs = 5 * 60_000;
const calmAtMostMs = 2 * 60 * 60_000;

export interface Raising {
  readonly channel: string;
  readonly rule: string;
  readonly finding: Finding;
  readonly groupKey?: string | null;
  readonly startsAt?: string | null;
}

/** All that a rule found for a channel: what is new is raised, what goes on is brought up to date, what is gone ends. */
export async function settle(
  kit: Kit,
  channel: string,
  rule: string,
  findings: readonly Finding[],
  sight: Pick<Sight, 'calm'>,
): Promise<void> {
  const { alerts } = kit.deps.store;
  const open = new Map((await alerts.active(channel, rule)).map((row) => [row.cause, row]));
  const same: string[] = [];
  for (const finding of findings) {
    const row = open.get(finding.cause);
    if (row === undefined) await raise(kit, { channel, rule, finding });
    else if (!(await update(kit, row, finding))) same.push(row.id);
  }
  await alerts.touch(same);
  const found = new Set(findings.map(({ cause }) => cause));
  for (const row of open.values()) {
    if (!found.has(row.cause)) await calmDown(kit, row, sight.calm(row.cause));
  }
}

export type Raised = 'new' | 'again' | 'changed' | 'same';

/** One finding that is so now. Idempotent: the same finding twice changes nothing. */
export async function raise(kit: Kit, raising: Raising): Promise<Raised> {
  const { store, now } = kit.deps;
  const { channel, rule, finding, groupKey = null, startsAt = null } = raising;
  const last = await store.alerts.last(channel, rule, finding.cause);
  if (last !== undefined && last.resolvedAt === null) {
    if (await update(kit, last, finding, startsAt)) return 'changed';
    await store.alerts.touch([last.id]);
    return 'same';
  }
  // The same beginning as one that is over: an old message, sent again.
  if (last !== undefined && startsAt !== null && last.startsAt === startsAt) return 'same';
  if (last?.resolvedAt != null && last.message !== null && now() - last.resolvedAt < flapWithinMs) {
    const isMine = await store.alerts.change(last.id, last.version, {
      ...contentOf(finding),
      state: 'open',
      peak: Math.max(last.peak, finding.level),
      flaps: last.flaps + 1,
      startsAt,
      calmSince: null,
      resolvedAt: null,
      endText: null,
      byUser: null,
      until: null,
      seenAt: now(),
    });
    return isMine ? 'again' : 'same';
  }
  const isNew = await store.alerts.insert({
    id: shortId(`${channel} ${rule} ${finding.cause} ${now()}`),
    channel,
    rule,
    cause: finding.cause,
    groupKey,
    startsAt,
    ...contentOf(finding),
  });
  return isNew ? 'new' : 'same';
}

/** True when something is different now. An acknowledgement does not outlive an escalation. */
async function update(kit: Kit, row: AlertRow, finding: Finding, startsAt?: string | null): Promise<boolean> {
  const content = contentOf(finding);
  const isSame =
    canonicalJson(row.finding) === canonicalJson(content.finding) &&
    row.severity === content.severity &&
    row.level === content.level &&
    row.calmSince === null;
  if (isSame) return false;
  const escalates = finding.level > row.peak;
  const wakes = escalates && (row.state === 'acknowledged' || finding.severity === 'critical');
  return kit.deps.store.alerts.change(row.id, row.version, {
    ...content,
    ...(startsAt == null ? {} : { startsAt }),
    ...(row.calmSince === null ? {} : { calmSince: null, flaps: row.flaps + 1 }),
    seenAt: kit.deps.now(),
    ...(escalates ? { peak: finding.level } : {}),
    ...(escalates && (row.state === 'open' || wakes) ? { escalatedAt: kit.deps.now() } : {}),
    ...(wakes ? { state: 'open', byUser: null, until: null } : {}),
  });
}

/** No longer found. What was on and off lately has to stay away for a while, longer each time. */
export async function calmDown(kit: Kit, row: AlertRow, endText: string | undefined): Promise<void> {
  const { store, now } = kit.deps;
  if (row.flaps > 0) {
    if (row.calmSince === null) {
      await store.alerts.change(row.id, row.version, { calmSince: now() });
      return;
    }
    const calmMs = Math.min(calmAtLeastMs * 2 ** Math.min(row.flaps - 1, 10), calmAtMostMs);
    if (now() - row.calmSince < calmMs) return;
  }
  await resolve(kit, row, endText);
}

export async function resolve(kit: Kit, row: AlertRow, endText: string | undefined): Promise<boolean> {
  return kit.deps.store.alerts.change(row.id, row.version, {
    state: 'resolved',
    resolvedAt: kit.deps.now(),
    endText: endText ?? null,
    until: null,
    calmSince: null,
  });
}

function contentOf(finding: Finding) {
  // Findings are plain data; this says so to the compiler by making it true.
  const stored: Json = JSON.parse(JSON.stringify(finding));
  return { finding: stored, severity: finding.severity, level: finding.level } satisfies AlertPatch;
}
