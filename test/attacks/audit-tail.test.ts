import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runAudit } from '../../src/cli/audit.ts';
import { runPolicy } from '../../src/cli/policy.ts';
import { runRotate } from '../../src/cli/rotate.ts';
import { keysFor } from '../../src/core/text/keys.ts';
import { openStore } from '../../src/store/database.ts';
import { requested } from '../engine/told.ts';
import { newOperation } from '../store/rows.ts';
import { ops } from '../support/bot/fake-slack.ts';
import { newFolder } from '../support/process/new-folder.ts';

// A person who can write to the database can cut the end of the audit and move the mark of where it ends.

const [present, before] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(9)];
const keys = keysFor([present], 'audit head');

async function audit(auditKeys: readonly Uint8Array[] = keys) {
  const dir = await newFolder('audit');
  const url = join(dir, 'hostler.db');
  const write = async (count: number, by = auditKeys) => {
    const store = await openStore(url, { auditKeys: by });
    for (let n = 0; n < count; n++) await store.audit.append({ kind: 'asked', text: `${n}` });
    const end = await store.audit.head();
    await store.close();
    return `${end.seq}:${end.hash}`;
  };
  /** Does what an attacker with the database can do. */
  const onDatabase = (statement: string) => {
    const db = new DatabaseSync(url);
    db.exec(statement);
    db.close();
  };
  const cut = (to: number, signature?: string | null) => {
    onDatabase(`delete from audit where seq > ${to};
      update audit_head set seq = ${to}, hash = (select hash from audit where seq = ${to})`);
    if (signature !== undefined)
      onDatabase(`update audit_head set signature = ${signature === null ? 'null' : `'${signature}'`}`);
  };
  const runWith = async (command: typeof runPolicy, by: object, argv: string[]) => {
    const lines: string[] = [];
    const config = { databaseUrl: url, admins: [], ...by };
    const code = await command({ argv, config, print: (line) => lines.push(line) });
    return `${code} ${lines.join(' ')}`;
  };
  const verify = (by = auditKeys, ...more: string[]) => runWith(runAudit, { auditKeys: by }, ['verify', ...more]);
  /** Runs a subcommand with the keys that it was given. */
  const run = (command: typeof runPolicy, by: readonly Uint8Array[], ...argv: string[]) =>
    runWith(command, { secretKeys: by, auditKeys: keysFor(by, 'audit head') }, argv);
  const read = (statement: string) => {
    const db = new DatabaseSync(url);
    const row = db.prepare(statement).get() ?? {};
    db.close();
    return row;
  };
  const signature = () => read('select signature from audit_head').signature;
  const policy = join(dir, 'policy.yml');
  await writeFile(policy, 'channels: { C0OPS: { grants: [{ to: [everyone], can: [read] }] } }');
  return { url, write, verify, cut, onDatabase, read, signature, run, policy };
}

test('verify finds that the end of the audit was cut off, although the mark of the end was moved with it', async () => {
  const { write, verify, cut } = await audit();
  await write(10);
  expect(await verify()).toContain('0 ✓ 10 rows, every link holds; the end is 10:');
  cut(7);
  expect(await verify()).toContain('1 ✕ row 7: the end is not signed with our key');
  // Without the key only the chain is checked, and the output says so.
  expect(await verify([])).toContain('The signature of the end was not checked');
  // More rows do not sign it.
  cut(7, null);
  await write(5);
  expect(await verify()).toContain('1 ✕ row 12: the end is not signed with our key');
});

test('verify --since finds that the recorded end was cut off, or cut off and replaced by other rows', async () => {
  const { write, verify, cut } = await audit([]);
  const witnessed = await write(10);
  expect(await verify([], '--since', witnessed)).toContain('0 ✓ 10 rows');
  cut(7);
  expect(await verify([], '--since', witnessed)).toContain('the end was cut off: there were 10 rows, and 7 are left');
  await write(5);
  expect(await verify([], '--since', witnessed)).toContain('1 ✕ row 10: row 10 differs from the recorded one');
});

test('after a key rotation, an end signed with the previous key is accepted, and the next row is signed with the new key', async () => {
  const both = keysFor([present, before], 'audit head');
  const { write, verify } = await audit(keysFor([before], 'audit head'));
  await write(3);
  expect(await verify(keys)).toContain('✕');
  expect(await verify(both)).toContain('0 ✓ 3 rows');
  await write(1, both);
  expect(await verify(keys)).toContain('0 ✓ 4 rows');
});

