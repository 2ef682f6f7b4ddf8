import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ArchiveRow } from '../store/audit/archives.ts';
import { createChain } from '../store/audit/audit-chain.ts';
import { openStore, type Store } from '../store/database.ts';
import { type ArchiveFile, linesOf, openArchiveFile } from './archive-file.ts';
import { type Cli, CliError } from './cli.ts';
import { usages } from './usage.ts';

const day = 86_400_000;
/** The bot reads this many days itself: for messages to edit, manual changes and requests to undo. */
const leastDays = 30;
const partSize = 200;
/** The pause between parts, since on SQLite the bot waits during a deletion. */
const restMs = 5;
const lease = { name: 'archive', forMs: 30_000 };

/** Archives old rows in parts: writes each part to the file, waits for the disk, then deletes the part's rows. */
export async function runArchive({ argv, config, print }: Cli): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { before: { type: 'string' }, lost: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new CliError(`Name one file to write.\n${usages.archive}`);
  const file = resolve(name);
  const until = readUntil(values.before, config.keepDays);
  const store = await openStore(config.databaseUrl, {
    auditKeys: config.auditKeys ?? [],
    mustExist: true,
    // Archiving signs the new beginning of the audit, as appending signs the end.
    writesAudit: true,
  });
  const owner = `archive ${process.pid} ${performance.timeOrigin}`;
  try {
    if (!(await store.leases.acquire(lease.name, owner, lease.forMs)))
      throw new CliError('Another archive is being written. If that process is gone, try again in half a minute.');
    const archive = await chooseArchive(store, { file, until, isLost: values.lost });
    if (archive === undefined) {
      print(`Nothing that ended before ${dayOf(until)} is left to archive.`);
      return 0;
    }
    const target = openArchiveFile(archive, await store.archives.base());
    try {
      await fill(store, archive, target, () => store.leases.acquire(lease.name, owner, lease.forMs));
      await store.archives.finish(archive.id);
    } finally {
      target.close();
    }
    await report(store, archive, print);
    return 0;
  } finally {
    await store.leases.giveBack(lease.name, owner);
    await store.close();
  }
}

/** The time from which rows stay in the database. */
function readUntil(before: string | undefined, keepDays = 365): number {
  const latest = Date.now() - leastDays * day;
  if (before !== undefined) {
    const until = /^\d{4}-\d\d-\d\d$/.test(before) ? Date.parse(before) : Number.NaN;
    if (Number.isNaN(until)) throw new CliError('--before is a day, such as 2026-01-31.');
    if (until > latest)
      throw new CliError(
        `--before is ${dayOf(latest)} or earlier: the bot itself still reads the last ${leastDays} days.`,
      );
    return until;
  }
  return Date.now() - keepDays * day;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The interrupted archive, or a new one; undefined if no row is old enough. */
async function chooseArchive(
  { archives }: Store,
  { file, until, isLost }: { file: string; until: number; isLost: boolean },
): Promise<ArchiveRow | undefined> {
  const unfinished = await archives.unfinished();
  if (unfinished?.file === file && !isLost) return unfinished;
  if (unfinished !== undefined) {
    const isEmpty = unfinished.operations === 0 && unfinished.audit === 0 && unfinished.zones === 0;
    if (!isEmpty && !isLost) {
      throw new CliError(
        `The archive ${unfinished.file} was interrupted: finish it first, with hostler archive ${unfinished.file}. It has ${unfinished.operations} requests and ${unfinished.audit} audit rows that are no longer in the database. If that file is lost: hostler archive ${file} --lost`,
      );
    }
    await archives.markLost(unfinished.id);
  }
  return (await archives.next(until, 1)) === undefined ? undefined : archives.begin(file, until, 0);
}

async function fill(
  store: Store,
  begun: ArchiveRow,
  target: ArchiveFile,
  keepLease: () => Promise<boolean>,
): Promise<void> {
  let archive = begun;
  const chain = createChain(await store.archives.base());
  for (;;) {
    const part = await store.archives.next(archive.until, partSize);
    if (part === undefined) break;
    for (const row of part.kind === 'audit' ? part.rows : []) {
      const fault = chain.add(row);
      if (fault !== undefined) {
        throw new CliError(
          `The audit is broken at row ${fault.seq}: ${fault.why}. It stays in the database; see hostler audit verify.`,
        );
      }
    }
    const bytes = target.write(linesOf(part));
    if (!(await keepLease()) || !(await store.archives.deletePart(archive, part, bytes)))
      throw new CliError('Another process has archived meanwhile; every row that was deleted is in a file.');
    archive = { ...archive, bytes };
    await sleep(restMs);
  }
  target.write([{ kind: 'end', auditEnd: chain.end() }]);
}

async function report({ archives }: Store, { file, until, id }: ArchiveRow, print: Cli['print']): Promise<void> {
  const { operations = 0, audit = 0, zones = 0 } = (await archives.find(id)) ?? {};
  const { seq } = await archives.base();
  print(
    `✓ ${file}: ${operations} requests, ${audit} audit rows and ${zones} versions of zones from before ${dayOf(until)}; they are no longer in the database`,
  );
  if (seq > 0)
    print(`The audit in the database begins after row ${seq}. Keep the file: hostler audit verify --archive reads it.`);
}
