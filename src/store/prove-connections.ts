import { StoreUnavailable } from '../core/errors.ts';
import { within } from '../core/within.ts';

const answerWithinMs = 5_000;

/**
 * Refuses, at the start, two things that would otherwise show as writes that stall: a server or pooler with fewer
 * connections than the bot uses, and a pooler that gives each transaction another connection.
 */
export async function proveConnections(
  connections: readonly { readonly backendPid: () => Promise<number> }[],
  label: string,
): Promise<void> {
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
      if (pid !== pids[n] || pids.indexOf(pid) !== n)
        throw new StoreUnavailable(`opening ${label}: ${lentConnections}`);
    }
  }
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

/** The bot prepares statements and listens for notifications, and both need connections of its own. */
export const lentConnections =
  'a pooler is in between that gives each transaction another connection, as PgBouncer does with pool_mode = transaction; set pool_mode = session for this database, or point DATABASE_URL at PostgreSQL itself';
