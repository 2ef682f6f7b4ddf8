import { randomUUID } from 'node:crypto';
import { targetKey } from '../../core/account/account.ts';
import type { Alert, AlertEnd, Finding } from '../../core/alert/alert.ts';
import type { Sight } from '../../core/alert/alert-rule.ts';
import { aside } from '../../core/async/aside.ts';
import { canonicalJson, toJson } from '../../core/text/json.ts';
import type { AlertPatch, NewAlert } from '../../store/records/alerts.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { shortId } from '../context/request.ts';
import { sayWhenItAnswers } from './answers.ts';

/*
 * The states of an alert. Each arrow is one write, of the version that was read:
 *
 *   open ─► acknowledged | snoozed ─► open (its time is over, or it got worse)
 *   open | acknowledged | snoozed ─► resolved | closed (the cause is gone) | accepted (a person says that it is right)
 *   resolved | closed | accepted ─► open | snoozed (it returns within an hour)
 */

/** The fields of an alert that is neither assigned nor snoozed. */
export const backToOpen = { state: 'open', byUser: null, until: null, sinceAt: null, handedBy: null } as const;

/** A person is on it; `handedBy` put another person on it. */
export function onIt(byUser: string, times: { readonly at: number; readonly forMs: number }, handedBy: string | null) {
  const { at, forMs } = times;
  return { state: 'acknowledged', byUser, until: at + forMs, sinceAt: at, handedBy } as const satisfies AlertPatch;
}

export function snoozed(byUser: string, until: number) {
  return { ...backToOpen, state: 'snoozed', byUser, until } as const satisfies AlertPatch;
}

/** The person who accepted it stays on it. */
export function accepted(byUser: string, at: number, endText: string) {
  const end = { state: 'accepted', resolvedAt: at, endText, byUser } as const;
  return { ...end, until: null, handedBy: null, calmSince: null } satisfies AlertPatch;
}

/** An alert that ends and returns within this time is the same alert, which flaps, in the same message. */
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

/** Applies all findings of a rule for a channel: raises new alerts, updates those that continue, ends the others. */
export async function applyFindings(
  context: EngineContext,
  channel: string,
  rule: string,
  findings: readonly Finding[],
  sight: Pick<Sight, 'calm'> & {
    readonly hidden: ReadonlySet<string>;
    /** True if the channel no longer subscribes to the finding's target. */
    readonly isUnwatched: (finding: Finding) => boolean;
  },
): Promise<void> {
  const { alerts } = context.store;
  const open = new Map((await alerts.active(channel, rule)).map((row) => [row.cause, row]));
  const same: string[] = [];
  for (const finding of findings) {
    const row = open.get(finding.cause);
    if (row === undefined && (finding.onlyContinues || finding.heardIn === channel)) continue;
    if (row === undefined) await raise(context, { channel, rule, finding });
    else if ((await update(context, row, { channel, rule, finding })) === 'same') same.push(row.id);
  }
  await alerts.touch(same);
  const causes = new Set(findings.map(({ cause }) => cause));
  for (const row of open.values()) {
    const { finding } = row;
    if (causes.has(row.cause)) continue;
    if (sight.isUnwatched(finding)) await resolve(context, row, notWatched);
    if (sight.isUnwatched(finding) || sight.hidden.has(targetKey(finding.target))) continue;
    const ending = sight.calm(finding);
    if (ending !== undefined) await calmDown(context, row, ending);
  }
}

export const notWatched: AlertEnd = { over: 'No longer watched here' };

/** More than enough: only the publisher, a sweep, a click and the hooks of each replica write a row. */
const mostTries = 10;

/** Retries while other processes write the row in between, so that no post is lost. */
export function persist<T>(
  context: EngineContext,
  { channel, rule, cause }: Pick<Alert, 'channel' | 'rule' | 'cause'>,
  attempt: () => Promise<T | 'lost'>,
): Promise<T> {
  return context.alerts.oneAtATime(`${channel} ${rule} ${cause}`, async () => {
    for (let tries = 0; tries < mostTries; tries++) {
      const done = await attempt();
      if (done !== 'lost') return done;
    }
    throw new Error(`writing an alert: somebody else wrote it first, ${mostTries} times`);
  });
}

/** Changes the present row of an alert. False if `patchOf` has no change for it, or if it is gone. */
export function changeNow(context: EngineContext, row: Alert, patchOf: (now: Alert) => AlertPatch | undefined) {
  const { alerts } = context.store;
  return persist(context, row, async () => {
    const now = await alerts.find(row.id);
    const patch = now && patchOf(now);
    if (now === undefined || patch === undefined) return false;
    return (await alerts.change(now.id, now.version, patch)) || 'lost';
  });
}

/** Raises or updates the alert of one finding. Idempotent: the same finding twice changes nothing. */
export function raise(context: EngineContext, raising: Raising) {
  const { channel, rule, finding } = raising;
  return persist(context, { channel, rule, cause: finding.cause }, () => raiseOnce(context, raising));
}

