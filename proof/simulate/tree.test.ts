import { describe, expect, test } from 'vitest';
import type { Point, Step } from './scheduler.ts';
import { addBranch, awake, createRoot, createWalk, isKnown } from './tree.ts';

const step = (point: number, touches: string): Step => ({
  point,
  name: '',
  actor: '',
  label: '',
  parents: [],
  resources: [{ name: touches, isWrite: true }],
  enabled: [1, 2, 3],
  place: 0,
  usualPlace: 0,
  isAct: false,
});
const point = (id: number): Point => ({
  id,
  name: '',
  actor: '',
  label: '',
  parents: [],
  isAct: false,
  isLate: false,
  task: undefined,
  release: () => {},
});
const [a, b, c] = [step(1, 'votes'), step(2, 'steps'), step(3, 'votes')];
const open = [point(1), point(2), point(3)];

describe('a point that was taken at a moment', () => {
  test('sleeps in later branches, until something touches what it touches', () => {
    const root = createRoot();
    createWalk(root).reach([a]);
    const afterOther = createWalk(root).reach([b]);
    expect(awake(afterOther, open)?.id).toBe(2);
    expect(afterOther.asleep.map((one) => one.point)).toEqual([1]);
    expect(createWalk(root).reach([b, c]).asleep).toEqual([]);
  });

  test('does not sleep in earlier branches', () => {
    const root = createRoot();
    createWalk(root).reach([a]);
    createWalk(root).reach([c]);
    expect(createWalk(root).reach([a]).asleep).toEqual([]);
  });

  test('makes known what can begin with it, and not what touches nothing that it touches', () => {
    const root = createRoot();
    expect(isKnown(root, [a])).toBe(false);
    createWalk(root).reach([a]);
    expect(isKnown(root, [b, a])).toBe(true);
    expect(isKnown(root, [b])).toBe(false);
    expect(isKnown(root, [c])).toBe(false);
  });

  test('is known as soon as it is to be taken', () => {
    const root = createRoot();
    addBranch(root, 3);
    expect(isKnown(root, [c])).toBe(true);
    expect(isKnown(root, [b])).toBe(false);
  });
});
