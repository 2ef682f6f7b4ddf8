import { createRandom } from '../../test/support/random.ts';
import { deviationsOf, type Failure, faultsOf } from './explore.ts';
import { futureOf } from './future.ts';
import { orderOf } from './happens-before.ts';
import { racesWithLater } from './later-races.ts';
import {
  asleepAfter,
  createMoment,
  createState,
  link,
  type Moment,
  nameIn,
  type State,
  type Turn,
  tryInstead,
  waken,
} from './moments.ts';
import { type Choose, usual } from './scheduler.ts';
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

/** Of so many meetings of two histories in one state one is played on. */
const meetingsOfOne = 40;

/**
 * Plays histories of the world until each further order of its steps would lead through states that were visited. A history
 * that comes to a state in which another one was is played no further: what follows is the same, and where it is in a race
 * with the steps that led there, those orders are tried as well. So the parts of a request's life add up, where orders of
 * steps multiply. Steps that touch nothing in common lead to one state in either order, and one order of them is played
 * (source sets and sleep sets, as of Abdulla and others; states, as of Yang and others).
 */
export async function exhaust(world: World, { untilMs }: { readonly untilMs: number }): Promise<Exhausted> {
  const states = new Map<string, State>();
  const ends = new Set<string>();
  /** The way of the history that was played last, as far as it is not done with. */
  const moments: Moment[] = [];
  let path: readonly number[] = [];
  let histories = 0;
  let meetings = 0;
  let compared = 0;
  const result = (failure?: Failure): Exhausted => ({
    ...{ histories, states: states.size, ends, compared, failure },
    left: moments.reduce((sum, { todo }) => sum + todo.size, 0),
  });

  /** Plays as before up to the last moment, takes another turn there, and goes on to a state that is known or to the end. */
  async function playFrom(turn: Turn | undefined): Promise<{ readonly seen: Seen; readonly met: Moment | undefined }> {
    const from = moments.length - 1;
    let met: Moment | undefined;
    const choose: Choose = async (open, steps, stateOf) => {
      const n = steps.length;
      if (n < from) return path[n];
      if (n === from && turn !== undefined) return turn.place;
      const last = steps.at(-1);
      const before = moments.at(-1);
      const key = await stateOf(open);
      const known = states.get(key);
      const moment = createMoment(known ?? createState(steps), open);
      moments.push(moment);
      if (last !== undefined && before !== undefined) {
        moment.asleep = asleepAfter(before, last, moment);
        link(before, last, moment);
      }
      if (known !== undefined) {
        if (moments.some(({ state }, place) => state === known && place < n))
          throw new Error('a history came twice to one state');
        met = moment;
        return 'end';
      }
      states.set(key, moment.state);
      moment.state.asleep = new Map(moment.asleep);
      const awake = open.filter((point) => !moment.asleep.has(nameIn(moment, point)));
      const point = awake.find(({ name }) => name === turn?.next[n - from - 1]) ?? usual(awake);
      if (point === undefined) return 'end';
      moment.state.taken.set(nameIn(moment, point), undefined);
      return open.indexOf(point);
    };
    return { seen: await play(world, choose), met };
  }

  for (;;) {
    // The last moment comes first: what follows from a state is known once all of it was played.
    while (moments.at(-1)?.todo.size === 0) moments.pop();
    // The usual order is played however short the time is.
    if (histories > 0 && (moments.length === 0 || realNow() > untilMs)) return result();
    const from = Math.max(0, moments.length - 1);
    const { seen, met } = await playFrom(nextTurn(moments.at(-1)));
    histories++;
    path = seen.steps.map(({ place }) => place);
    const violations = faultsOf(seen);
    if (violations.length > 0) return result(failureOf(world, seen, violations));
    const [last, end] = [seen.steps.at(-1), moments.at(-1)];
    if (!seen.isCut) {
      ends.add(await seen.stateAtEnd());
      if (last !== undefined && end !== undefined) link(end, last, undefined);
    }
    const { races, before } = orderOf(seen.steps, from);
    const stepsOf = (numbers: readonly number[]) => numbers.flatMap((n) => seen.steps[n] ?? []);
    for (const { first, second, initials, instead } of races) {
      const way = stepsOf(instead.filter((n) => n === second || before[second]?.has(n) === true));
      tryInstead(moments[first], { initials: stepsOf(initials).map(({ point }) => point), way });
    }
    if (met === undefined) continue;
    const open = new Map(met.open.map((point) => [nameIn(met, point), point] as const));
    for (const race of racesWithLater({ steps: seen.steps, before, open }, futureOf(met.state)))
      tryInstead(moments[race.first], race);
    waken(met);
    if (meetings++ % meetingsOfOne > 0) continue;
    const [one, other] = [await playOn(world, met.state.path, meetings), await playOn(world, path, meetings)];
    compared++;
    if (one.state !== other.state) return result(failureOf(world, seen, [differOf(one, other)]));
  }
}

function nextTurn(moment: Moment | undefined): Turn | undefined {
  const [planned] = moment?.todo ?? [];
  if (moment === undefined || planned === undefined) return undefined;
  const [name, turn] = planned;
  moment.todo.delete(name);
  moment.state.taken.set(name, undefined);
  return turn;
}

const failureOf = (world: World, seen: Seen, violations: Failure['violations']): Failure => ({
  ...{ world, seed: 1, deviations: deviationsOf(seen.steps), violations, seen },
});

interface PlayedOn {
  readonly state: string;
  readonly labels: readonly string[];
}

/** Plays on from a state to the end by choices that depend on nothing but the state and the seed. */
async function playOn(world: World, path: ArrayLike<number>, seed: number): Promise<PlayedOn> {
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
