import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Time, timers and chance of a simulated run. This module is imported before any other: it puts the virtual clock in
 * place of the global timers and seeds what would be random, so that a run depends on nothing but its decisions.
 */

/** The process or person in whose name something happens; it follows promises and timers. */
export const actors = new AsyncLocalStorage<string>();
/** How many timeouts led to what happens, one set by the other. */
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
  /** Of an interval: when it came last, and how often it came since anything changed. */
  cameAt: number;
  idle: number;
  readonly run: () => unknown;
}

/** Sunday noon: far from the end of a month, a week or a day. */
const startedAt = Date.UTC(2026, 0, 4, 12);
const sweepMs = 1_000;
const mostFactor = 8;
/**
 * Delays of the engine are a fiftieth here, and leases are not: work that waits for what a killed process held would
 * look a thousand times. Such a short delay doubles from look to look instead.
 */
const shortMs = 20;
const mostChained = 6;

let clock = startedAt;
/** How far the clock on the wall was set away from the time that passes. */
let jumpedMs = 0;
let isInstalled = false;
let nextId = 1;
let chance = 1;
let timers = new Map<number, VirtualTimer>();
let immediates: { readonly actor: string; readonly chain: number; readonly run: () => void }[] = [];

/** The time that passes; no correction of a clock moves it. */
export const steadyNow = (): number => clock;
/** The time that a clock on the wall shows. */
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

/** Somebody, or a machine that woke up, sets the clock on the wall. */
export function jumpClock(ms: number): void {
  jumpedMs += ms;
}

/** Runs a piece of work of a process or person. */
export function runAs<T>(actor: string, run: () => T, chain = 0): T {
  return actors.run(actor, () => chains.run(chain, run));
}

/**
 * Everything that only waits for the machine happens: promises, and what was put off to the next turn of the event
 * loop.
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
 * Runs the callback of a timer; an interval stays for its next time. As long as nothing changes a sweep of a second
 * comes later from time to time, as on a machine that is slow: otherwise most steps of a history with a kill would be
 * sweeps that find nothing until the lease of the dead process lapses.
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

/** Sweeps that were put off come as usual again. */
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