const notOurs = 'HOSTLER_SECRET_KEY is not the key that the audit in this database is signed with: set that key, or';
const noKey = "new rows of the audit must be signed: set HOSTLER_SECRET_KEY to the bot's key";

test.each([
  ['another key', [before], notOurs],
  ['no key', [], noKey],
])('a subcommand that writes to the audit refuses %s, and the signature of the end stays', async (_, by, sentence) => {
  const { write, verify, run, policy } = await audit();
  await write(3);
  await expect(run(runPolicy, by, 'apply', policy)).rejects.toThrow(sentence);
  expect(await verify()).toContain('0 ✓ 3 rows');
  // Reading needs no key, and the previous key is enough for writing.
  expect(await run(runPolicy, by, 'diff', policy)).toContain('+ everyone may read');
  expect(await run(runPolicy, [before, present], 'apply', policy)).toContain('applied C0OPS');
});

test('a first row of the audit without a key is refused, and an audit that began without one is continued', async () => {
  const { run, policy } = await audit();
  await expect(run(runPolicy, [], 'apply', policy)).rejects.toThrow(noKey);
  const earlier = await audit([]);
  await earlier.write(2);
  expect(await earlier.run(runPolicy, [present], 'apply', policy)).toContain('applied C0OPS');
});

test('the first row is about the installation, which has another name after everything was deleted', async () => {
  const { run, policy, verify, onDatabase, read } = await audit();
  const names: unknown[] = [];
  for (const _ of ['before', 'after']) {
    expect(await run(runPolicy, [present], 'apply', policy)).toContain('applied C0OPS');
    expect(read('select kind from audit where seq = 1')).toEqual({ kind: 'installed' });
    const said = await verify();
    expect(said).toMatch(/^0 ✓ 2 rows, .* Installation [0-9a-f]{12} began at 20\d\d-\d\d-\d\d \d\d:\d\d UTC\.$/);
    names.push(/Installation (\S+)/.exec(said)?.[1]);
    onDatabase(`${wipe}; delete from stored_values`);
  }
  expect(new Set(names).size).toBe(2);
});

test('replicas that know both keys, in either order, keep the end signed while they are restarted one by one', async () => {
  const { write, verify } = await audit(keysFor([before], 'audit head'));
  await write(1);
  const orders = [keysFor([before, present], 'audit head'), keysFor([present, before], 'audit head')];
  for (const by of [...orders, ...orders]) await write(1, by);
  expect(await verify(keys)).toContain('0 ✓ 5 rows');
});

test('rotate --sign-anew signs an audit whose key is lost, and a row of the audit says so', async () => {
  const { write, verify, run, cut } = await audit(keysFor([before], 'audit head'));
  await write(3);
  expect(await run(runRotate, [present, new Uint8Array(32)])).toContain('run hostler rotate --sign-anew.');
  await expect(run(runRotate, [], '--sign-anew')).rejects.toThrow("Set HOSTLER_SECRET_KEY to the bot's key");
  expect(await run(runRotate, [present], '--sign-anew')).toContain('0 ✓ audit: its end is signed anew, and row 4 says');
  expect(await verify(keys)).toContain('0 ✓ 4 rows');
  expect(await run(runAudit, [present], 'export')).toContain('the audit up to row 3, which no key at hand had signed');
  expect(await run(runRotate, [present], '--sign-anew')).toContain('no row was added');
  await write(2, keys);
  expect(await verify(keys)).toContain('0 ✓ 6 rows');
  cut(5, null);
  expect(await run(runRotate, [present], '--sign-anew')).toContain('row 6 says so');
});

test('rotate --sign-anew signs no chain that does not hold', async () => {
  const { write, verify, run, onDatabase } = await audit();
  await write(5);
  onDatabase(`update audit set actor = 'U0SOMEBODY' where seq = 3; update audit_head set signature = null`);
  await expect(run(runRotate, [present], '--sign-anew')).rejects.toThrow(
    'Nothing was signed, since the chain is broken',
  );
  expect(await verify()).toContain('1 ✕ row 3');
});

const wipe = `delete from audit;
  update audit_head set seq = 0, hash = '${'0'.repeat(64)}', signature = null`;

