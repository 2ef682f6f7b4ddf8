import { type Footprint, footprintOf, meet } from './footprints.ts';
import type { Edge, Later, Place } from './future.ts';
import type { Point, Step } from './scheduler.ts';
import { nameOfPoint } from './state.ts';

/** The states that histories come to, and what was taken in each of them. */
export interface State extends Place {
  /** The choices that first led to it. */
  readonly path: Uint16Array;
  /** Need not be taken here: it was taken before, on each way here, and nothing that came since touches it. */
  asleep: Map<string, Footprint>;
  /** Taken here, with what came of it once that was played. */
  readonly taken: Map<string, Edge | undefined>;
  future?: readonly Later[] | undefined;
}

/** A state on the way of a history, with what is still to be tried there. */
export interface Moment {
  readonly state: State;
  readonly open: readonly Point[];
  /** The name of each point in this state, by what tells it from the others in this history. */
  readonly names: ReadonlyMap<string, string>;
  /** On this way. */
  asleep: ReadonlyMap<string, Footprint>;
  /** Taken here by histories that came another way, on which other points may have slept. */
  readonly takenBefore: ReadonlySet<string>;
  readonly todo: Map<string, Turn>;
}

export interface Turn {
  readonly place: number;
  /** The names of the points that are taken next, as long as they are there. */
  readonly next: readonly string[];
}

type Identity = Pick<Point, 'label' | 'name' | 'id'>;

/** Timers have another number at each moment. */
const identityOf = ({ label, name, id }: Identity): string => (label === 'timer' ? name : `${id}`);

export const createState = (steps: readonly Step[]): State => ({
  path: Uint16Array.from(steps, ({ place }) => place),
  asleep: new Map(),
  taken: new Map(),
});

export const createMoment = (state: State, open: readonly Point[]): Moment => ({
  ...{ state, open, asleep: new Map(), todo: new Map() },
  takenBefore: new Set(state.taken.keys()),
  names: new Map(open.map((point) => [identityOf(point), nameOfPoint(point)])),
});

export const nameIn = ({ names }: Moment, point: Identity): string => names.get(identityOf(point)) ?? '';

const over: Place = { taken: new Map(), future: [] };

/** Notes where a step led: to another moment, or to the end of the history. */
export function link(from: Moment, step: Step, to: Moment | undefined): void {
  const all = [...(to?.names ?? [])].map(([id, name]) => [name, from.names.get(id)] as const);
  const renamed = new Map(all.filter(([name, before]) => name !== before));
  const edge = { footprint: footprintOf(step.resources), renamed, to: to?.state ?? over };
  from.state.taken.set(nameIn(from, { ...step, id: step.point }), edge);
}

/**
 * Finds the points that sleep after a step: those that slept or were taken before it, and touch nothing of its. A point that
 * was taken on another way does not sleep: what wakes here may have slept in all that followed from it.
 */
export function asleepAfter(from: Moment, step: Step, { names }: Moment): Map<string, Footprint> {
  const footprint = footprintOf(step.resources);
  const asleep = new Map<string, Footprint>();
  for (const [id, name] of names) {
    const before = from.names.get(id) ?? '';
    const taken = from.takenBefore.has(before) ? undefined : from.state.taken.get(before);
    const other = from.state.asleep.get(before) ?? taken?.footprint;
    if (other !== undefined && !meet(other, footprint)) asleep.set(name, other);
  }
  return asleep;
}

/** The points that slept when the state was reached before, and do not now, have to be tried. */
export function waken(moment: Moment): void {
  const { state, open, asleep, todo } = moment;
  for (const name of [...state.asleep.keys()].filter((one) => !asleep.has(one))) {
    state.asleep.delete(name);
    const place = open.findIndex((point) => nameIn(moment, point) === name);
    if (place >= 0 && !state.taken.has(name)) todo.set(name, { place, next: [] });
  }
  if (todo.size > 0) state.future = undefined;
}

/** An order in which the steps of a race come the other way. */
export interface Reversal {
  /** Points with which such an order can begin. */
  readonly initials: readonly number[];
  /** The steps and points that lead to the second one, and itself. */
  readonly way: readonly (Pick<Step, 'point' | 'name'> | Point)[];
}

/** Tries such an order, if none that is known begins like it. */
export function tryInstead(moment: Moment | undefined, { initials, way }: Reversal): void {
  const [chosen, ...next] = way;
  if (moment === undefined || chosen === undefined) return;
  const { state, names, open, todo } = moment;
  const id = 'point' in chosen ? chosen.point : chosen.id;
  const isKnown = (name: string) => state.taken.has(name) || todo.has(name) || state.asleep.has(name);
  if (initials.some((one) => isKnown(names.get(`${one}`) ?? ''))) return;
  const place = open.findIndex((point) => point.id === id);
  if (place < 0) throw new Error('the step was not there to be taken');
  todo.set(names.get(`${id}`) ?? '', { place, next: next.map(({ name }) => name) });
}
