import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';

/** Pieces of work of the processes, and what each of them has read: what it does next depends on nothing else. */

/** The process or person in whose name something happens; it follows promises and timers. */
export const actors = new AsyncLocalStorage<string>();

/** A piece of work of a process: all that follows from one payload, one turn, one call of an interval, or a start. */
export interface Task {
  readonly actor: string;
  readonly name: string;
  /** A sum of what it has read, in any order: what it does next depends on this, and on what its process remembers. */
  seen: bigint;
  /** How often it has read with the same words. */
  readonly counts: Map<string, number>;
  isOver: boolean;
  /** Of a watch: how often it has looked. */
  looks: number;
}

/** Follows promises and timers, as the actor does. */
export const tasks = new AsyncLocalStorage<Task>();

/** Sunday noon: far from the end of a month, a week or a day. */
export const startedAt = Date.UTC(2026, 0, 4, 12);

let begun: Task[] = [];

export function forgetTasks(): void {
  begun = [];
}

export function runAs<T>(actor: string, task: Task | undefined, run: () => T): T {
  return actors.run(actor, () => (task === undefined ? tasks.exit(run) : tasks.run(task, run)));
}

/** True when the function that is being called was called, directly or not, by the bot's file of this name. */
export const comesFrom = (file: string): boolean => (new Error().stack ?? '').includes(`/${file}:`);

/** A watch remembers how often it has looked, and nothing that it read; an interval has a task for each of its calls. */
export function taskOfTimer(everyMs: number | undefined): Task | undefined {
  const task = tasks.getStore();
  if (everyMs !== undefined) return undefined;
  if (task === undefined || !comesFrom('step-watcher.ts')) return task;
  const watch = createTask(task.actor, 'watch');
  watch.isOver = true;
  watch.looks = task.name === 'watch' ? task.looks + 1 : 0;
  watch.seen = BigInt(watch.looks);
  return watch;
}

export function createTask(actor: string, name: string): Task {
  const task: Task = { actor, name, seen: 0n, counts: new Map(), isOver: false, looks: 0 };
  begun.push(task);
  return task;
}

/** Runs a piece of work of a process, and notes when it is over. */
export async function asTask<T>(actor: string, name: string, run: () => Promise<T>): Promise<T> {
  const task = createTask(actor, name);
  try {
    return await runAs(actor, task, run);
  } finally {
    task.isOver = true;
  }
}

/** Lists the tasks that were begun and not forgotten. */
export const listTasks = (): readonly Task[] => begun;

export function keepTasks(isKept: (task: Task) => boolean): void {
  begun = begun.filter(isKept);
}

/** Called with each answer from outside that a piece of work gets. */
export function observe(label: string, answer: string): void {
  const task = tasks.getStore();
  if (task === undefined) return;
  const question = roughly(label);
  const count = task.counts.get(question) ?? 0;
  task.counts.set(question, count + 1);
  task.seen = (task.seen + sumOf(`${question}\n${count}\n${roughly(answer)}`)) & 0xffffffffffffffffn;
}

/** Called where a piece of work needs nothing of what it has read, only what it is about to do. */
export function forgetAllBut(next: string): void {
  const task = tasks.getStore();
  if (task === undefined) return;
  task.counts.clear();
  task.seen = sumOf(next);
}

/** Called where a call of an interval has nothing left to do, if it is one. */
export function endInterval(): void {
  const task = tasks.getStore();
  if (task?.name.startsWith('each ') === true) task.isOver = true;
}

const sumOf = (text: string): bigint => createHash('sha1').update(text).digest().readBigUInt64LE();

/** Begins a piece of work that knows nothing but this; answers with a function that ends it. */
export function beginKnowing(name: string, what: string): () => void {
  const next = createTask(actors.getStore() ?? '', name);
  next.seen = sumOf(what);
  tasks.enterWith(next);
  return () => {
    next.isOver = true;
  };
}

/**
 * A text without what depends on the way to it: steps take next to no time, the id of an attempt is drawn by the name of its
 * step, and two people who approve at the same moment are named in either order. Ids that a process draws at its start are
 * its own, and stay.
 */
export const roughly = (text: string): string =>
  text
    .replace(/\b17[67]\d{10}(?:\.\d+)?\b/g, (time) => `${roughTime(Number(time))}`)
    .replace(/\b0{8}-0000-4000-8000-[0-9a-f]{12}\b/g, 'an attempt')
    .replace(/approved by [^\]]{0,80}\bU0\w+[^\]]{0,80}\bU0\w+/g, (names) => {
      const inOrder = names.match(/\bU0\w+/g)?.sort() ?? [];
      return names.replace(/\bU0\w+/g, () => inOrder.shift() ?? '');
    });

/** Steps of a history take up to 1.5 ms; with the delays that there are, no time is on both sides of such a border. */
export const roughTime = (time: number): number => Math.floor((time - startedAt + 0.2) / 5);
