import { expect, test } from 'vitest';
import { type Footprint, footprintOf } from './footprints.ts';
import { type Edge, futureOf, type Place } from './future.ts';
import { orderOf } from './happens-before.ts';
import { racesWithLater } from './later-races.ts';
import type { Point, Step } from './scheduler.ts';

const writing = (name: string): Step['resources'] => [{ name, isWrite: true }];
const [votes, steps, card] = ['votes', 'steps', 'card'].map((name) => footprintOf(writing(name))) as [
  Footprint,
  Footprint,
  Footprint,
];
const place = (taken: Readonly<Record<string, Edge>> = {}): Place => ({ taken: new Map(Object.entries(taken)) });
const edge = (footprint: Footprint, to: Place, names: Readonly<Record<string, string | undefined>> = {}): Edge => ({
  footprint,
  to,
  renamed: new Map(Object.entries(names)),
});

test('steps that touch the same have one number', () => {
  expect(footprintOf([...writing('votes'), ...writing('votes')])).toBe(votes);
  expect(votes).not.toBe(steps);
});

test('the future of a state has what follows on each way, seen from the state', () => {
  // The point b has another name once a was taken.
  const afterA = place({ later: edge(steps, place()) });
  const start = place({ a: edge(votes, afterA, { later: 'b' }), b: edge(card, place()) });
  expect(futureOf(start)).toEqual([
    { footprint: votes, roots: ['a'], past: new Set() },
    { footprint: steps, roots: ['b'], past: new Set() },
    { footprint: card, roots: ['b'], past: new Set() },
  ]);
});

test('a step that came up in another one, or touches the same, follows from it', () => {
  const cameUp = place({ a: edge(votes, place({ new: edge(steps, place()) }), { new: undefined }) });
  expect(futureOf(cameUp)).toContainEqual({ footprint: steps, roots: ['a'], past: new Set([votes]) });
  const touchesIt = place({ a: edge(votes, place({ b: edge(votes, place()) })) });
  expect(futureOf(touchesIt)).toContainEqual({ footprint: votes, roots: ['a', 'b'], past: new Set([votes]) });
});

test('of two ways to one step only that stays in its past which comes before it on both', () => {
  const end = place({ b: edge(card, place()) });
  const first = place({ a: edge(steps, end, { b: undefined }) });
  const second = place({ a: edge(steps, place({ a: edge(votes, end, { b: undefined }) }), { a: undefined }) });
  const start = place({ a: edge(votes, first, { a: undefined }), b: edge(votes, second, { a: 'a' }) });
  const found = futureOf(start).filter(({ footprint }) => footprint === card);
  expect(found.map(({ roots }) => roots)).toEqual([['a'], ['a', 'b']]);
  expect(found.map(({ past }) => [...past].sort())).toEqual([[votes, steps].sort(), [votes, steps].sort()]);
});

const step = (point: number, touches: string, more: Partial<Step> = {}): Step => ({
  ...{ point, name: `step ${point}`, actor: '', label: '', parents: [], resources: writing(touches) },
  ...{ enabled: [1, 2, 3], place: 0, usualPlace: 0, isAct: false, ...more },
});
const point = (id: number, parents: readonly number[] = []): Point => ({
  ...{ id, parents, name: `point ${id}`, actor: '', label: '', isAct: false, isLate: false },
  ...{ task: undefined, release: () => {} },
});
const racesOf = (taken: readonly Step[], open: Point, later: Partial<ReturnType<typeof futureOf>[number]>) =>
  racesWithLater({ steps: taken, before: orderOf(taken).before, open: new Map([['open', open]]) }, [
    { footprint: votes, roots: ['open'], past: new Set(), ...later },
  ]).map(({ first, initials, way }) => ({ first, initials, way: way.map(({ name }) => name) }));

test('a step that may follow is in a race with an earlier one that touches the same', () => {
  expect(racesOf([step(1, 'votes')], point(2), {})).toEqual([{ first: 0, initials: [2], way: ['point 2'] }]);
});

test.each([
  ['it touches nothing in common', [step(1, 'steps')], point(2), {}],
  ['it came up in the earlier one', [step(1, 'votes')], point(9, [0]), {}],
  ['it was not there yet', [step(1, 'votes')], point(9), {}],
  ['it always comes after a step that follows from the earlier one', [step(1, 'votes')], point(2), { past: [votes] }],
])('there is no race when %s', (_, taken, open, { past }: { past?: readonly Footprint[] }) => {
  expect(racesOf(taken, open, past === undefined ? {} : { past: new Set(past) })).toEqual([]);
});

test('the steps that led to the point are taken first in place of the earlier one', () => {
  const taken = [step(1, 'votes'), step(2, 'steps'), step(3, 'card')];
  expect(racesOf(taken, point(9, [1]), {})).toEqual([{ first: 0, initials: [2, 3], way: ['step 2', 'point 9'] }]);
});

test('of two earlier steps that touch the same only the last one is in a race', () => {
  const taken = [step(1, 'votes'), step(2, 'votes')];
  expect(racesOf(taken, point(3), {}).map(({ first }) => first)).toEqual([1]);
});
