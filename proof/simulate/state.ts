import { createHash } from 'node:crypto';
import type { Point, Scheduler } from './scheduler.ts';
import { keepTasks, listTasks, roughly, roughTime, type Task } from './tasks.ts';
import { listTimers, steadyNow, virtualNow } from './virtual-world.ts';

export interface WorldNow {
  readonly open: readonly Point[];
  readonly scheduler: Scheduler;
  /** A hash of the rows. */
  readonly rows: string;
  /** Answers that each process may keep in its memory. */
  readonly memory: unknown;
  /** Everything that was seen from outside until now, which the judge reads, and how far the acts are. */
  readonly outside: unknown;
}

const hash = (text: string): string => createHash('sha1').update(text).digest('base64');

/**
 * Answers with the same hash for two states of the world from which everything goes on alike: the same rows, timers, acts that
 * are left and views of the outside, and the same pieces of work under way. A piece of work is told by all that it has read,
 * since it depends on nothing else but the memory of its process.
 */
export function hashState({ open, scheduler, rows, memory, outside }: WorldNow): string {
  const timers = listTimers();
  const points = open.filter(({ label }) => label !== 'timer');
  const waits = new Set<Task | undefined>([...points.map(({ task }) => task), ...timers.map(({ task }) => task)]);
  const busy = new Set([...points, ...timers.filter(({ everyMs }) => everyMs === undefined)].map(({ actor }) => actor));
  keepTasks((task) => {
    if (scheduler.isDead(task.actor)) return false;
    // Nobody says when a call of an interval is over: it is once its process has nothing left to do.
    const mayGoOn = !task.isOver && (!task.name.startsWith('each ') || busy.has(task.actor));
    return mayGoOn || waits.has(task);
  });
  const inOrder = [...timers].sort((a, b) => a.dueAt - b.dueAt || a.id - b.id);
  return hash(
    roughly(
      JSON.stringify([
        ...[roughTime(steadyNow()), rows, memory, outside],
        listTasks().map(nameOf).sort(),
        points.map(nameOfPoint).sort(),
        inOrder.map(({ actor, everyMs, dueAt, cameAt, idle, task }) => [
          ...[actor, everyMs ?? (task === undefined ? '' : nameOf(task)), roughTime(dueAt)],
          ...(everyMs === undefined ? [] : [idle, roughTime(cameAt)]),
        ]),
      ]),
    ),
  );
}

const nameOf = ({ actor, name, seen }: Task): string => `${actor} ${name} ${seen}`;

/** The same for one point of one state, however the state was reached. */
export const nameOfPoint = ({ actor, label, task }: Point): string =>
  `${label} of ${task === undefined ? actor : nameOf(task)}`;

/** The last answers that each process was given, with their times. */
export function createMemory() {
  const known = new Map<string, Map<string, string>>();
  return {
    remember: (process: string, what: string, answer: string): void => {
      const own = known.get(process) ?? new Map<string, string>();
      const at = what.startsWith('another') ? '' : roughTime(virtualNow());
      known.set(process, own.set(what, `${at} ${hash(roughly(answer))}`));
    },
    read: (isDead: (process: string) => boolean) =>
      [...known]
        .filter(([process]) => !isDead(process))
        .map(([process, own]) => [process, [...own].sort()] as const)
        // The process that remembered something first makes no state another one.
        .sort(([one], [other]) => (one < other ? -1 : 1)),
  };
}