test('verify finds an earlier end that was put back with its signature, and the bot does not start', async () => {
  const { url, write, verify, cut, signature, run, policy } = await audit();
  await write(3);
  const old = String(signature());
  // The clock of a replica may be ahead: its requests have rows all the same.
  const store = await openStore(url, { auditKeys: keys });
  for (const id of ['a', 'b']) {
    await store.audit.append({ kind: 'asked', operation: id, text: id });
    const createdAt = Date.now() + (id === 'a' ? 60_000 : 1);
    await store.operations.insert(newOperation({ id, state: 'done', createdAt, decidedAt: 2, endedAt: 1 }), []);
  }
  await store.audit.append({ kind: 'vote', operation: 'b', actor: 'U0A', text: 'approved' });
  await store.votes.cast({ operationId: 'b', userId: 'U0A', vote: 'approve', at: Date.now() + 1_000 });
  await store.close();
  expect(await verify()).toContain('0 ✓ 6 rows');
  cut(3, old);
  expect(await verify()).toBe(
    '1 ✕ row 3: the audit has no row of 2 requests and 1 vote after its end: rows were removed',
  );
  await expect(run(runPolicy, [present], 'apply', policy)).rejects.toThrow('the audit is empty or ends too early');
});

test('verify finds that the whole audit was removed, and no row is signed until an admin says so', async () => {
  const { url, write, verify, run, policy, onDatabase, signature } = await audit();
  await write(0);
  const signatureOfNothing = signature();
  await write(3);
  const store = await openStore(url, { auditKeys: keys });
  await store.operations.insert(newOperation({ id: 'a', createdAt: 1 }), []);
  await store.votes.cast({ operationId: 'a', userId: 'U1', vote: 'confirm' });
  await store.close();
  expect(await verify()).toContain('0 ✓ 3 rows');
  for (const signed of ['null', `'${signatureOfNothing}'`]) {
    onDatabase(`${wipe}; update audit_head set signature = ${signed}`);
    for (const by of [keys, []])
      expect(await verify(by)).toBe(
        '1 ✕ row 0: the audit is empty beside rows of operations and votes: its rows were removed',
      );
    await expect(run(runPolicy, [present], 'apply', policy)).rejects.toThrow('the audit is empty or ends too early');
    expect(await run(runRotate, [before, present])).toContain('run hostler rotate --sign-anew.');
  }
  expect(await run(runRotate, [present], '--sign-anew')).toContain('row 1 says so');
  expect(await run(runAudit, [present], 'export')).toContain('the rows of the audit had been removed');
  expect(await run(runPolicy, [present], 'apply', policy)).toContain('applied C0OPS');
  expect(await verify()).toContain('0 ✓ 2 rows');
});

test('an audit without a row is signed when its database is first opened with a key, and its first row continues that', async () => {
  const { write, verify, signature, onDatabase } = await audit();
  await write(0, []);
  expect(signature()).toBe(null);
  await write(0);
  expect(signature()).toMatch(/^[0-9a-f]{64}$/);
  onDatabase('update audit_head set signature = null');
  await write(0, keysFor([before], 'audit head'));
  // An empty audit has no rows to lose, so the present key counts.
  await write(1);
  expect(await verify()).toContain('0 ✓ 1 row,');
});

test('a process that wrote to the audit notices rows that were removed behind its back, and signs no row after them', async () => {
  const { cut, onDatabase, signature, url, verify } = await audit();
  const found: unknown[] = [];
  const store = await openStore(url, { auditKeys: keys, onShorterAudit: (shorter) => found.push(shorter) });
  onTestFinished(() => store.close());
  const append = (text: string) => store.audit.append({ kind: 'asked', text });
  for (const text of ['one', 'two']) await append(text);
  const old = String(signature());
  await append('three');
  expect(found).toEqual([]);
  // The old end has its old signature.
  cut(2, old);
  await append('another three');
  expect(found).toEqual([{ remembered: 3, now: 2 }]);
  expect(await verify()).toContain('1 ✕ row 3: the end is not signed with our key');
  await append('four');
  onDatabase(wipe);
  await append('one again');
  expect(found).toEqual([
    { remembered: 3, now: 2 },
    { remembered: 4, now: 0 },
  ]);
  expect(await verify()).toContain('1 ✕ row 1: the end is not signed with our key');
});

test('the audit channel gets the end of the audit once a day, in the form that verify --since reads', async () => {
  const bot = await requested('version', { config: { auditChannel: ops } });
  await bot.restart();
  await bot.until(() => bot.transcript().includes('hostler audit verify --since '));
  await bot.restart();
  expect(bot.posted.filter(({ key }) => key.startsWith('audit-end:'))).toHaveLength(1);
  expect(bot.transcript()).toContain(`of installation ${(await bot.store.audit.installation())?.id} has `);
  const [, seq, hash] = /--since (\d+):([0-9a-f]{64})/.exec(bot.transcript()) ?? [];
  expect(await bot.store.audit.verify({ since: { seq: Number(seq), hash: hash ?? '' } })).toMatchObject({ ok: true });
});
