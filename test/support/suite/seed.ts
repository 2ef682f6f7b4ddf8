/**
 * The seed of everything random in the tests, printed where a test uses it. `HOSTLER_SEED` repeats a run; `.ci/run` sets it,
 * so that a commit passes or fails each time alike.
 */
export const seed = Number(process.env.HOSTLER_SEED ?? Date.now() % 1_000_000);
