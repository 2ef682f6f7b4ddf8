import {
  closeSync,
  createReadStream,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { canonicalJson, type Json } from '../core/text/json.ts';
import type { ArchivePart, ArchiveRow } from '../store/audit/archives.ts';
import type { AuditEnd } from '../store/audit/audit-chain.ts';
import type { AuditTable } from '../store/schema.ts';
import { CliError } from './cli.ts';

/** An archive has lines of JSON: a header, one line for each request, audit row and version of a zone, and an end. */

export interface ArchiveFile {
  /** Appends the lines, waits for the disk, and returns the new length of the file. */
  readonly write: (lines: readonly object[]) => number;
  readonly close: () => void;
}

/**
 * Opens an archive, readable by this user only. Truncates an interrupted one to the rows that are deleted from the
 * database.
 */
export function openArchiveFile({ id, file, until, bytes, startedAt }: ArchiveRow, auditBase: AuditEnd): ArchiveFile {
  const header = `${JSON.stringify({ kind: 'archive', format: 1, id, startedAt, until, auditBase })}\n`;
  const handle = open(file, bytes === 0 ? header : undefined);
  let length = bytes;
  const trying = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new CliError(
        `${file} cannot be written (${codeOf(error)}). Every row that was deleted is in it; fix the problem and run the same command again.`,
      );
    }
  };
  if (fstatSync(handle).size < length) {
    closeSync(handle);
    throw new CliError(
      `${file} is shorter than it was. Restore the complete file; its contents are no longer in the database.`,
    );
  }
  const append = (text: Buffer) =>
    trying(() => {
      for (let done = 0; done < text.length; ) done += writeSync(handle, text, done, text.length - done, length + done);
      fsyncSync(handle);
      length += text.length;
      return length;
    });
  trying(() => {
    fchmodSync(handle, 0o600);
    ftruncateSync(handle, length);
  });
  if (length === 0) append(Buffer.from(header));
  return {
    write: (lines) => append(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))),
    close: () => closeSync(handle),
  };
}

/** Opens the file; with a header, creates it, or opens a file that contains no more than a part of this header. */
function open(file: string, header?: string): number {
  try {
    if (header === undefined || isInterrupted(file, header)) return openSync(file, 'r+');
    const handle = openSync(file, 'wx', 0o600);
    const directory = openSync(dirname(file), 'r');
    fsyncSync(directory);
    closeSync(directory);
    return handle;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') throw new CliError(`${file} exists already; an archive never replaces another file.`);
    if (code === 'ENOENT' && header === undefined) {
      throw new CliError(
        `${file} is missing, and its contents are no longer in the database. Restore it, or continue without it: hostler archive OTHER --lost`,
      );
    }
    throw new CliError(`${file} cannot be ${header === undefined ? 'opened' : 'created'} (${code}).`);
  }
}

/** Whether the file begins with this header, or contains only a part of it. */
function isInterrupted(file: string, header: string): boolean {
  if (!existsSync(file)) return false;
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(header.length);
    const text = bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, 0));
    return header.startsWith(text);
  } finally {
    closeSync(handle);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
}

export function linesOf(part: ArchivePart): readonly object[] {
  if (part.kind === 'audit')
    return part.rows.map((row) => ({ kind: 'audit', row: { ...row, data: JSON.parse(row.data) } }));
  if (part.kind === 'zones') return part.rows.map((row) => ({ kind: 'zone', row }));
  return part.rows.map((row) => ({ kind: 'operation', ...row }));
}

const json: z.ZodType<Json> = z.json();
const lineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['archive', 'operation', 'zone', 'end']) }),
  z.object({
    kind: z.literal('audit'),
    row: z.object({
      seq: z.number(),
      at: z.number(),
      kind: z.string(),
      actor: z.string().nullable(),
      channel: z.string().nullable(),
      operationId: z.string().nullable(),
      data: json,
      prev: z.string(),
      hash: z.string(),
    }),
  }),
]);

/** Yields the audit rows of archives, in the order of the files. */
export async function* auditOf(files: readonly string[]): AsyncGenerator<AuditTable> {
  for (const file of files) {
    let unread: number | undefined;
    let n = 0;
    for await (const text of readLines(file)) {
      n += 1;
      if (unread !== undefined) break;
      const line = lineSchema.safeParse(parse(text)).data;
      if (line === undefined || (n === 1 && line.kind !== 'archive')) unread = n;
      else if (line.kind === 'audit') yield { ...line.row, data: canonicalJson(line.row.data) };
    }
    // An incomplete last line is ignored: its row is in the database, or in the next archive.
    if (n === 0 || unread === 1 || (unread !== undefined && unread < n))
      throw new CliError(`${file}: line ${unread ?? 1} is not part of a Hostler archive.`);
  }
}

async function* readLines(file: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw new CliError(`${file} cannot be read (${codeOf(error)}).`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
