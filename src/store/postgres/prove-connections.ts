import { within } from '../../core/async/within.ts';
import { StoreUnavailable } from '../../core/view/errors.ts';

const answerWithinMs = 5_000;

/**
 * Refuses, at the start, a server or pooler with fewer connections than the bot uses, which would otherwise show as
 * writes that stall. Returns whether a pooler lends the connections: each transaction gets another one.
 */
export async function proveConnections(
  connections: readonly { readonly backendPid: () => Promise<number> }[],
  label: string,
): Promise<{ readonly isLent: boolean }> {
  const answers = await answersUntilSilence(connections);
  const pids = answers.filter((pid) => pid !== undefined);
  if (pids.length === 0) throw new StoreUnavailable(`opening ${label}: no answer within ${answerWithinMs / 1_000} s`);
  if (pids.length < connections.length) {
    throw new StoreUnavailable(
      `opening ${label}: it gives ${pids.length} connections and no more, and ${connections.length} are wanted here; lower HOSTLER_DATABASE_CONNECTIONS, or raise default_pool_size of PgBouncer or max_connections of PostgreSQL`,
    );
  }
  for (const [n, connection] of connections.entries()) {
    // Asked twice in a row: a pooler lends either the server process that was given back last, or each of them in turn.
    for (const pid of [await connection.backendPid(), await connection.backendPid()]) {
      if (pid !== pids[n] || pids.indexOf(pid) !== n) return { isLent: true };
    }
  }
  return { isLent: false };
}

/** The answers of all, or of those that came before a silence: a busy server opens its connections slowly. */
async function answersUntilSilence(
  connections: readonly { readonly backendPid: () => Promise<number> }[],
): Promise<(number | undefined)[]> {
  const answers: (number | undefined)[] = connections.map(() => undefined);
  const asked = new Set<Promise<void>>();
  for (const [n, one] of connections.entries()) {
    const answered = one.backendPid().then((pid) => {
      answers[n] = pid;
      asked.delete(answered);
    });
    asked.add(answered);
  }
  while (asked.size > 0) {
    const next = await within(Promise.race(asked), answerWithinMs);
    if (next.kind === 'failed') throw next.error;
    if (next.kind === 'late') break;
  }
  return answers;
}

/** A statement that was prepared on a connection of the bot alone is unknown on one that is lent. */
export const lentMeanwhile =
  'the pooler in between gives each transaction another connection since the bot was started; start the bot again';
