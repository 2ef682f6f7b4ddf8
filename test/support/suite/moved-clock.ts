// A setup file of vitest.config.ts, with HOSTLER_TEST_CLOCK alone: each test file begins two seconds before that moment, such as
// the turn of the year. Processes that a test starts, and PostgreSQL, keep the real time.

const key = Symbol.for('hostler: the clock before it was moved');
const shared = globalThis as { [key]?: DateConstructor };
shared[key] ??= globalThis.Date;
const real = shared[key];
const startsAt = real.parse(process.env.HOSTLER_TEST_CLOCK ?? '') - 2_000;
if (Number.isNaN(startsAt)) throw new Error('HOSTLER_TEST_CLOCK is no moment, such as 2026-12-31T23:00:00Z');
const offset = startsAt - real.now();

globalThis.Date = new Proxy(real, {
  construct: (date, words, target) =>
    Reflect.construct(date, words.length === 0 ? [date.now() + offset] : words, target),
  get: (date, name) => (name === 'now' ? () => date.now() + offset : Reflect.get(date, name)),
});
