import { createHash } from 'node:crypto';
import { actors, type Task, tasks } from './tasks.ts';
import {
  advanceTo,
  drawFor,
  dropTimers,
  fire,
  joinBy,
  listTimers,
  nameBy,
  noteChange,
  settle,
  steadyNow,
  type VirtualTimer,
} from './virtual-world.ts';

/**
 * Decides what happens next. Whatever a process does outside of its own memory is a point: a statement, a call, a message, a
 * timer. It waits there until it is chosen, and everything that follows from it happens before the next choice.
 */

export type Columns = { readonly only: ReadonlySet<string> } | { readonly but: ReadonlySet<string> };

export interface Resource {
  readonly name: string;
  /** Undefined for all rows of the table, or all things of that kind. */
  readonly row?: string;
  /** Undefined for all columns of the row. */
  readonly columns?: Columns;
  readonly isWrite: boolean;
  /** It may change places with others that are such writes. */
  readonly isAlike?: true;
}

export interface Point {
  readonly id: number;
  /** The same in all orders: how it came up. */
  readonly name: string;
  readonly actor: string;
  readonly label: string;
  /** The steps without which it would not have come up: they cannot be reordered with it. */
  readonly parents: readonly number[];
  /** An act of the world outside: unless it is chosen, it waits until the processes have nothing left to do. */
  readonly isAct: boolean;
  /** An act that may come at any time: unless it is chosen, it waits until nothing is under way any more. */
  readonly isLate: boolean;
  /** The piece of work that waits for it. */
  readonly task: Task | undefined;
  readonly release: () => void;
}

export interface Step {
  readonly point: number;
  readonly name: string;
  readonly actor: string;
  readonly label: string;
  readonly parents: readonly number[];
  /** Touched by it and by what followed from it at once. */
  readonly resources: readonly Resource[];
  /** The points that could have been chosen instead. */
  readonly enabled: readonly number[];
  /** Its place in that list, and that of the usual one. */
  readonly place: number;
  readonly usualPlace: number;
  readonly isAct: boolean;
}

/** Answers which of the points is taken, by its place in the list; undefined for the usual one; `end` to play no further. */
export type Choose = (enabled: readonly Point[], steps: readonly Step[], stateOf: StateOf) => Choice | Promise<Choice>;
export type Choice = number | undefined | 'end';
/** Answers with a hash of the state in which these points are open: what comes next depends on nothing else. */
export type StateOf = (open: readonly Point[]) => Promise<string>;

/** The oldest point of a process; an act of people where there is none, then a timer, and then an act that may come late. */
export function usual(open: readonly Point[]): Point | undefined {
  return open.find(({ isAct }) => !isAct) ?? open.find(({ isLate }) => !isLate) ?? open[0];
}

/** Says whether anything is under way. */
export interface Rest {
  /** Nothing is under way that would go on if time passed. */
  readonly isQuiet: () => Promise<boolean>;
  readonly isOver: () => Promise<boolean>;
}

/**
 * A step takes next to no time: no two things happen at the same time, but all steps of a history take less than a timer.
 * Which timer comes first must not depend on steps that have nothing to do with either.
 */
export const stepMs = 0.001;
/** People are slower. */
export const actMsIn = ({ areActsQuick = false }: Pace): number => (areActsQuick ? 250 * stepMs : 250);

export type Scheduler = ReturnType<typeof createScheduler>;

/** Timers change it, and so does what starts a process. */
export const time = 'time';

const shorten = (name: string): string =>
  name.length < 40 ? name : createHash('sha1').update(name).digest('base64url').slice(0, 20);

export interface Pace {
  readonly areActsLate?: boolean;
  readonly areActsQuick?: boolean;
  readonly areStepsCoarse?: boolean;
}

