import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keysFor } from '../../src/core/text/keys.ts';
import { openStore, type Store } from '../../src/store/database.ts';
import { newOperation, newStep } from '../store/rows.ts';
import { engines, freshDatabase } from '../support/databases.ts';
import { addPast } from '../support/past-operations.ts';

const day = 86_400_000;
const past = 2_000;
const auditRows = 4_000;
const secretKey = '0123456789abcdef'.repeat(4);

/**
 * Kills it when it has stored a part and works on the next, so that each run makes progress on any machine and its
 * disk are. Each time it is some milliseconds later, so that it is cut off at different places.
 */
async function cutOff(child: ChildProcess, file: string, store: Store, kills: number): Promise<void> {
  const stored = async () => (await store.archives.unfinished())?.bytes ?? 0;
  const before = await stored();
  let now = before;
  while (child.exitCode === null && (now === before || sizeOf(file) === now)) {
    await sleep(1);
    now = await stored();
  }
  await sleep(kills % 7);
  child.kill('SIGKILL');
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

describe.each(engines)('hostler archive on %s', (engine) => {
  test('an archive that is killed again and again loses no row and stores none twice, while others write', async () => {
    const database = await freshDatabase(engine);
    const dir = await mkdtemp(join(tmpdir(), 'hostler-archive-'));
    const then = Date.now() - 400 * day;
    let now = then;
    const auditKeys = keysFor([new Uint8Array(Buffer.from(secretKey, 'hex'))], 'audit head');
    const store = await openStore(database.url, { now: () => now, auditKeys });
    onTestFinished(async () => {
      await store.close();
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    });
    await store.operations.insert(newOperation({ id: 'first', state: 'done', endedAt: then }), [newStep(0)]);
    await store.messages.put({ key: 'card:first', channel: 'C1', view: '{}' });
    await store.messages.delivered('card:first', 1, '1.1');
    await store.votes.cast({ operationId: 'first', userId: 'U1', vote: 'confirm' });
    await addPast(database, { count: past, endedAt: then });
    const append = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, n) => store.audit.append({ kind: 'read', text: `line ${n}` })));
    await append(auditRows);
    now = Date.now();

    const file = join(dir, 'old.jsonl');
    const env = { PATH: process.env.PATH ?? '', DATABASE_URL: database.url, HOSTLER_SECRET_KEY: secretKey };
    const hostler = (...words: string[]) => spawn(process.execPath, ['bin/hostler.js', ...words], { env });
    let kills = 0;
    for (let isOver = false; !isOver; ) {
      const child = hostler('archive', file);
      const ended = once(child, 'exit');
      const said: string[] = [];
      child.stderr.on('data', (chunk) => said.push(String(chunk)));
      const cut = cutOff(child, file, store, kills);
      await append(3);
      const [code, signal] = await ended;
      await cut;
      expect([code, signal, said.join('')]).toEqual([signal === null ? 0 : null, code === null ? 'SIGKILL' : null, '']);
      isOver = code === 0;
      if (!isOver) kills += 1;
      // The killed process keeps its lease for half a minute.
      if (!isOver) await database.run("delete from leases where name = 'archive'");
      // There are 15 parts, each run stores one of them at least, and the end may be cut off as well.
      if (kills > 20) throw new Error('it does not end');
    }
    expect(kills).toBeGreaterThan(3);

    const lines = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const operations = lines.filter(({ kind }) => kind === 'operation');
    expect(operations).toHaveLength(past + 1);
    expect(new Set(operations.map(({ operation }) => operation.id)).size).toBe(past + 1);
    expect(operations.every(({ steps, votes }) => steps.length === 1 && votes.length === 1)).toBe(true);
    const audit = lines.filter(({ kind }) => kind === 'audit').map(({ row }) => row.seq);
    expect(audit).toEqual(Array.from({ length: auditRows }, (_, n) => n + 1));
    for (const table of ['operations', 'steps', 'votes'])
      expect((await database.run(`select count(*) as n from ${table}`)).map(({ n }) => Number(n))).toEqual([0]);

    const verify = hostler('audit', 'verify', '--archive', file);
    const out: string[] = [];
    verify.stdout.on('data', (chunk) => out.push(String(chunk)));
    await once(verify, 'exit');
    expect(out.join('')).toContain('every link holds');
  });
});
