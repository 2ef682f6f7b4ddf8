/**
 * How long a test waits for an event. The product does not have to keep this limit: a busy machine takes longer than a
 * quiet one, and only a test that fails waits to the end, which a bot that was broken on purpose would make most of them do.
 */
export const patienceMs = Number(process.env.HOSTLER_TEST_PATIENCE_MS ?? 60_000);
