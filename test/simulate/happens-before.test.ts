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

describe('races', () => {
  test('two writes of one thing by two processes', () => {
    const { races } = orderOf([step(1, 'a', 'votes'), step(2, 'b', 'votes')]);
    expect(races).toEqual([{ first: 0, second: 1, instead: 1 }]);
  });

  test.each([
    ['two reads', [step(1, 'a', 'read votes'), step(2, 'b', 'read votes')]],
    ['two things', [step(1, 'a', 'votes'), step(2, 'b', 'steps')]],
    ['one follows from the other', [step(1, 'a', 'votes'), step(2, 'a', 'votes', { parent: 0 })]],
    ['the second was not there yet', [step(1, 'a', 'votes', { enabled: [1] }), step(2, 'b', 'votes')]],
  ])('none: %s', (_, steps) => {
    expect(orderOf(steps).races).toEqual([]);
  });

  test('what led to the second is taken in place of the first', () => {
    const steps = [step(1, 'a', 'votes', { enabled: [1, 2] }), step(2, 'b', ''), step(3, 'b', 'votes', { parent: 1 })];
    expect(orderOf(steps).races).toEqual([{ first: 0, second: 2, instead: 1 }]);
  });
});

describe('histories', () => {
  test('that differ in the order of steps which touch nothing in common are one', () => {
    const [a, b] = [step(1, 'a', 'votes'), step(2, 'b', 'steps')];
    expect(orderOf([a, b]).hash).toBe(orderOf([b, a]).hash);
  });

  test('that differ in the order of two writes of one thing are two', () => {
    const [a, b] = [step(1, 'a', 'votes'), step(2, 'b', 'votes')];
    expect(orderOf([a, b]).hash).not.toBe(orderOf([b, a]).hash);
  });
});
