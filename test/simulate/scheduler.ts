import { actors, advanceTo, dropTimers, fire, listTimers, settle, steadyNow } from './virtual-world.ts';

/**
 * Decides what happens next. Whatever a process does outside of its own memory is a point: a statement, a call, a message, a
 * timer. It waits there until it is chosen, and everything that follows from it happens before the next choice.
 */

export interface Resource {
  readonly name: string;
  readonly isWrite: boolean;
}

export interface Point {
  readonly id: number;
  readonly actor: string;
  readonly label: string;
  /** The step in which it came up; what happened before then cannot be reordered with it. */
  readonly parent: number;
  /** An act of the world outside: unless it is chosen, it waits until the processes have nothing left to do. */
  readonly isAct: boolean;
  /** An act that hits a process: unless it is chosen, it also waits until people have done what they do. */
  readonly isBlow: boolean;
  readonly release: () => void;
}

export interface Step {
  readonly point: number;
  readonly actor: string;
  readonly label: string;
  readonly parent: number;
  /** Touched by it and by what followed from it at once. */
  readonly resources: readonly Resource[];
  /** The points that could have been chosen instead. */
  readonly enabled: readonly number[];
  /** The places in that list at which an act of the world outside could have come here. */
  readonly acts: readonly number[];
}

/** Answers which of the points is taken, by its place in the list; undefined for the usual one. */
export type Choose = (enabled: readonly Point[], step: number) => number | undefined;

/** The oldest point of a process; an act of people where there is none, and a blow where there is none of these. */
export function usual(open: readonly Point[]): Point | undefined {
  return open.find(({ isAct }) => !isAct) ?? open.find(({ isBlow }) => !isBlow) ?? open[0];
}

export type Scheduler = ReturnType<typeof createScheduler>;

/** One step takes a millisecond, so that no two things happen at the same time. People are slower. */
const stepMs = 1;
const actMs = 250;

export function createScheduler(choose: Choose) {
  const points = new Map<number, Point>();
  const dead = new Set<string>();
  /** Processes that stand still, and until when. */
  const still = new Map<string, number>();
  const steps: Step[] = [];
  let touched: Resource[] = [];
  let nextPoint = 1;
  let isExplored = false;

  /** Resolves when it is chosen; never for a process that is dead. */
  function at(label: string, isAct = false, isBlow = false): Promise<void> {
    const actor = actors.getStore() ?? '';
    if (dead.has(actor)) return new Promise(() => {});
    return new Promise((resolve) => {
      const id = nextPoint++;
      points.set(id, { id, actor, label, parent: steps.length - 1, isAct, isBlow, release: resolve });
    });
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

  /** Timers that are due come up as points; time passes when nothing else can happen. */
  function enabled(): Point[] {
    for (const [actor, until] of still) if (until <= steadyNow()) still.delete(actor);
    const open = [...points.values()].filter(({ actor }) => !still.has(actor));
    if (open.length > 0) return open;
    const [first] = listTimers()
      .filter(({ actor }) => !still.has(actor))
      .sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
    const moves = Math.min(...still.values());
    if (still.size > 0 && moves <= (first?.dueAt ?? Infinity)) {
      advanceTo(moves);
      return enabled();
    }
    if (first === undefined) return [];
    advanceTo(first.dueAt);
    const id = nextPoint++;
    const { actor } = first;
    const point = { id, actor, label: 'timer', parent: -1, isAct: false, isBlow: false, release: () => fire(first) };
    points.set(id, point);
    return [point];
  }

  /** Takes steps until `isOver` says so, which is asked when nothing but time can pass; false when there were too many. */
  async function run(
    isOver: () => Promise<boolean>,
    afterEach: () => Promise<void>,
    mostSteps: number,
  ): Promise<boolean> {
    await settle();
    for (;;) {
      await afterEach();
      await settle();
      if (points.size === 0 && (await isOver())) return true;
      if (steps.length >= mostSteps) return false;
      const open = enabled();
      if (open.length === 0) return false;
      const wanted = isExplored && open.length > 1 ? choose(open, steps.length) : undefined;
      const chosen = (wanted === undefined ? undefined : open[wanted]) ?? usual(open);
      if (chosen === undefined) return false;
      points.delete(chosen.id);
      touched = [];
      advanceTo(steadyNow() + (chosen.isAct ? actMs : stepMs));
      const step = { point: chosen.id, actor: chosen.actor, label: chosen.label, parent: chosen.parent };
      const resources: Resource[] = touched;
      const acts = open.flatMap(({ isAct }, place) => (isAct && open[place] !== chosen ? [place] : []));
      steps.push({ ...step, resources, enabled: open.map(({ id }) => id), acts });
      touch({ name: `process ${chosen.actor}`, isWrite: false });
      chosen.release();
      await settle();
    }
  }

  /** Exploring starts here: the steps before are the same in every history. */
  function begin(): void {
    isExplored = true;
    steps.length = 0;
  }

  return { at, touch, kill, standStill, run, begin, steps, isDead: (actor: string) => dead.has(actor) };
}