export function createScheduler(choose: Choose, stateOf: StateOf, pace: Pace = {}) {
  const actMs = actMsIn(pace);
  const points = new Map<number, Point>();
  const dead = new Set<string>();
  /** Processes that stand still, and until when. */
  const still = new Map<string, number>();
  const steps: Step[] = [];
  let touched: Resource[] = [];
  let nextPoint = 1;
  let isExplored = false;
  let isEnded = false;
  /** Names all that comes up in this step: after the step, or after all the steps for which it waited. */
  let origin = '';
  let named = 0;
  const nameNext = () => shorten(`${origin}.${named++}`);
  nameBy(nameNext);
  const stepNow = () => steps.length - 1;
  /** The steps for whose outcome something waited that goes on in this step. */
  const joins = new Map<number, ReadonlySet<number>>();
  const joinedIn = (step: number): ReadonlySet<number> => joins.get(step) ?? new Set();
  joinBy({
    stepNow,
    join: (more) => {
      const all = new Set([...joinedIn(stepNow()), ...more.flatMap((step) => [step, ...joinedIn(step)])]);
      joins.set(stepNow(), all);
      // Whichever of them was the last one.
      const names = [...all].map((step) => steps[step]?.name ?? '');
      originate(shorten(`after ${names.sort().join(' ')}`));
    },
  });
  const originate = (name: string) => {
    if (origin === name) return;
    origin = name;
    named = 0;
    drawFor(name);
  };

  /** Resolves when it is chosen; never for a process that is dead. */
  function at(label: string, isAct = false, isLate = false): Promise<void> {
    const actor = actors.getStore() ?? '';
    if (dead.has(actor)) return new Promise(() => {});
    return new Promise((resolve) => {
      const id = nextPoint++;
      const parents = [...new Set([...joinedIn(stepNow()), stepNow()])].filter((step) => step >= 0);
      points.set(id, {
        ...{ id, name: nameNext(), actor, label, parents, isAct, release: resolve },
        isLate: isLate || (isAct && pace.areActsLate === true),
        task: tasks.getStore(),
      });
    });
  }

  /** A point; what is part of the step that led to it happens there where steps are coarse. */
  function atUnlessPart(label: string, isPart = true): Promise<void> {
    const isPoint = !isPart || pace.areStepsCoarse !== true || dead.has(actors.getStore() ?? '');
    return isPoint ? at(label) : Promise.resolve();
  }

  function touch(...resources: readonly Resource[]): void {
    touched.push(...resources);
  }

  function kill(actor: string): void {
    dead.add(actor);
    dropTimers(actor);
    for (const [id, point] of points) if (point.actor === actor) points.delete(id);
  }

  /** Nothing of this process happens for so long, while time passes for all others. */
  function standStill(actor: string, ms: number): void {
    still.set(actor, steadyNow() + ms);
  }

  /** Timers that are due come up as points; time passes when nothing else can happen, or only what may come late. */
  async function enabled({ isQuiet }: Rest): Promise<Point[]> {
    for (const [actor, until] of still) if (until <= steadyNow()) still.delete(actor);
    const open = [...points.values()].filter(({ actor }) => !still.has(actor));
    if (open.some(({ isLate }) => !isLate) || (open.length > 0 && (await isQuiet()))) return open;
    const [first] = listTimers()
      .filter(({ actor }) => !still.has(actor))
      .sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
    const moves = Math.min(...still.values());
    if (still.size > 0 && moves <= (first?.dueAt ?? Infinity)) {
      if (open.length > 0) return open;
      advanceTo(moves);
      return enabled({ isQuiet, isOver: isQuiet });
    }
    return first === undefined ? open : [...open, pointOf(first)];
  }

  function pointOf(timer: VirtualTimer): Point {
    const release = () => {
      // A process that is started before it has its own timers at other times.
      touch({ name: time, isWrite: true, isAlike: true });
      advanceTo(timer.dueAt);
      fire(timer);
    };
    const { actor, name, task } = timer;
    return { id: nextPoint++, name, actor, label: 'timer', parents: [], isAct: false, isLate: false, task, release };
  }

  /** Takes steps until it is over, which is asked when nothing but time can pass; false when there were too many. */
  async function run(rest: Rest, afterEach: () => Promise<void>, mostSteps: number): Promise<boolean> {
    await settle();
    for (;;) {
      await afterEach();
      await settle();
      markEffects();
      if (points.size === 0 && (await rest.isOver())) return true;
      if (steps.length >= mostSteps) return false;
      const open = await enabled(rest);
      if (open.length === 0) return false;
      const wanted = isExplored ? await choose(open, steps, stateOf) : undefined;
      isEnded = wanted === 'end';
      if (wanted === 'end') return false;
      const chosen = (wanted === undefined ? undefined : open[wanted]) ?? usual(open);
      if (chosen === undefined) return false;
      take(chosen, open);
      await settle();
    }
  }

  function take({ id, name, actor, label, parents, isAct, release }: Point, open: readonly Point[]): void {
    points.delete(id);
    touched = [];
    advanceTo(steadyNow() + (isAct ? actMs : stepMs));
    const enabled = open.map((one) => one.id);
    const usualPlace = enabled.indexOf(usual(open)?.id ?? id);
    const step = { point: id, name, actor, label, parents, resources: touched, enabled, place: enabled.indexOf(id) };
    steps.push({ ...step, usualPlace, isAct });
    touch({ name: 'process', row: actor, isWrite: false }, { name: 'clock', isWrite: false });
    originate(name);
    release();
  }

  /** A process that is killed leaves what it changed; what it only read is lost with it, so its last reads do not matter. */
  function markEffects(): void {
    const actor = steps.at(-1)?.actor;
    if (actor === undefined || !touched.some(({ name, isWrite }) => isWrite && name !== time)) return;
    touch({ name: 'effects', row: actor, isWrite: false });
    // A sweep looks for rows, and not at the account.
    if (touched.some(({ name, isWrite }) => isWrite && name !== time && name !== 'provider')) noteChange();
  }

  /** Exploring starts here: the steps before are the same in every history. */
  function begin(): void {
    isExplored = true;
    steps.length = 0;
    joins.clear();
  }

  return {
    at,
    atUnlessPart,
    hasBegun: () => isExplored,
    areStepsCoarse: pace.areStepsCoarse === true,
    touch,
    kill,
    standStill,
    run,
    begin,
    steps,
    isDead: (actor: string) => dead.has(actor),
    /** It was chosen to play no further. */
    isEnded: () => isEnded,
  };
}
