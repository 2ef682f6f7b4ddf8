import { targetKey } from '../../core/account.ts';
import type { AlertObservation, Drift, DriftOptions, ObservedKind, OurStep } from '../../core/alert.ts';
import { canonicalJson } from '../../core/json.ts';
import type { ObservationRow } from '../../store/notes.ts';
import type { TouchedTarget } from '../../store/steps.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** The most by which the clocks of replicas may differ; the provider also takes a moment to show our own changes. */
const marginMs = 60_000;

/** See SweepContext.drift. What our own steps wrote is what is usual from then on; the rest of a change is drift. */
export async function drift(
  context: Pick<EngineContext, 'commands' | 'now' | 'store'>,
  kind: ObservedKind,
  seen: readonly AlertObservation[],
  { ours, firstUsual, usualAfterMs }: DriftOptions,
): Promise<Drift[]> {
  const { store, now } = context;
  const at = now();
  const known = await store.notes.observed(
    kind,
    seen.map(({ key }) => key),
  );
  const changed = seen.filter(({ key, value }) => {
    const row = known.get(key);
    return row !== undefined && canonicalJson(row.usual) !== canonicalJson(value);
  });
  const oldest = Math.min(at, ...changed.map(({ key }) => known.get(key)?.seenAt ?? at));
  const touched = changed.length === 0 || ours === undefined ? [] : await store.steps.touchedSince(oldest - marginMs);
  touched.sort((a, b) => (a.startedAt ?? at) - (b.startedAt ?? at));

  const withOurs = (usual: ObservationRow['usual'], one: AlertObservation, lastSeenAt: number) =>
    touched
      .filter(
        ({ target, endedAt }) =>
          target === targetKey(one.target) && (endedAt === null || endedAt >= lastSeenAt - marginMs),
      )
      .reduce((expected, step) => ours?.(expected, ourStep(step, at), one) ?? expected, usual);

  const rows = seen.map((one): ObservationRow => {
    const { key, value } = one;
    const row = known.get(key);
    const before = row?.usual ?? (firstUsual === undefined ? value : firstUsual);
    const same = { key, usual: value, value, seenAt: at, changedAt: null };
    if (canonicalJson(before) === canonicalJson(value)) return same;
    const usual = withOurs(before, one, row === undefined ? at - marginMs : row.seenAt);
    if (canonicalJson(usual) === canonicalJson(value)) return same;
    const changedAt = row?.changedAt ?? at;
    if (usualAfterMs !== undefined && at - changedAt >= usualAfterMs) return same;
    return { ...same, usual, changedAt };
  });
  await store.notes.observe(kind, rows);
  return (await store.notes.drifting(kind)).map(({ key, usual, value, changedAt }) => ({
    key,
    usual,
    value,
    since: changedAt ?? at,
  }));
}

function ourStep({ command, data, state, endedAt }: TouchedTarget, at: number): OurStep {
  return { command, data, isSettled: state === 'done' && endedAt !== null && endedAt < at - marginMs };
}
