import { createRandom } from '../support/random.ts';
import { deviationsOf, type Failure, faultsOf } from './explore.ts';
import { depend } from './happens-before.ts';
import { reduce, strayOf } from './reduce.ts';
import { type Choose, type Point, type Resource, type Step, usual } from './scheduler.ts';
import { nameOfPoint } from './state.ts';
import { realNow } from './virtual-world.ts';
import { play, type Seen, type World } from './world.ts';

export interface Exhausted {
  readonly histories: number;
  readonly states: number;
  /** The states in which the histories come to rest. */
  readonly ends: ReadonlySet<string>;
  /** Times that two histories came to one state and were played on from there, with the same choices: they ended equally. */
  readonly compared: number;
  /** Choices that were found and not tried, because the time was over. */
  readonly left: number;
  readonly failure: Failure | undefined;
}

interface State {
  /** The choices that first led to it. */
  readonly path: readonly number[];
  /** Need not be taken here: it was taken before, and nothing that came since touches it. */
  readonly sleep: Map<string, readonly Resource[]>;
  /** Taken here, with what each touched once it was played. */
  readonly taken: Map<string, readonly Resource[] | undefined>;
}

/** A choice that is still to be tried. */
interface Planned {
  readonly path: readonly number[];
  readonly from: State;
  readonly name: string;
  readonly place: number;
}

/** Of so many meetings of two histories in one state one is played on. */
const meetingsOfOne = 40;

/**
 * Visits every state that the world can come to. A history that comes to a state in which another one was is played no
 * further: what follows is the same. So the parts of a request's life add up, where orders of steps multiply. Two steps that
 * touch nothing in common lead to one state in either order, so the second order is not played (sleep sets, as of Godefroid).
 */
export async function exhaust(world: World, { untilMs }: { readonly untilMs: number }): Promise<Exhausted> {
  const states = new Map<string, State>();
  const ends = new Set<string>();
  const planned: Planned[] = [];
  let histories = 0;
  let meetings = 0;
  let compared = 0;
  const result = (failure?: Failure): Exhausted => ({
    ...{ histories, states: states.size, ends, compared, left: planned.length, failure },
  });
  for (let next: Planned | undefined; histories === 0 || next !== undefined; next = planned.pop()) {
    // The usual order is played however short the time is.
    if (histories > 0 && realNow() > untilMs) {
      if (next !== undefined) planned.push(next);
      break;
    }
    let at: Pick<Planned, 'from' | 'name'> | undefined;
    let met: State | undefined;
    const take = (from: State, name: string, place: number): number => {
      at = { from, name };
      if (!from.taken.has(name)) from.taken.set(name, undefined);
      return place;
    };
    const choose: Choose = async (open, steps, stateOf) => {
      const known = next?.path[steps.length];
      if (known !== undefined) return known;
      if (next !== undefined && steps.length === next.path.length) return take(next.from, next.name, next.place);
      const sleep = afterLast(at, steps.at(-1), open);
      const path = steps.map(({ place }) => place);
      const plan = (from: State, point: Point) =>
        planned.push({ path, from, name: nameOfPoint(point), place: open.indexOf(point) });
      const key = await stateOf(open);
      met = states.get(key);
      if (met !== undefined) {
        for (const point of wakenedBy(met, sleep, open)) plan(met, point);
        return 'end';
      }
      const fresh: State = { path, sleep, taken: new Map() };
      states.set(key, fresh);
      const awake = reduce(world, open, steps).filter((point) => !sleep.has(nameOfPoint(point)));
      const first = usual(awake);
      if (first === undefined) return 'end';
      for (const point of awake) if (point !== first) plan(fresh, point);
      return take(fresh, nameOfPoint(first), open.indexOf(first));
    };
    const seen = await play(world, choose);
    histories++;
    const violations = faultsOf(seen);
    if (violations.length > 0) return result(failureOf(world, seen, violations));
    if (!seen.isCut) ends.add(await seen.stateAtEnd());
    if (met === undefined || meetings++ % meetingsOfOne > 0) continue;
    const path = seen.steps.map(({ place }) => place);
    const [one, other] = [await playOn(world, met.path, meetings), await playOn(world, path, meetings)];
    compared++;
    if (one.state !== other.state) return result(failureOf(world, seen, [differOf(one, other)]));
  }
  return result();
}

const failureOf = (world: World, seen: Seen, violations: Failure['violations']): Failure => ({
  ...{ world, seed: 1, deviations: deviationsOf(seen.steps), violations, seen },
});

/** Finds the points that sleep after the step that was taken, and checks the step for what is assumed of it. */
function afterLast(
  at: Pick<Planned, 'from' | 'name'> | undefined,
  last: Step | undefined,
  open: readonly Point[],
): Map<string, readonly Resource[]> {
  if (at === undefined || last === undefined) return new Map();
  const { from, name } = at;
  from.taken.set(name, last.resources);
  const stray = strayOf(last, open);
  if (stray !== undefined) throw new Error(stray);
  const before = [...from.sleep, ...[...from.taken].filter(([one]) => one !== name)];
  return new Map(
    before.flatMap(([one, resources]) =>
      resources === undefined || areTogether(resources, last.resources) ? [] : [[one, resources] as const],
    ),
  );
}

/** Steps of one process may meet in its memory. */
function areTogether(some: readonly Resource[], others: readonly Resource[]): boolean {
  const processOf = (all: readonly Resource[]) => all.find(({ name }) => name === 'process')?.row;
  return processOf(some) === processOf(others) || depend(some, others);
}

/** Finds the points that slept when the state was reached first, and do not now: they have to be tried. */
function wakenedBy({ sleep }: State, now: ReadonlyMap<string, unknown>, open: readonly Point[]): Point[] {
  const awake = [...sleep.keys()].filter((name) => !now.has(name));
  for (const name of awake) sleep.delete(name);
  return open.filter((point) => awake.includes(nameOfPoint(point)));
}

interface PlayedOn {
  readonly state: string;
  readonly labels: readonly string[];
}

/** Plays on from a state to the end by choices that depend on nothing but the state and the seed. */
async function playOn(world: World, path: readonly number[], seed: number): Promise<PlayedOn> {
  const random = createRandom(seed);
  const seen = await play(world, (open, steps) => {
    const place = path[steps.length];
    if (place !== undefined) return place;
    // The oldest point, the usual choice, depends on the way to the state.
    const working = open.filter(({ isLate }) => !isLate);
    const named = (working.length > 0 ? working : open).toSorted((a, b) => (nameOfPoint(a) < nameOfPoint(b) ? -1 : 1));
    const point = named[random() < 0.8 ? 0 : Math.floor(random() * named.length)];
    return point === undefined ? undefined : open.indexOf(point);
  });
  const labels = seen.steps.slice(path.length).map(({ actor, label }) => `${actor}: ${label}`);
  return { state: await seen.stateAtEnd(), labels };
}

function differOf(one: PlayedOn, other: PlayedOn): Failure['violations'][number] {
  const n = one.labels.findIndex((label, place) => label !== other.labels[place]);
  const what = n < 0 ? 'another end' : `after ${n} steps ${one.labels[n]} instead of ${other.labels[n]}`;
  return { rule: 'one-state', what: `two histories that count as one state go on differently: ${what}` };
}
