import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { proveConnections } from '../../../src/store/postgres/prove-connections.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<void>(() => {});
const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Connections that each answer when their promise resolves, and later at once. */
function connections(...firsts: readonly Promise<unknown>[]) {
  return firsts.map((first, n) => async () => {
    await first;
    return 100 + n;
  });
}

async function outcome(proof: ReturnType<typeof proveConnections>): Promise<string> {
  const said = proof.then(
    ({ isLent }) => (isLent ? 'lent' : 'proven'),
    (error: Error) => error.message,
  );
  await vi.advanceTimersByTimeAsync(60_000);
  return said;
}

test('connections that open one after the other on a busy server are all waited for', async () => {
  const slow = connections(after(3_000), after(7_000), after(11_000), after(15_000));
  expect(await outcome(proveConnections(slow, 'PostgreSQL a'))).toBe('proven');
});

test('after five seconds without another answer the pool is too small', async () => {
  const some = connections(after(3_000), after(7_000), never, after(12_001));
  expect(await outcome(proveConnections(some, 'PostgreSQL a'))).toMatch(
    /^opening PostgreSQL a: it gives 2 connections and no more, and 4 are wanted here; lower /,
  );
});

test('a server that answers nothing, and one that refuses a connection, are reported as such', async () => {
  expect(await outcome(proveConnections(connections(never, never), 'PostgreSQL a'))).toBe(
    'opening PostgreSQL a: no answer within 5 s',
  );
  const refused = after(4_000).then(() => {
    throw new StoreUnavailable('too many clients already');
  });
  expect(await outcome(proveConnections(connections(never, refused, after(1_000)), 'PostgreSQL a'))).toBe(
    'too many clients already',
  );
});

test('connections that answer with the process of another one are lent by a pooler', async () => {
  const lent = connections(after(1), after(2)).map(() => async () => 7);
  expect(await outcome(proveConnections(lent, 'PostgreSQL a'))).toBe('lent');
});