async function raiseOnce(context: EngineContext, raising: Raising) {
  const { store, now } = context;
  const { channel, rule, finding, startsAt = null } = raising;
  const last = await store.alerts.last(channel, rule, finding.cause);
  if (last !== undefined && last.resolvedAt === null) {
    const updated = await update(context, last, raising);
    if (updated === 'same') await store.alerts.touch([last.id]);
    return updated;
  }
  if (last?.resolvedAt != null && last.message !== null && now() - last.resolvedAt < flapWithinMs) {
    const isWorse = finding.severity === 'critical' && finding.level > last.peak;
    const isSnoozed = last.until !== null && last.until > now() && !isWorse;
    const isStored = await store.alerts.change(last.id, last.version, {
      ...contentOf(finding),
      peak: Math.max(last.peak, finding.level),
      // People were notified of the end, so they are notified of the return.
      ...(isSnoozed ? { state: 'snoozed' } : { ...backToOpen, escalatedAt: now() }),
      flaps: last.flaps + 1,
      startsAt,
      calmSince: null,
      resolvedAt: null,
      endText: null,
      seenAt: now(),
    });
    return isStored ? 'again' : 'lost';
  }
  const isNew = await store.alerts.insert({ ...newAlert(raising), endsAt: last?.endsAt ?? null });
  return isNew ? 'new' : 'lost';
}

/** The row of a new alert, of which no channel has been notified. */
export function newAlert({ channel, rule, finding, groupKey = null, startsAt = null }: Raising): NewAlert {
  const id = shortId(randomUUID());
  return { id, channel, rule, cause: finding.cause, groupKey, startsAt, endsAt: null, ...contentOf(finding) };
}

/** True if the finding would not change the open alert. */
export function isSameFinding(row: Alert, { finding, startsAt = null }: Raising): boolean {
  return (
    canonicalJson(toJson(row.finding)) === canonicalJson(toJson(finding)) &&
    row.severity === finding.severity &&
    row.level === finding.level &&
    !startsLater(row, startsAt) &&
    row.calmSince === null
  );
}

/** Updates an open alert. An escalation ends an acknowledgement. */
async function update(context: EngineContext, row: Alert, raising: Raising) {
  const { finding, startsAt = null } = raising;
  if (isSameFinding(row, raising)) return 'same';
  const escalates = finding.level > row.peak;
  const wakes = escalates && (row.state === 'acknowledged' || finding.severity === 'critical');
  const isChanged = await context.store.alerts.change(row.id, row.version, {
    ...contentOf(finding),
    ...(startsLater(row, startsAt) ? { startsAt } : {}),
    ...(row.calmSince === null ? {} : { calmSince: null, flaps: row.flaps + 1 }),
    seenAt: context.now(),
    ...(escalates ? { peak: finding.level } : {}),
    ...(escalates && (row.state === 'open' || wakes) ? { escalatedAt: context.now() } : {}),
    ...(wakes ? backToOpen : {}),
  });
  return isChanged ? 'changed' : 'lost';
}

/** Ends an alert that is no longer found, later after each flap. False if another process wrote the row first. */
export async function calmDown(
  context: EngineContext,
  row: Alert,
  /** Undefined for an alert of monitoring, which has no sentence for its end. */
  ending: AlertEnd | undefined,
  times: Pick<AlertPatch, 'endsAt'> = {},
): Promise<boolean> {
  const { store, now } = context;
  if (row.flaps > 0) {
    if (row.calmSince === null) return store.alerts.change(row.id, row.version, { ...times, calmSince: now() });
    const calmMs = Math.min(calmAtLeastMs * 2 ** Math.min(row.flaps - 1, 10), calmAtMostMs);
    if (now() - row.calmSince < calmMs) return times.endsAt == null || store.alerts.change(row.id, row.version, times);
  }
  return resolve(context, row, ending, times);
}

export async function resolve(
  context: EngineContext,
  row: Alert,
  ending: AlertEnd | undefined,
  times: Pick<AlertPatch, 'endsAt'> = {},
): Promise<boolean> {
  const isGood = typeof ending !== 'object';
  const isEnded = await context.store.alerts.change(row.id, row.version, {
    ...times,
    state: isGood ? 'resolved' : 'closed',
    resolvedAt: context.now(),
    endText: (isGood ? ending : ending.over) ?? null,
    // A snooze continues if the alert returns before its end.
    until: row.state === 'snoozed' ? row.until : null,
    calmSince: null,
  });
  if (!isEnded || !isGood || row.rule !== powerRule) return isEnded;
  const waiting = sayWhenItAnswers(context, { ...row, endText: ending ?? null });
  aside(waiting, context.log, 'waiting until a server answers again');
  return true;
}

/** The rule whose good end says that a server is on again. */
const powerRule = 'power';

function contentOf(finding: Finding) {
  return { finding, severity: finding.severity, level: finding.level } satisfies AlertPatch;
}

type Times = Pick<Alert, 'startsAt' | 'endsAt'>;

/*
 * With two senders, retries or a stalled Prometheus, posts come twice, late, or with the same start time after an end. A
 * wrong "resolved" is worse than a wrong "firing". So `firing` always opens an alert, and these times only decide which
 * `resolved` counts: one that has not counted before and is not the end of an earlier alert.
 */

/** True if the sender reports a new beginning of the open alert. */
function startsLater(row: Times, startsAt: string | null): boolean {
  if (startsAt === null) return false;
  return row.startsAt === null || isBefore(row.startsAt, startsAt);
}

/** True if this end belongs to the open alert. */
export function isEndOf(row: Times, { startsAt, endsAt }: Times): boolean {
  if (endsAt !== null && row.endsAt !== null && !isBefore(row.endsAt, endsAt)) return false;
  return !isBefore(endsAt ?? startsAt, row.startsAt);
}

function isBefore(a: string | null, b: string | null): boolean {
  const [first, second] = [Date.parse(a ?? ''), Date.parse(b ?? '')];
  return !Number.isNaN(first) && !Number.isNaN(second) && first < second;
}
