import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runArchive } from '../../src/cli/archive.ts';
import { runAudit } from '../../src/cli/audit.ts';
import type { OperationState } from '../../src/core/plan/operation.ts';
import { openStore, type Store } from '../../src/store/database.ts';
import { engines, freshDatabase, type TestDatabase } from '../support/databases.ts';
import { newOperation, newStep } from './rows.ts';

const day = 86_400_000;
const keys = [new Uint8Array(32).fill(5)];

describe.each(engines)('hostler archive on %s', (engine) => {
  let database: TestDatabase;
  let store: Store;
  let dir: string;
  let now = 0;
  beforeEach(async () => {
    database = await freshDatabase(engine);
    now = Date.now() - 500 * day;
    store = await openStore(database.url, { now: () => now, auditKeys: keys });
    dir = await mkdtemp(join(tmpdir(), 'hostler-archive-'));
    onTestFinished(async () => {
      await store.close();
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    });
  });

  /** A request with its audit entry, moved through these states, to its end or less far. */
  async function operation(id: string, ...way: OperationState[]): Promise<void> {
    await store.operations.insert(newOperation({ id, expiresAt: now + day }), [newStep(0), newStep(1)]);
    await store.votes.cast({ operationId: id, userId: 'U1', vote: 'confirm' });
    await store.audit.append({ kind: 'request', operation: id, actor: 'U1', text: 'asked' });
    let from: OperationState = 'waiting';
    for (const to of way) {
      await store.operations.move(id, from, to);
      from = to;
    }
    if (way.length > 1) await store.audit.append({ kind: 'ended', operation: id, text: from });
    // The end is announced, and no turn is due.
    await store.turns.claim(id, 'me', 1_000);
    await store.turns.giveBack(id, 'me', { dueAt: from === 'done' ? null : Date.now() + 60_000 });
  }
  const done = ['approved', 'running', 'done'] as const;

  async function hostler(run: typeof runArchive, ...argv: string[]) {
    const lines: string[] = [];
    const config = { databaseUrl: database.url, admins: [], auditKeys: keys, keepDays: 365 };
    const code = await run({ argv, config, print: (line) => lines.push(line) });
    return { code, out: lines.join('\n') };
  }
  const archive = (...argv: string[]) => hostler(runArchive, ...argv);
  const verify = (...argv: string[]) => hostler(runAudit, 'verify', ...argv);
  const linesOf = async (file: string) =>
    (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const idsIn = async (table: 'operations' | 'steps' | 'votes') =>
    (
      await database.run(
        `select distinct ${table === 'operations' ? 'id' : 'operation_id as id'} from ${table} order by 1`,
      )
    ).map(({ id }) => id);

  test('old requests and audit rows move to a private file, and the audit verifies over the file and the database', async () => {
    for (const id of ['a', 'b', 'c']) await operation(id, ...done);
    now = Date.now() - 100 * day;
    await operation('young', ...done);
    const file = join(dir, 'old.jsonl');
    const { code, out } = await archive(file);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/3 requests, 6 audit rows and 0 versions of zones from before .*after row 6\./s),
    ]);

    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const lines = await linesOf(file);
    expect(lines.map(({ kind }) => kind).join(' ')).toBe(`archive${' operation'.repeat(3)}${' audit'.repeat(6)} end`);
    expect(lines[1]).toMatchObject({
      operation: { id: 'a', state: 'done', requester: 'U1' },
      steps: [{ n: 0 }, { n: 1 }],
      votes: [{ userId: 'U1', vote: 'confirm' }],
    });
    for (const table of ['operations', 'steps', 'votes'] as const) expect(await idsIn(table)).toEqual(['young']);
    expect((await store.audit.list({ limit: 99 })).map(({ seq }) => seq)).toEqual([8, 7]);

    expect((await verify()).out).toMatch(/^✓ rows 7 to 8, every link holds.*Rows 1 to 6 are in archives/s);
    expect((await verify('--archive', file)).out).toMatch(/^✓ 8 rows, every link holds; the end is 8:/);
    // The chain continues, and the next archive continues the first.
    await store.audit.append({ kind: 'request', text: 'asked' });
    const second = join(dir, 'next.jsonl');
    await archive(second, '--before', new Date(Date.now() - 50 * day).toISOString().slice(0, 10));
    expect(await idsIn('operations')).toEqual([]);
    expect((await verify('--archive', file, '--archive', second)).out).toMatch(/^✓ 9 rows/);
    expect((await verify('--archive', second)).out).toBe('✕ row 1: row 1 was removed');
    expect((await archive(second)).out).toMatch(/^Nothing that ended before .* is left to archive\.$/);
  });

  test('replaced versions of zones move to the file, and the one that was in effect stays', async () => {
    const version = (at: number) => ({ at, since: null, isGone: 0, operations: [], byUser: null, changes: null });
    const zone = 'example.com';
    await store.audit.append({ kind: 'read', text: 'asked' });
    await store.zoneVersions.addFirst([{ zone, version: version(now), lines: ['1'], hash: '1' }]);
    for (const after of [1, 2]) {
      const changes = { removed: [String(after)], added: [String(after + 1)] };
      const at = now + after * day;
      await store.zoneVersions.add(
        { zone, after },
        { ...version(at), changes },
        { lines: [String(after + 1)], hash: '' },
      );
    }
    const file = join(dir, 'zones.jsonl');
    expect((await archive(file)).out).toContain('0 requests, 1 audit rows and 2 versions of zones from before');
    expect((await linesOf(file)).map(({ kind, row }) => [kind, row?.n ?? row?.seq])).toEqual([
      ['archive', undefined],
      ['audit', 1],
      ['zone', 1],
      ['zone', 2],
      ['end', undefined],
    ]);
    expect((await store.zoneVersions.list(zone)).map(({ n }) => n)).toEqual([3]);
    expect(await store.zoneVersions.findLines(zone, 3)).toEqual(['3']);
  });

  test('verify finds a recorded end of the audit in an archive, and notices a changed archive', async () => {
    await operation('a', ...done);
    const { seq, hash } = await store.audit.head();
    await operation('b', ...done);
    const file = join(dir, 'old.jsonl');
    await archive(file);
    const since = ['--since', `${seq}:${hash}`];
    expect((await verify(...since)).out).toBe(
      `✕ row ${seq}: row ${seq} is in an archive: give its file with --archive`,
    );
    expect((await verify(...since, '--archive', file)).out).toMatch(/^✓ 4 rows/);
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text
        .replace('"actor":"U1","at"', '"actor":"U2","at"')
        .replace(/"actor":"U1"(,"channel":null,"operationId":"a")/, '"actor":"U2"$1'),
    );
    expect((await verify('--archive', file)).out).toBe('✕ row 1: row 1 was changed');
    await writeFile(file, text.split('\n').slice(0, -4).join('\n'));
    expect((await verify('--archive', file)).out).toMatch(
      /✕ row [34]: the archives end before row 5, the first in the database/,
    );
    await writeFile(file, 'something else\n');
    await expect(verify('--archive', file)).rejects.toThrow('line 1 is not part of a Hostler archive');
  });

  test('an open request stays in the database with its audit rows and all later ones', async () => {
    await operation('first', ...done);
    for (const [id, ...way] of [
      ['waiting'],
      ['approved', 'approved'],
      ['running', 'approved', 'running'],
      ['reading', 'approved', 'running', 'reading'],
      ['owed', ...done],
      ['locked', ...done],
      ['untold', ...done],
      ['over', ...done],
    ] as const)
      await operation(id, ...way);
    await database.run("update operations set next_turn_at = 1 where id = 'owed'");
    await store.locks.acquire(['order:1'], { operationId: 'locked', owner: 'U1', reason: 'x' });
    await store.messages.put({ key: 'end:untold', channel: 'C1', view: '{}' });
    await archive(join(dir, 'old.jsonl'));
    const kept = ['approved', 'locked', 'owed', 'reading', 'running', 'untold', 'waiting'];
    for (const table of ['operations', 'steps', 'votes'] as const) expect(await idsIn(table)).toEqual(kept);
    // Entries of ended requests may be gone; entries of open ones, and all after the first of those, stay.
    expect((await store.audit.list({ limit: 99 })).at(-1)).toMatchObject({ seq: 3, operationId: 'waiting' });
    expect(await store.freezes.active(Date.now())).toEqual([]);
  });

  test('archive refuses bad input, an existing file, a missing key and a broken chain, and deletes nothing', async () => {
    await operation('a', ...done);
    const file = join(dir, 'old.jsonl');
    await writeFile(file, 'precious');
    await expect(archive()).rejects.toThrow('Name one file to write.');
    await expect(archive(file)).rejects.toThrow('exists already; an archive never replaces another file.');
    await expect(archive(join(dir, 'no', 'x'))).rejects.toThrow('cannot be created (ENOENT)');
    await expect(archive(file, '--before', 'tomorrow')).rejects.toThrow('--before is a day, such as 2026-01-31.');
    await expect(archive(file, '--before', new Date().toISOString().slice(0, 10))).rejects.toThrow('or earlier');
    const config = { databaseUrl: database.url, admins: [] };
    const print = () => {};
    await expect(runArchive({ argv: [file], config, print })).rejects.toThrow('set HOSTLER_SECRET_KEY');
    expect(await readFile(file, 'utf8')).toBe('precious');
    expect(await idsIn('operations')).toEqual(['a']);
    await database.run("update audit set actor = 'U9' where seq = 2");
    await expect(archive(join(dir, 'new.jsonl'))).rejects.toThrow('The audit is broken at row 2: row 2 was changed');
    expect(await store.audit.list({ limit: 9 })).toHaveLength(2);
  });

  test('verify notices that somebody removed rows from the beginning of the audit', async () => {
    await operation('a', ...done);
    await operation('b', ...done);
    const third = (await store.audit.list({ limit: 9 })).find(({ seq }) => seq === 2);
    await database.run('delete from audit where seq <= 2');
    await database.run(`update audit_head set base_seq = 2, base_hash = '${third?.hash}'`);
    expect((await verify()).out).toBe(
      '✕ row 3: the row it begins after is not signed with our key: rows were removed by somebody else',
    );
  });

  test('an archive whose file is lost does not block later archives for ever', async () => {
    await operation('a', ...done);
    const file = join(dir, 'old.jsonl');
    await archive(file);
    await database.run('update archives set ended_at = null');
    await rm(file);
    now = Date.now() - 400 * day;
    await operation('b', ...done);
    await expect(archive(file)).rejects.toThrow('is missing, and its contents are no longer in the database');
    const next = join(dir, 'next.jsonl');
    await expect(archive(next)).rejects.toThrow(
      /old\.jsonl was interrupted: finish it first.*1 requests and 2 audit rows/s,
    );
    expect((await archive(next, '--lost')).out).toMatch(/1 requests, 2 audit rows/);
    expect((await verify()).code).toBe(0);
  });
});
