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
 * Decides what happens next. Whatever a process does outside of its own memory is a point: a statement, a call, a
 * message, a timer. It waits there until it is chosen, and everything that follows from it happens before the next
 * choice.
 */

export interface Point {
  readonly id: number;
  readonly actor: string;
  readonly label: string;
  /** An act of the world outside: unless it is chosen, it waits until the processes have nothing left to do. */
  readonly isAct: boolean;
  /** An act that may come at any time: unless it is chosen, it waits until nothing is under way any more. */
  readonly isLate: boolean;
  readonly release: () => void;
}

export interface Step {
  readonly actor: string;
  readonly label: string;
  readonly isAct: boolean;
  /** The processes that were killed in it. */
  readonly killed: string[];
}

/** Answers which of the points is taken, by its place in the list; undefined for the usual one. */
export type Choose = (open: readonly Point[], steps: readonly Step[]) => number | undefined;

/**
 * The oldest point of a process; an act of people where there is none, then a timer, and then an act that may come
 * late.
 */
export function usual(open: readonly Point[]): Point | undefined {
  return open.find(({ isAct }) => !isAct) ?? open.find(({ isLate }) => !isLate) ?? open[0];
}

/** Says whether anything is under way. */
export interface Rest {
  /** Nothing is under way that would go on if time passed. */
  readonly isQuiet: () => Promise<boolean>;
  readonly isOver: () => Promise<boolean>;
}

/** No two things happen at the same time, but all steps of a history take less time than a timer. */
export const stepMs = 0.001;
/** People are slower: what the bot looked up before may have become too old for it. */
export const actMs = 250;

export type Scheduler = ReturnType<typeof createScheduler>;

export function createScheduler(choose: Choose, { areActsLate = false }: { readonly areActsLate?: boolean } = {}) {
  const points = new Map<number, Point>();
  const dead = new Set<string>();
  /** Processes that stand still, and until when. */
  const still = new Map<string, number>();
  const steps: Step[] = [];
  let nextPoint = 1;
  let hasBegun = false;

  /** Resolves when it is chosen; never for a process that is dead. */
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

  /** Nothing of this process happens for `ms`, while time passes for all others. */
  function standStill(actor: string, ms: number): void {
    still.set(actor, steadyNow() + ms);
  }

  /** Timers that are due come up as points; time passes when nothing else can happen, or only what may come late. */
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

  /** Takes steps until it is over, which is asked when nothing but time can pass; false when there were too many. */
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
      take(chosen);
      await settle();
    }
  }

  function take({ id, actor, label, isAct, release }: Point): void {
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
    /** Choosing starts here: the steps before are the same in every history. */
    begin: () => {
      hasBegun = true;
      steps.length = 0;
    },
    steps,
    isDead: (actor: string) => dead.has(actor),
  };
}
