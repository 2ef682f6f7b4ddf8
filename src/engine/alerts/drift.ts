import { targetKey } from '../../core/account/account.ts';
import type { ObservedKind } from '../../core/alert/alert.ts';
import type { AlertObservation, Drift, DriftOptions, OurStep } from '../../core/alert/alert-rule.ts';
import { canonicalJson, hashOf, type Json } from '../../core/text/json.ts';
import type { TouchedTarget } from '../../store/records/steps.ts';
import type { StoredValue } from '../../store/records/values.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** The most by which clocks of replicas differ; also covers the provider's delay in showing the bot's own changes. */
const marginMs = 60_000;
/** A step under way for longer explains no change, so that people are notified of a server that a job left off. */
const underWayMostMs = 60 * 60_000;
const firstSightMs = 30 * 86_400_000;

type Observed = StoredValue<ObservedKind>;

/**
 * Implements SweepContext.drift. Only a done step of the bot or a person's acceptance changes the usual value. The
 * effect of a step under way neither begins nor ends an alert.
 */
export async function drift(
  context: EngineContext,
  kind: ObservedKind,
  seen: readonly AlertObservation[],
  { ours, firstUsual }: DriftOptions,
): Promise<Drift[]> {
  const { store, now } = context;
  const at = now();
  const keys = seen.map(({ key }) => key);
  const observed = await store.values.find(kind, keys);
  const oldest = Math.min(...keys.map((key) => lastSeen(observed.get(key), firstUsual, at)));
  // The bot's steps that may explain a change, in order. Earlier ones were settled by the last read.
  const isExplained = ours !== undefined && seen.length > 0;
  const steps = (isExplained ? await store.steps.touchedSince(oldest - marginMs) : []).toSorted(
    (a, b) => (a.startedAt ?? at) - (b.startedAt ?? at),
  );
  const unusual = seen.filter(({ key, value }) => !isSame(usualBefore(observed.get(key), firstUsual, value), value));
  const unusualKeys = unusual.map(({ key }) => `${kind}:${key}`);
  const words = await store.values.find('accepted', unusualKeys);
  const after = (usual: Json, observation: AlertObservation, some: readonly TouchedTarget[]) =>
    some.reduce((expected, step) => ours?.(expected, ourStep(step, at), observation) ?? expected, usual);

  const changedAt = new Map<string, number | null>();
  const rows = seen.flatMap((observation): [string, Observed['value']][] => {
    const { key, value } = observation;
    const row = observed.get(key);
    const since = lastSeen(row, firstUsual, at);
    const target = targetKey(observation.target);
    const own = steps.filter((step) => step.target === target && (step.endedAt ?? at) >= since - marginMs);
    const present = own.filter((step) => isPresent(step, at));
    // The first read defines the usual value, but not while a request of the bot changes the target.
    if (row === undefined && firstUsual === undefined && present.length > 0) return [];
    const before = usualBefore(row, firstUsual, value);
    const done = own.filter((step) => ourStep(step, at).isSettled);
    const settled = after(before, observation, done);
    const word = words.get(`${kind}:${key}`);
    // A person accepted this value after it was first seen.
    const isAccepted = word !== undefined && word.at >= (row?.changedAt ?? at) && word.value.seen === hashOf(value);
    const usual = isAccepted ? value : settled;
    if (!isSame(usual, value)) {
      const isExplained = isSame(after(usual, observation, present), value);
      changedAt.set(key, row?.changedAt ?? (isExplained ? null : at));
    }
    return [[key, { usual, seen: value }]];
  });
  await store.values.write(kind, Object.fromEntries(rows), at, changedAt);
  return [...(await store.values.drifting(kind))].map(([key, { value, changedAt: since }]) => {
    return { key, usual: value.usual, value: value.seen, since: since ?? at };
  });
}

/** The usual value before this read, which may be null. */
function usualBefore(row: Observed | undefined, firstUsual: Json | undefined, value: Json): Json {
  if (row !== undefined) return row.value.usual;
  return firstUsual === undefined ? value : firstUsual;
}

/** The time from which steps count: where the rule has the usual value, the last month explains a first observation. */
function lastSeen(row: Observed | undefined, firstUsual: Json | undefined, at: number): number {
  return row?.at ?? (firstUsual === undefined ? at - marginMs : at - firstSightMs);
}

/** True for a step under way, or done so recently that a read may not show it yet. */
function isPresent({ state, startedAt, endedAt }: TouchedTarget, at: number): boolean {
  if (endedAt === null) return at - (startedAt ?? at) < underWayMostMs;
  return state === 'done' && endedAt >= at - marginMs;
}

function ourStep({ command, data, state, endedAt }: TouchedTarget, at: number): OurStep {
  return { command, data, isSettled: state === 'done' && endedAt !== null && endedAt < at - marginMs };
}

function isSame(a: Json, b: Json): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
