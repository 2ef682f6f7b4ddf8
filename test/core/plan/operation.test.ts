import { describe, expect, test } from 'vitest';
import {
  endStates,
  isEnd,
  isStepEnd,
  type OperationState,
  openStates,
  operationTransitions,
  type StepState,
  stepTransitions,
} from '../../../src/core/plan/operation.ts';

// The keys of a table are its states.
const operationStates = Object.keys(operationTransitions) as OperationState[];
const stepStates = Object.keys(stepTransitions) as StepState[];

function reachable(from: string, table: Readonly<Record<string, readonly string[]>>): Set<string> {
  const seen = new Set([from]);
  for (const state of seen) for (const next of table[state] ?? []) seen.add(next);
  return seen;
}

describe.each([
  {
    what: 'an operation',
    states: operationStates,
    table: operationTransitions,
    first: 'waiting',
    ends: operationStates.filter(isEnd),
  },
  { what: 'a step', states: stepStates, table: stepTransitions, first: 'pending', ends: stepStates.filter(isStepEnd) },
])('the states of $what', ({ states, table, first, ends }) => {
  const rows: Readonly<Record<string, readonly string[]>> = table;

  test('every state can be reached from the first', () => {
    expect([...reachable(first, rows)].sort()).toEqual([...states].sort());
  });

  test('an end can be reached from every state', () => {
    for (const state of states) {
      const ends = [...reachable(state, rows)].filter((next) => (rows[next] ?? []).length === 0);
      expect(ends.length, state).toBeGreaterThan(0);
    }
  });

  test('each transition leads to another known state', () => {
    for (const [state, next] of Object.entries(rows)) {
      expect(states).toContain(state);
      expect(next).not.toContain(state);
      for (const other of next) expect(states).toContain(other);
    }
  });

  test('the ends are the states without transitions', () => {
    expect(ends).toEqual(states.filter((state) => rows[state]?.length === 0));
  });
});

test('the end states are the documented ones', () => {
  expect([...endStates].sort()).toEqual(
    ['done', 'unverified', 'failed', 'unknown', 'stopped', 'declined', 'expired', 'withdrawn', 'refused'].sort(),
  );
  expect([...openStates, ...endStates].sort()).toEqual([...operationStates].sort());
});

test('only a pending step can run, and only a waiting operation is approved, or one that was approved for a later moment', () => {
  const before = (table: Readonly<Record<string, readonly string[]>>, state: string) =>
    Object.keys(table).filter((from) => table[from]?.includes(state));
  expect(before(stepTransitions, 'running')).toEqual(['pending']);
  expect(before(operationTransitions, 'approved')).toEqual(['waiting', 'scheduled', 'cooling']);
});
