import { expect, test } from 'vitest';
import { footprintOf } from './footprints.ts';
import { asleepAfter, createMoment, createState, link, waken } from './moments.ts';
import type { Point, Step } from './scheduler.ts';

const pointOf = (id: number, label: string): Point => ({
  ...{ id, name: label, actor: 'bot-1', label, parents: [], isAct: false, isLate: false, task: undefined },
  release: () => {},
});
const stepOf = ({ id, name, actor, label }: Point): Step => ({
  ...{ point: id, name, actor, label, parents: [], enabled: [1, 2], place: 0, usualPlace: 0, isAct: false },
  resources: [{ name: label, isWrite: true }],
});
const [votes, card] = [pointOf(1, 'votes'), pointOf(2, 'card')];
const nameOf = ({ label, actor }: Point): string => `${label} of ${actor}`;
const footprint = footprintOf(stepOf(votes).resources);

test('a point that was taken sleeps in what follows from another one that touches nothing of its', () => {
  const moment = createMoment(createState([]), [votes, card]);
  link(moment, stepOf(votes), undefined);
  const after = createMoment(createState([stepOf(card)]), [votes]);
  expect([...asleepAfter(moment, stepOf(card), after).keys()]).toEqual([nameOf(votes)]);
});

test('what a history wakes in a state is followed by what was taken there while it slept', () => {
  const state = createState([]);
  const first = createMoment(state, [votes, card]);
  // Storing the votes came before on each way here, so after the card nobody took it.
  state.asleep = new Map([[nameOf(votes), footprint]]);
  link(first, stepOf(card), undefined);
  const again = createMoment(state, [votes, card]);
  waken(again);
  expect([...again.todo.keys()]).toEqual([nameOf(votes)]);
  const after = createMoment(createState([stepOf(votes)]), [card]);
  expect([...asleepAfter(again, stepOf(votes), after)]).toEqual([]);
});
