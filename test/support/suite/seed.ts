/**
 * The seed of everything random in the tests, printed where a test uses it. `HOSTLER_SEED` repeats a run; `.ci/run` sets it,
 * so that a commit passes or fails each time alike.
 */
export const seed = Number(process.env.HOSTLER_SEED ?? Date.now() % 1_000_000);

/** The nightly run sets it: everything runs whole. Any other run has a part of each kind, which the seed selects. */
export const isNightly = process.env.HOSTLER_NIGHTLY !== undefined;

/** All of them at night; else each nth, or the one that the seed selects. */
export const sample = <T>(all: readonly T[], nth = all.length): readonly T[] =>
  isNightly ? all : all.filter((_, at) => (at + seed) % nth === 0);
