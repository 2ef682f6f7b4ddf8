import { createKeyedQueue, enterQueue } from '../../core/async/keyed-queue.ts';

/**
 * node:sqlite blocks the process while it waits for a file lock, so two connections to one file in one process would
 * wait forever. They queue here instead; the busy timeout handles other processes.
 */
const files = createKeyedQueue();
/** By file, the function that commits its open shared transaction. */
const open = new Map<string, () => void>();

/**
 * The most transactions that share a commit, and the longest time for which the first of them waits. Without sharing,
 * operations a second drop by 14 % to 21 % (`npm run bench -- durable-sqlite`, side by side, on a busy machine).
 */
const mostShared = 20;
const longestSharedMs = 5;

export interface FileTurns {
  /**
   * Resolves with the function that ends the turn. Commits pending writes first, so that no uncommitted row is read.
   */
  readonly toRead: () => Promise<() => void>;
  readonly toWrite: () => Promise<() => void>;
  /** True if no write waits for a commit and no writer waits for a turn. */
  readonly isAlone: () => boolean;
  /** Begins a transaction; true if it joins the open shared transaction. */
  readonly begin: () => boolean;
  /** Ends the turn and resolves when the commit is on disk: at once, or together with the writers that already wait. */
  readonly commit: (release: () => void) => Promise<void>;
  /** Ends the turn of a failed transaction. A joined one has already rolled back its own part. */
  readonly abandon: (release: () => void, isJoined: boolean) => void;
  /** Fails all participants of the shared transaction, after the engine has ended it. */
  readonly fail: (error: unknown) => void;
}

/**
 * Queues the writers and readers of a file. Transactions that arrive while another runs share its commit, since a
 * commit blocks the whole process until the disk has it: each operation waited for three commits under load.
 */
export function createFileTurns(
  path: string,
  {
    breathe,
    begin,
    commit,
    rollBack,
  }: {
    readonly breathe: () => Promise<void>;
    readonly begin: () => void;
    readonly commit: () => void;
    readonly rollBack: () => void;
  },
): FileTurns {
  let writersWaiting = 0;
  let beganAt = 0;
  let waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];

  const isOpen = () => open.get(path) === commitAll;
  const settle = (outcome: { readonly error?: unknown }) => {
    open.delete(path);
    const all = waiting;
    waiting = [];
    for (const { resolve, reject } of all) 'error' in outcome ? reject(outcome.error) : resolve();
  };
  const commitAll = () => {
    try {
      commit();
      settle({});
    } catch (error) {
      rollBack();
      settle({ error });
    }
  };

  return {
    toRead: async () => {
      const release = await enterQueue(files, path);
      await breathe();
      open.get(path)?.();
      return release;
    },
    toWrite: async () => {
      writersWaiting += 1;
      const release = await enterQueue(files, path);
      writersWaiting -= 1;
      // A transaction that joins does not yield, since others wait for the commit.
      if (isOpen()) return release;
      await breathe();
      // Commits the shared transaction of another connection to this file.
      open.get(path)?.();
      return release;
    },
    isAlone: () => writersWaiting === 0 && !isOpen(),
    begin: () => {
      if (isOpen()) return true;
      begin();
      beganAt = performance.now();
      open.set(path, commitAll);
      return false;
    },
    commit: (release) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.push({ resolve, reject });
      const isFull = waiting.length >= mostShared || performance.now() - beganAt > longestSharedMs;
      if (writersWaiting === 0 || isFull) commitAll();
      release();
      return promise;
    },
    abandon: (release, isJoined) => {
      try {
        if (!isJoined && isOpen()) {
          rollBack();
          settle({});
        } else if (isOpen() && writersWaiting === 0) commitAll();
      } finally {
        release();
      }
    },
    fail: (error) => {
      if (isOpen()) settle({ error });
    },
  };
}
