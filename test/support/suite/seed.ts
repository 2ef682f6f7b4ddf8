/**
 * The seed of everything random in the tests, printed where a test uses it. `HOSTLER_SEED` repeats a run; `.ci/run` sets it,
 * so that a commit passes or fails each time alike.
 */
export const seed = Number(process.env.HOSTLER_SEED ?? Date.now() % 1_000_000);

/** `HOSTLER_NIGHTLY=1`, as in the nightly run: long runs of everything. */
export const isNightly = process.env.HOSTLER_NIGHTLY === '1';

/** No test is left out, at night or with `HOSTLER_NIGHTLY=tests`. Any other run has a part of each kind. */
export const hasAllTests = isNightly || process.env.HOSTLER_NIGHTLY === 'tests';

/** All of them, or each nth, or the one that the seed selects. */
export const sample = <T>(all: readonly T[], nth = all.length): readonly T[] =>
  hasAllTests ? all : all.filter((_, at) => (at + seed) % nth === 0);
