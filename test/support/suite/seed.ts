/**
 * The seed of everything random in the tests, printed where a test uses it. `HOSTLER_SEED` repeats a run; `.ci/run` sets it,
 * so that a commit passes or fails each time alike.
 */
export const seed = Number(process.env.HOSTLER_SEED ?? Date.now() % 1_000_000);

/** `HOSTLER_NIGHTLY=1`, as in the nightly run: long runs of everything. */
export const isNightly = process.env.HOSTLER_NIGHTLY === '1';

/** No test is left out, at night or with `HOSTLER_NIGHTLY=tests`. Any other run has a part of each kind. */
export const hasAllTests = isNightly || process.env.HOSTLER_NIGHTLY === 'tests';

/** Whether this run has the test at this place of its kind, of which a quick run has each nth, from the seed on. */
export const isChosen = (at: number, nth: number): boolean => hasAllTests || (at + seed) % nth === 0;

/** All of them, or each nth, or the one that the seed selects. */
export const sample = <T>(all: readonly T[], nth = all.length): readonly T[] =>
  all.filter((_, at) => isChosen(at, nth));
