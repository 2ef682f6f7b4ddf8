import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import {
  actors,
  comesFrom,
  createTask,
  forgetTasks,
  runAs,
  startedAt,
  type Task,
  taskOfTimer,
  tasks,
} from './tasks.ts';

/**
 * Time, timers and chance of a simulated run. This module is imported before any other: it puts the virtual clock in place
 * of the global timers and seeds what would be random, so that a run depends on nothing but its decisions.
 */

const realImmediate = globalThis.setImmediate;
const realClear = globalThis.clearTimeout;
const realDate = Date.now;

export interface VirtualTimer {
  readonly id: number;
  /** Of the step in which it was set, and how many points and timers came up there before it. */
  name: string;
  readonly actor: string;
  dueAt: number;
  readonly everyMs: number | undefined;
  /** Of an interval: when it came last, and how often it came since anything changed. */
  cameAt: number;
  idle: number;
  /** The task that set it; each call of an interval is one of its own. */
  readonly task: Task | undefined;
  /** An interval that says its process is there: others rely on it. */
  readonly isKept: boolean;
  readonly run: () => unknown;
}

const sweepMs = 1_000;
const keepMs = 5_000;
const mostFactor = 8;
/** A sweep that found nothing waits for so long where sweeps are rare, more than the lease of a process. */
const rareMs = 25_000;
let isRare = false;

/**
 * Delays of a watch are a fiftieth here, and leases are not: a watch that waits for what a killed process held would look a
 * thousand times. The shortest of its delays doubles from look to look instead.
 */
const shortestWatchMs = 20;
const mostWatchFactor = 64;

const factorOf = (task: Task | undefined, ms: number): number =>
  task?.name === 'watch' && ms <= shortestWatchMs ? Math.min(2 ** task.looks, mostWatchFactor) : 1;

let clock = startedAt;
/** How far the clock on the wall was set away from the time that passes. */
let jumpedMs = 0;
let isInstalled = false;
let nextId = 1;
let seed = 1;
let stepSeed = 1;
/** Names what comes up in the step that is taken. */
let nameNext: () => string = () => '';
let step: () => number = () => -1;
let joinSteps: (steps: readonly number[]) => void = () => {};
let timers = new Map<number, VirtualTimer>();
/** True: a delay that is spread by chance is always the middle one, so that no timer depends on the way to it. */
let isEven = false;
let immediates: { readonly actor: string; readonly task: Task | undefined; readonly run: () => void }[] = [];

/** The time that passes; no correction of a clock moves it. */
export const steadyNow = (): number => clock;
/** The time that a clock on the wall shows. */
export const virtualNow = (): number => clock + jumpedMs;
export const realNow = (): number => realDate();
export const listTimers = (): VirtualTimer[] => [...timers.values()];

export function resetWorld(
  to: number,
  {
    isChanceEven = false,
    areSweepsRare = false,
  }: { readonly isChanceEven?: boolean; readonly areSweepsRare?: boolean } = {},
): void {
  isEven = isChanceEven;
  isRare = areSweepsRare;
  clock = startedAt;
  jumpedMs = 0;
  nextId = 1;
  seed = to;
  stepSeed = to;
  nameNext = () => '';
  step = () => -1;
  joinSteps = () => {};
  timers = new Map();
  immediates = [];
  forgetTasks();
}

export function nameBy(name: () => string): void {
  nameNext = name;
}

/** Notes that something which waits for several promises follows from all the steps in which they were kept, not from the last. */
export function joinBy({ stepNow, join }: { stepNow: () => number; join: (steps: readonly number[]) => void }): void {
  step = stepNow;
  joinSteps = join;
}

/** Chance in a step depends on the name of the step alone, so that steps in another order draw the same. */
export function drawFor(name: string): void {
  stepSeed = seed;
  for (const letter of name) stepSeed = (Math.imul(stepSeed ^ letter.charCodeAt(0), 16_777_619) + 97) >>> 0;
}

export function advanceTo(time: number): void {
  clock = Math.max(clock, time);
}

/** Somebody, or a machine that woke up, sets the clock on the wall. */
export function jumpClock(ms: number): void {
  jumpedMs += ms;
}

/** Everything that only waits for the machine happens: promises, and what was put off to the next turn of the event loop. */
export async function settle(): Promise<void> {
  for (;;) {
    await new Promise<void>((resolve) => realImmediate(resolve));
    const due = immediates;
    if (due.length === 0) return;
    immediates = [];
    for (const { actor, task, run } of due) runAs(actor, task, run);
  }
}

function waitOf({ everyMs = 1, idle, isKept }: VirtualTimer): number {
  if (isRare) return isKept || idle === 0 ? everyMs : Math.max(everyMs, rareMs);
  return everyMs <= sweepMs ? everyMs * Math.min(2 ** idle, mostFactor) : everyMs;
}

