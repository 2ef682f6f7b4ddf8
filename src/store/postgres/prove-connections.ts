import { within } from '../../core/async/within.ts';
import { StoreUnavailable } from '../../core/view/errors.ts';

const answerWithinMs = 5_000;
/** The first queries end by silence, so that a slow one does not count as a lost connection. */
const firstAnswerWithinMs = 60_000;

/** Asks the server which of its processes serves a connection. */
type BackendPid = (withinMs?: number) => Promise<number>;

/**
 * Refuses, at the start, a server or pooler with fewer connections than the bot uses: writes would stall later.
 * `isLent`: a pooler lends the connections, so that each transaction may get a different one.
 */
export async function proveConnections(connections: readonly BackendPid[], label: string) {
  const answers = await answersUntilSilence(connections);
  const pids = answers.filter((pid) => pid !== undefined);
  if (pids.length === 0) throw new StoreUnavailable(`opening ${label}: no answer within ${answerWithinMs / 1_000} s`);
  if (pids.length < connections.length) {
    throw new StoreUnavailable(
      `opening ${label}: it gives ${pids.length} connections and no more, and ${connections.length} are wanted here; lower HOSTLER_DATABASE_CONNECTIONS, or raise default_pool_size of PgBouncer or max_connections of PostgreSQL`,
    );
  }
  for (const [n, backendPid] of connections.entries()) {
    // Two reads in a row: a pooler lends either the server process that was returned last, or each of them in turn.
    for (const pid of [await backendPid(), await backendPid()]) {
      if (pid !== pids[n] || pids.indexOf(pid) !== n) return { isLent: true };
    }
  }
  return { isLent: false };
}

/** The answers of all connections, or those that came before a silence: a busy server opens connections slowly. */
async function answersUntilSilence(connections: readonly BackendPid[]): Promise<(number | undefined)[]> {
  const answers: (number | undefined)[] = connections.map(() => undefined);
  const pending = new Set<Promise<void>>();
  for (const [n, backendPid] of connections.entries()) {
    const answered = backendPid(firstAnswerWithinMs).then((pid) => {
      answers[n] = pid;
      pending.delete(answered);
    });
    pending.add(answered);
  }
  while (pending.size > 0) {
    const next = await within(Promise.race(pending), answerWithinMs);
    if (next.kind === 'failed') throw next.error;
    if (next.kind === 'late') break;
  }
  return answers;
}

/** Advice for a prepared statement that is unknown, since a pooler began to lend connections after the start. */
export const lentMeanwhile =
  'the pooler in between began to give each transaction another connection after the bot was started; restart the bot';
