import { closeSync, copyFileSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CliError, codeOf } from '../core/view/errors.ts';
import { parseDatabaseUrl } from '../store/address.ts';
import { type Cli, reasonOf } from './cli.ts';
import { usages } from './usages.ts';
import { withStore } from './with-store.ts';

/** Copies the SQLite database to one file and reads it back. The bot may be running. */
export async function runBackup({ argv, config, print }: Cli): Promise<number> {
  const [file] = argv;
  if (file === undefined) throw new CliError(`Name the file to write.\n${usages.backup}`);
  const address = parseDatabaseUrl(config.databaseUrl);
  if (address.engine === 'postgres') {
    throw new CliError(
      'A PostgreSQL database is backed up with its own tools: pg_dump --format=custom --file=FILE "$DATABASE_URL". One dump is one moment.',
    );
  }
  reserve(file);
  try {
    copy(address.file, file);
    const verdict = await readBack(file, config);
    if (!verdict.ok && verdict.isOfSignature) {
      print(
        `✕ ${file}: every page read back, and every link of the audit holds, but ${verdict.why}. The file was kept. See hostler audit verify.`,
      );
      return 1;
    }
    if (!verdict.ok)
      throw new CliError(
        `${file} was not kept: its audit chain breaks at row ${verdict.seq} (${verdict.why}). See hostler audit verify.`,
      );
    print(`✓ ${file}: every page read back, ${verdict.count} audit rows, every link holds`);
    return 0;
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/** Creates the file, readable by this user only. Refuses an existing file, which may be another backup. */
function reserve(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    const code = codeOf(error);
    throw new CliError(
      code === 'EEXIST'
        ? `${file} exists already; a backup never replaces another file.`
        : `${file} cannot be created (${code}).`,
    );
  }
}

function openSource(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

function copy(from: string, to: string): void {
  using source = openSource(from);
  // A single read transaction, so the backup has no rows that the bot writes meanwhile.
  source.prepare('vacuum into ?').run(to);
  using target = new DatabaseSync(to);
  const rows = target.prepare('pragma integrity_check').all();
  const broken = rows.find((row) => row.integrity_check !== 'ok');
  if (broken !== undefined) throw new CliError(`${from} is damaged: ${String(broken.integrity_check)}`);
  const handle = openSync(to, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}

/** Verifies a copy of the backup: opening it migrates the schema, and the backup must suit the previous version too. */
async function readBack(file: string, { auditKeys = [] }: Cli['config']) {
  const folder = mkdtempSync(join(dirname(resolve(file)), '.hostler-backup-'));
  try {
    const copy = join(folder, 'hostler.db');
    copyFileSync(file, copy);
    return await withStore({ databaseUrl: copy, auditKeys }, {}, ({ audit }) => audit.verify());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
