import type { Target } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';

/** Replaces ids by names. Callers have checked that the person may read every target. */
export function withNames(raw: RawArgs, targets: readonly Target[]): RawArgs {
  const names = new Map(targets.map(({ id, name }) => [id, name]));
  return Object.fromEntries(
    Object.entries(raw).map(([arg, words]) => [arg, words.map((word) => names.get(word) ?? word)]),
  );
}
