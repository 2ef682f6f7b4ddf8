import { describe, expect, test } from 'vitest';
import { orderOf } from './happens-before.ts';
import type { Step } from './scheduler.ts';

const step = (point: number, actor: string, touches: string, more: Partial<Step> = {}): Step => ({
  point,
  actor,
  label: `${actor} ${touches}`,
  parent: -1,
  resources: touches === '' ? [] : [{ name: touches.replace(/^read /, ''), isWrite: !touches.startsWith('read ') }],
  enabled: [1, 2, 3, 4],
  acts: [],
  ...more,
});

describe('races between steps', () => {
  test('two writes of one thing by two processes are a race', () => {
    const { races } = orderOf([step(1, 'a', 'votes'), step(2, 'b', 'votes')]);
    expect(races).toEqual([{ first: 0, second: 1, instead: 1 }]);
  });

  test.each([
    ['two reads', [step(1, 'a', 'read votes'), step(2, 'b', 'read votes')]],
    ['two things', [step(1, 'a', 'votes'), step(2, 'b', 'steps')]],
    ['one follows from the other', [step(1, 'a', 'votes'), step(2, 'a', 'votes', { parent: 0 })]],
    ['the second was not there yet', [step(1, 'a', 'votes', { enabled: [1] }), step(2, 'b', 'votes')]],
  ])('there is no race when %s', (_, steps) => {
    expect(orderOf(steps).races).toEqual([]);
  });

  test('the step that led to the second write is tried in place of the first', () => {
    const steps = [step(1, 'a', 'votes', { enabled: [1, 2] }), step(2, 'b', ''), step(3, 'b', 'votes', { parent: 1 })];
    expect(orderOf(steps).races).toEqual([{ first: 0, second: 2, instead: 1 }]);
  });
});

describe('the hash of a history', () => {
  test('histories that differ in the order of independent steps have the same hash', () => {
    const [a, b] = [step(1, 'a', 'votes'), step(2, 'b', 'steps')];
    expect(orderOf([a, b]).hash).toBe(orderOf([b, a]).hash);
  });

  test('histories that differ in the order of two writes of one thing have different hashes', () => {
    const [a, b] = [step(1, 'a', 'votes'), step(2, 'b', 'votes')];
    expect(orderOf([a, b]).hash).not.toBe(orderOf([b, a]).hash);
  });
});
