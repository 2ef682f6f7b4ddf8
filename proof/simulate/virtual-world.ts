import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * The time, timers and randomness of a simulated run. This module is imported before any other: it replaces the clock,
 * the global timers and the random numbers, so that a run depends only on its decisions.
 */

/** The process or person that causes the running code, through promises and timers. */
export const actors = new AsyncLocalStorage<string>();
/** The number of timeouts that led to the running code, each set by the one before. */
const chains = new AsyncLocalStorage<number>();

const realImmediate = globalThis.setImmediate;
const realClear = globalThis.clearTimeout;
const realDate = Date.now;

export interface VirtualTimer {
  readonly id: number;
  readonly actor: string;
  readonly chain: number;
  dueAt: number;
  readonly everyMs: number | undefined;
  /** For an interval: the time of its last run, and in `idle` the number of runs since the last change. */
  cameAt: number;
  idle: number;
  readonly run: () => unknown;
}

/** Sunday noon: far from the end of a month, a week or a day. */
const startedAt = Date.UTC(2026, 0, 4, 12);
const sweepMs = 1_000;
const mostFactor = 8;
/**
 * The engine's delays are a fiftieth here, but its leases are not: work that waits for a killed process would poll a
 * thousand times. So delays this short double with each poll.
 */
const shortMs = 20;
const mostChained = 6;

let clock = startedAt;
/** The difference between the wall clock and the time that passes. */
let jumpedMs = 0;
let isInstalled = false;
let nextId = 1;
let chance = 1;
let timers = new Map<number, VirtualTimer>();
let immediates: { readonly actor: string; readonly chain: number; readonly run: () => void }[] = [];

/** The time that passes, independent of the wall clock. */
export const steadyNow = (): number => clock;
/** The time of the wall clock. */
export const virtualNow = (): number => clock + jumpedMs;
export const realNow = (): number => realDate();
export const listTimers = (): VirtualTimer[] => [...timers.values()];

export function resetWorld(seed: number): void {
  clock = startedAt;
  jumpedMs = 0;
  nextId = 1;
  chance = seed;
  timers = new Map();
  immediates = [];
}

export function advanceTo(time: number): void {
  clock = Math.max(clock, time);
}

/** Sets the wall clock, as a person does, or a machine that wakes up. */
export function jumpClock(ms: number): void {
  jumpedMs += ms;
}

/** Runs code of a process or person. */
export function runAs<T>(actor: string, run: () => T, chain = 0): T {
  return actors.run(actor, () => chains.run(chain, run));
}

/**
 * Runs everything that waits only for the machine: promises, and callbacks for the next turn of the event loop.
 */
export async function settle(): Promise<void> {
  for (;;) {
    await new Promise<void>((resolve) => realImmediate(resolve));
    const due = immediates;
    if (due.length === 0) return;
    immediates = [];
    for (const { actor, chain, run } of due) runAs(actor, run, chain);
  }
}

/**
 * Runs the callback of a timer and reschedules an interval. While nothing changes, a sweep with an interval of a second
 * comes later each time, as on a slow machine: otherwise most steps of a history with a kill would be idle sweeps until
 * the dead process's lease expires.
 */
export function fire(timer: VirtualTimer): void {
  const { id, actor, everyMs, chain, run } = timer;
  if (everyMs === undefined) {
    timers.delete(id);
    runAs(actor, run, chain + 1);
    return;
  }
  timer.cameAt = clock;
  timer.dueAt = clock + (everyMs <= sweepMs ? everyMs * Math.min(2 ** timer.idle++, mostFactor) : everyMs);
  runAs(actor, run);
}

/** Resets the intervals of delayed sweeps after a change. */
export function noteChange(): void {
  for (const timer of timers.values()) {
    if (timer.idle === 0) continue;
    timer.idle = 0;
    timer.dueAt = Math.max(clock + 1, timer.cameAt + (timer.everyMs ?? 0));
  }
}

/** The timers of a killed process never fire. */
export function dropTimers(actor: string): void {
  for (const timer of listTimers()) if (timer.actor === actor) timers.delete(timer.id);
}

function random(): number {
  chance = (Math.imul(chance, 1_664_525) + 1_013_904_223) >>> 0;
  return chance / 2 ** 32;
}

function begin(run: () => unknown, ms: number, everyMs: number | undefined) {
  const id = nextId++;
  const chain = everyMs === undefined ? (chains.getStore() ?? 0) : 0;
  const delay = Math.max(1, ms || 0) * (ms <= shortMs ? 2 ** Math.min(chain, mostChained) : 1);
  const actor = actors.getStore() ?? '';
  timers.set(id, { id, actor, chain, dueAt: clock + delay, everyMs, cameAt: clock, idle: 0, run });
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
}

function end(handle: unknown): void {
  if (typeof handle === 'object' && handle !== null && Symbol.toPrimitive in handle) timers.delete(Number(handle));
  else realClear(handle as NodeJS.Timeout);
}

export function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  Object.assign(globalThis, {
    setTimeout: (run: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) =>
      begin(() => run(...args), ms, undefined),
    setInterval: (run: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) =>
      begin(() => run(...args), ms, Math.max(1, ms)),
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => {
      immediates.push({
        actor: actors.getStore() ?? '',
        chain: chains.getStore() ?? 0,
        run: () => run(...args),
      });
      return undefined;
    },
    clearTimeout: end,
    clearInterval: end,
    clearImmediate: end,
  });
  Date.now = virtualNow;
  performance.now = () => clock - startedAt;
  Math.random = random;
  const bytes = (size: number) => Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)));
  Object.assign(crypto, {
    randomUUID: () => `00000000-0000-4000-8000-${bytes(6).toString('hex')}`,
    randomBytes: bytes,
    randomInt: (low: number, high?: number) =>
      high === undefined ? Math.floor(random() * low) : low + Math.floor(random() * (high - low)),
  });
  syncBuiltinESMExports();
}
