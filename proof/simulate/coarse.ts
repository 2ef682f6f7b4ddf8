import { tablesIn } from './rows.ts';
import type { Resource } from './scheduler.ts';
import { sweepOf } from './sweeps.ts';
import { tasks } from './tasks.ts';

/**
 * Steps are coarse where some of what a process does outside of its own memory happens in the step that led to it: reading
 * what nothing changes there, a sweep with its timer, the delivery of messages, and a reply with the call.
 */

/** No act of such a world changes them, and no process does. */
const unchangingTables: ReadonlySet<string> = new Set([
  ...['entries', 'freezes', 'secrets', 'forms', 'alerts', 'observations', 'hooks', 'leases', 'archives'],
]);

/** An interval delivers messages, and says that its process is there. */
const tablesOfIntervals: ReadonlySet<string> = new Set(['messages', 'presence']);

/** Lists of the provider that name no server which is changed. */
export const isUnchangingList = (path: string): boolean => /^\/api\/(dns\/domain|project|orders\/ds)\/\?/.test(path);

export function isPartOfStep(sql: string): boolean {
  const tables = tablesIn(sql);
  if (tables.every((table) => unchangingTables.has(table))) return true;
  const isOfInterval = tasks.getStore()?.name.startsWith('each ') === true;
  return isOfInterval && (sweepOf(sql) !== undefined || tables.every((table) => tablesOfIntervals.has(table)));
}

export type Unchanging = ReturnType<typeof createUnchanging>;

/** Complains when something was changed that counts as unchanging. */
export function createUnchanging(complain: (what: string) => void) {
  const replies = new Map<string, string>();
  return {
    look: (changed: readonly Resource[]): void => {
      for (const { name } of changed)
        if (unchangingTables.has(name)) complain(`the table ${name} was changed, although it counts as unchanging`);
    },
    compare: (path: string, reply: string): void => {
      if ((replies.get(path) ?? reply) !== reply)
        complain(`${path} has another reply, although it counts as unchanging`);
      replies.set(path, reply);
    },
  };
}
