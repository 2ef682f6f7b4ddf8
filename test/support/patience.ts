/**
 * How long a test waits for what will come. It is no limit that anything has to keep: a busy machine takes longer than a
 * quiet one, and only a test that fails waits to the end.
 */
export const patienceMs = 60_000;
