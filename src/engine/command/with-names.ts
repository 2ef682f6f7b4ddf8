import type { Target } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';

/** Replaces the ids of targets by names: the person may read every target on the line. */
export function withNames(raw: RawArgs, targets: readonly Target[]): RawArgs {
  const names = new Map(targets.map(({ id, name }) => [id, name]));
  return Object.fromEntries(
    Object.entries(raw).map(([arg, words]) => [arg, words.map((word) => names.get(word) ?? word)]),
  );
}
