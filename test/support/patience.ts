/**
 * How long a test waits for an event. The product does not have to keep this limit: a busy machine takes longer than a
 * quiet one, and only a test that fails waits to the end.
 */
export const patienceMs = 60_000;
