import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A JSON file that is written atomically: it always contains the old state or the new one. */
export interface StateFile {
  /** Reads the content; undefined without a file. Moves an unreadable file aside. */
  read(): unknown;
  /** Writes soon, once for several calls. */
  touch(): void;
  /** Writes now. */
  save(): void;
  close(): void;
}

const afterMs = 400;

export function openStateFile(path: string, content: () => unknown, log: (line: string) => void): StateFile {
  let timer: NodeJS.Timeout | undefined;

  function save(): void {
    timer = undefined;
    const next = `${path}.next`;
    writeFileSync(next, JSON.stringify(content()), { mode: 0o600 });
    renameSync(next, path);
  }

  function saveOrSay(): void {
    try {
      save();
    } catch (error) {
      log(`keeping the sandbox's state in ${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  return {
    read() {
      try {
        return JSON.parse(readFileSync(path, 'utf8'));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        setAside(path, log);
        return undefined;
      }
    },
    touch() {
      timer ??= setTimeout(saveOrSay, afterMs).unref();
    },
    save,
    close() {
      clearTimeout(timer);
      saveOrSay();
    },
  };
}

export function setAside(path: string, log: (line: string) => void): void {
  const aside = `${path}.unreadable`;
  renameSync(path, aside);
  // The database is useless without the key of its audit, which was in the state.
  for (const name of ['hostler.db', 'hostler.db-wal', 'hostler.db-shm']) {
    const database = join(dirname(path), name);
    if (existsSync(database)) renameSync(database, `${database}.unreadable`);
  }
  log(`the sandbox's state in ${path} could not be read; it is now ${aside}, and the sandbox starts afresh`);
}
