import {
  actors,
  advanceTo,
  dropTimers,
  fire,
  listTimers,
  noteChange,
  settle,
  steadyNow,
  type VirtualTimer,
} from './virtual-world.ts';

/**
 * Decides which event happens next. Each effect of a process outside of its memory is a point: a statement, a call, a
 * message, a timer. The process waits at the point until it is chosen, and all consequences happen before the next
 * choice.
 */

export interface Point {
  readonly id: number;
  readonly actor: string;
  readonly label: string;
  /** An act of the outside: by default it happens when the processes have no other points. */
  readonly isAct: boolean;
  /** An act that can happen at any time: by default it happens when all work is done. */
  readonly isLate: boolean;
  readonly release: () => void;
}

export interface Step {
  readonly actor: string;
  readonly label: string;
  readonly isAct: boolean;
  /** The processes that were killed in this step. */
  readonly killed: string[];
}

/** Returns the index of the point to choose; undefined for the usual one. */
export type Choose = (open: readonly Point[], steps: readonly Step[]) => number | undefined;

/**
 * The oldest point of a process; without one, an act of people, then a timer, and last a late act.
 */
export function usual(open: readonly Point[]): Point | undefined {
  return open.find(({ isAct }) => !isAct) ?? open.find(({ isLate }) => !isLate) ?? open[0];
}

/** Tells whether work is left. */
export interface Rest {
  /** True if no work would continue when time passes. */
  readonly isQuiet: () => Promise<boolean>;
  readonly isOver: () => Promise<boolean>;
}

/** The time of a step: no two steps are simultaneous, and all steps of a history are shorter than a timer. */
export const stepMs = 0.001;
/** The time of a person's act, in which the bot's lookups may become too old. */
export const actMs = 250;

export type Scheduler = ReturnType<typeof createScheduler>;

export function createScheduler(choose: Choose, { areActsLate = false }: { readonly areActsLate?: boolean } = {}) {
  const points = new Map<number, Point>();
  const dead = new Set<string>();
  /** Suspended processes, with the time at which they continue. */
  const still = new Map<string, number>();
  const steps: Step[] = [];
  let nextPoint = 1;
  let hasBegun = false;

  /** Adds a point; resolves when it is chosen, and never for a dead process. */
  function at(label: string, isAct = false, isLate = false): Promise<void> {
    const actor = actors.getStore() ?? '';
    if (dead.has(actor)) return new Promise(() => {});
    return new Promise((resolve) => {
      const id = nextPoint++;
      points.set(id, { id, actor, label, isAct, isLate: isLate || (isAct && areActsLate), release: resolve });
    });
  }

  function kill(actor: string): void {
    dead.add(actor);
    steps.at(-1)?.killed.push(actor);
    dropTimers(actor);
    for (const [id, point] of points) if (point.actor === actor) points.delete(id);
  }

  /** Suspends the process for `ms`, while time passes for all others. */
  function standStill(actor: string, ms: number): void {
    still.set(actor, steadyNow() + ms);
  }

  /** The points to choose from. The next timer is one of them if there are no others, or only late acts. */
  async function openPoints(isQuiet: Rest['isQuiet']): Promise<Point[]> {
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
      return openPoints(isQuiet);
    }
    return first === undefined ? open : [...open, pointOf(first)];
  }

  function pointOf(timer: VirtualTimer): Point {
    const release = () => {
      advanceTo(timer.dueAt);
      fire(timer);
    };
    return { id: nextPoint++, actor: timer.actor, label: 'timer', isAct: false, isLate: false, release };
  }

  /** Runs steps until `isOver`, which is checked when no points are left. False after too many steps. */
  async function run({ isQuiet, isOver }: Rest, afterEach: () => Promise<void>, mostSteps: number): Promise<boolean> {
    await settle();
    for (;;) {
      await afterEach();
      await settle();
      if (points.size === 0 && (await isOver())) return true;
      if (steps.length >= mostSteps) return false;
      const open = await openPoints(isQuiet);
      const wanted = hasBegun ? choose(open, steps) : undefined;
      const chosen = (wanted === undefined ? undefined : open[wanted]) ?? usual(open);
      if (chosen === undefined) return false;
      perform(chosen);
      await settle();
    }
  }

  function perform({ id, actor, label, isAct, release }: Point): void {
    points.delete(id);
    advanceTo(steadyNow() + (isAct ? actMs : stepMs));
    steps.push({ actor, label, isAct, killed: [] });
    if (isAct) noteChange();
    release();
  }

  return {
    at,
    kill,
    standStill,
    run,
    /** Starts choosing; the steps before are the same in every history. */
    begin: () => {
      hasBegun = true;
      steps.length = 0;
    },
    steps,
    isDead: (actor: string) => dead.has(actor),
  };
}
