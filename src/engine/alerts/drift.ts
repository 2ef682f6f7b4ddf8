import { targetKey } from '../../core/account.ts';
import type { AlertObservation, Drift, DriftOptions, ObservedKind } from '../../core/alert.ts';
import { canonicalJson } from '../../core/json.ts';
import type { ObservationRow } from '../../store/notes.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** Replicas' clocks may differ by so much, and the provider takes a moment to show what we did. */
const marginMs = 60_000;

/** See SweepContext.drift. What an operation of ours explains is what is usual from then on. */
export async function drift(
  context: EngineContext,
  kind: ObservedKind,
  seen: readonly AlertObservation[],
  { ours, firstUsual, usualAfterMs }: DriftOptions,
): Promise<Drift[]> {
  const { store, now, commands } = context;
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
  const capabilities = new Map(commands.map((command) => [command.path, command.capability]));
  const touched =
    changed.length === 0 || ours.length === 0
      ? []
      : (await store.steps.touchedSince(oldest - marginMs)).filter(({ command }) =>
          ours.some((capability) => capabilities.get(command) === capability),
        );

  const isOurs = ({ target }: AlertObservation, lastSeenAt: number) =>
    touched.some(
      (step) => step.target === targetKey(target) && (step.endedAt === null || step.endedAt >= lastSeenAt - marginMs),
    );

  const rows = seen.map((one): ObservationRow => {
    const { key, value } = one;
    const row = known.get(key);
    const usual = row?.usual ?? (firstUsual === undefined ? value : firstUsual);
    const same = { key, usual, value, seenAt: at, changedAt: null };
    if (canonicalJson(usual) === canonicalJson(value)) return same;
    const since = row === undefined ? at - marginMs : row.seenAt;
    if (isOurs(one, since)) return { ...same, usual: value };
    const changedAt = row?.changedAt ?? at;
    if (usualAfterMs !== undefined && at - changedAt >= usualAfterMs) return { ...same, usual: value };
    return { ...same, changedAt };
  });
  await store.notes.observe(kind, rows);
  return (await store.notes.drifting(kind)).map(({ key, usual, value, changedAt }) => ({
    key,
    usual,
    value,
    since: changedAt ?? at,
  }));
}