/**
 * The callback of a timer; an interval stays for its next time. As long as nothing changes a sweep of a second comes later
 * from time to time, as on a machine that is slow: otherwise most steps of a history with a kill would be sweeps that find
 * nothing until the lease of the dead process lapses.
 */
export function fire(timer: VirtualTimer): void {
  const { id, actor, everyMs } = timer;
  if (everyMs === undefined) timers.delete(id);
  else {
    timer.cameAt = clock;
    timer.dueAt = clock + waitOf(timer);
    if (isRare && !timer.isKept) timer.idle = 1;
    else if (everyMs <= sweepMs) timer.idle++;
    timer.name += '+';
  }
  if (everyMs === undefined) {
    runAs(actor, timer.task, timer.run);
    return;
  }
  const task = createTask(actor, `each ${everyMs} ms`);
  const work = runAs(actor, task, timer.run);
  const end = () => {
    task.isOver = true;
  };
  if (work instanceof Promise) work.then(end, end);
}

/** Sweeps that were put off come as usual again. */
export function noteChange(): void {
  for (const timer of timers.values()) {
    if (timer.idle === 0) continue;
    timer.idle = 0;
    timer.dueAt = usualAfter(clock, timer);
  }
}

/** Sweeps that are rare keep their own moments: most would be due at once, in an order that depends on the way. */
function usualAfter(now: number, { cameAt, everyMs = 1 }: VirtualTimer): number {
  const times = isRare ? Math.ceil((now + 1 - cameAt) / everyMs) : 1;
  return Math.max(now + 1, cameAt + everyMs * times);
}

/** The timers of a killed process never fire. */
export function dropTimers(actor: string): void {
  for (const timer of listTimers()) if (timer.actor === actor) timers.delete(timer.id);
}

export function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  const begin = (run: () => unknown, ms: number, everyMs: number | undefined) => {
    const id = nextId++;
    const task = taskOfTimer(everyMs);
    timers.set(id, {
      id,
      name: nameNext(),
      actor: actors.getStore() ?? '',
      dueAt: clock + Math.max(1, ms || 0) * factorOf(task, ms),
      everyMs,
      cameAt: clock,
      idle: 0,
      task,
      isKept: everyMs === keepMs && comesFrom('runner.ts'),
      run,
    });
    const handle = {
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      refresh: () => handle,
      close: () => timers.delete(id),
      [Symbol.toPrimitive]: () => id,
      [Symbol.dispose]: () => timers.delete(id),
    };
    return handle;
  };
  const end = (handle: unknown) => {
    if (typeof handle === 'object' && handle !== null && Symbol.toPrimitive in handle) timers.delete(Number(handle));
    else realClear(handle as NodeJS.Timeout);
  };
  const random = () => {
    stepSeed = (Math.imul(stepSeed, 1_664_525) + 1_013_904_223) >>> 0;
    return stepSeed / 2 ** 32;
  };
  Object.assign(globalThis, {
    setTimeout: (run: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) =>
      begin(() => run(...args), ms, undefined),
    setInterval: (run: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) =>
      begin(() => run(...args), ms, Math.max(1, ms)),
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => {
      immediates.push({ actor: actors.getStore() ?? '', task: tasks.getStore(), run: () => run(...args) });
      return undefined;
    },
    clearTimeout: end,
    clearInterval: end,
    clearImmediate: end,
  });
  const noteJoins =
    (together: (items: readonly unknown[]) => Promise<unknown>) =>
    async (items: Iterable<unknown>): Promise<unknown> => {
      const settledIn: number[] = [];
      const noted = [...items].map(async (item) => {
        try {
          return await item;
        } finally {
          settledIn.push(step());
        }
      });
      try {
        return await together(noted);
      } finally {
        joinSteps(settledIn);
      }
    };
  Object.assign(Promise, {
    all: noteJoins(Promise.all.bind(Promise)),
    allSettled: noteJoins(Promise.allSettled.bind(Promise)),
  });
  Date.now = virtualNow;
  performance.now = () => clock - startedAt;
  Math.random = () => (isEven ? 0.5 : random());
  const bytes = (size: number) => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)));
  Object.assign(crypto, {
    randomUUID: () =>
      `00000000-0000-4000-${tasks.getStore()?.name === 'start' ? '9' : '8'}000-${bytes(6).toString('hex')}`,
    randomBytes: bytes,
    randomInt: (low: number, high?: number) =>
      high === undefined ? Math.floor(random() * low) : low + Math.floor(random() * (high - low)),
  });
  syncBuiltinESMExports();
}
