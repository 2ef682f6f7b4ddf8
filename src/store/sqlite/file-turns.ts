import { createKeyedQueue, enterQueue } from '../../core/async/keyed-queue.ts';

/**
 * node:sqlite blocks while it waits for a file lock, so two connections to one file in one process would block each
 * other for ever. They take turns instead; the busy timeout handles other processes.
 */
const files = createKeyedQueue();
/** Commits the transaction of a file that waits for further writers. */
const open = new Map<string, () => void>();

/**
 * The most transactions that share a commit, and the longest wait for it: the first transaction waits for the last. Without
 * sharing, operations a second drop by 14 % to 21 % (`npm run bench -- durable-sqlite`, side by side, on a busy machine).
 */
const mostShared = 20;
const longestSharedMs = 5;

export interface FileTurns {
  /** Resolves with the function that ends the turn. Before it, what is written is committed: no uncommitted row is read. */
  readonly toRead: () => Promise<() => void>;
  readonly toWrite: () => Promise<() => void>;
  /** Nothing is written that waits for its commit, and nobody waits to write. */
  readonly isAlone: () => boolean;
  /** Begins a transaction; true when it joins one that others began. */
  readonly begin: () => boolean;
  /** Ends the turn, and resolves when the disk has it: at once, or together with those who wait to write already. */
  readonly commit: (release: () => void) => Promise<void>;
  /** Ends the turn of one whose transaction failed; one that joined has undone its own part. */
  readonly leave: (release: () => void, isJoined: boolean) => void;
  /** The transaction is gone: all that share it fail. */
  readonly lose: (error: unknown) => void;
}

/**
 * Takes turns at a file. Transactions that wait for it while another is written share that one's commit, which waits for
 * the disk with the whole process: each operation waited for three commits under load.
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
      // One that joins waits for nothing, since others wait for its commit.
      if (isOpen()) return release;
      await breathe();
      // Of another connection to this file.
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
    leave: (release, isJoined) => {
      try {
        if (!isJoined && isOpen()) {
          rollBack();
          settle({});
        } else if (isOpen() && writersWaiting === 0) commitAll();
      } finally {
        release();
      }
    },
    lose: (error) => {
      if (isOpen()) settle({ error });
    },
  };
}
