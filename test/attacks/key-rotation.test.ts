import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { runAudit } from '../../src/cli/audit.ts';
import { runRotate } from '../../src/cli/rotate.ts';
import { keyFor, keysFor } from '../../src/core/text/keys.ts';
import { seal, unseal } from '../../src/engine/context/seal-secrets.ts';
import { openStore } from '../../src/store/database.ts';
import { startedCreation } from '../support/bot/creation.ts';
import { newFolder } from '../support/process/new-folder.ts';

// HOSTLER_SECRET_KEY leaked and is replaced: values under it must be sealed and signed anew before it is removed, or
// passwords are lost and the audit no longer verifies.

const keyOf = (byte: number) => new Uint8Array(32).fill(byte);
const [present, previous, strange] = [keyOf(7), keyOf(9), keyOf(3)];
const minute = 60_000;

/** A database as the bot left it under the previous key. */
async function place() {
  const dir = await newFolder('rotate');
  const databaseUrl = join(dir, 'hostler.db');
  const open = (keys: readonly Uint8Array[]) => openStore(databaseUrl, { auditKeys: keysFor(keys, 'audit head') });
  const store = await open([previous]);
  for (let n = 0; n < 10; n++) await store.audit.append({ kind: 'asked', text: `${n}` });
  for (const id of ['a', 'b', 'c']) {
    const sealed = seal(`password ${id}`, keyFor(previous, 'sealed secrets'), `${id}:U1`);
    await store.secrets.put({
      id,
      userId: 'U1',
      operationId: null,
      title: 'a password',
      sealed,
      expiresAt: Date.now() + minute,
    });
  }
  await store.close();
  const configOf = (secretKeys: readonly Uint8Array[]) => {
    return { databaseUrl, admins: [], secretKeys, auditKeys: keysFor(secretKeys, 'audit head') };
  };
  const run = async (keys: readonly Uint8Array[], print = (_: string) => {}) => {
    const lines: string[] = [];
    const note = (line: string) => {
      lines.push(line);
      print(line);
    };
    const code = await runRotate({ argv: [], config: configOf(keys), print: note });
    return `${code} ${lines.join('\n')}`;
  };
  const verify = (keys: readonly Uint8Array[]) =>
    runAudit({ argv: ['verify'], config: configOf(keys), print: () => {} });
  const onDatabase = (statement: string) => {
    const db = new DatabaseSync(databaseUrl);
    db.exec(statement);
    db.close();
  };
  /** Whether the present key alone opens and verifies all stored values. */
  const isMoved = async () => {
    const mine = await open([present]);
    const rows = await mine.secrets.list(Date.now());
    await mine.close();
    const values = rows.map(({ id, sealed }) => {
      try {
        return unseal(sealed, [keyFor(present, 'sealed secrets')], `${id}:U1`);
      } catch {
        return 'sealed';
      }
    });
    return { values, verified: await verify([present]) };
  };
  return { run, open, verify, isMoved, onDatabase };
}

const all = { values: ['password a', 'password b', 'password c'], verified: 0 };

test('the previous key can be removed after hostler rotate: nothing is lost, and the audit verifies', async () => {
  const { run, isMoved, verify } = await place();
  expect(await isMoved()).toEqual({ values: ['sealed', 'sealed', 'sealed'], verified: 1 });
  expect(await run([present, previous])).toMatchInlineSnapshot(`
    "0 ✓ sealed passwords: 3 passwords sealed again with the present key
    ✓ audit: its end is signed again with the present key
    ✓ new servers: no report is awaited
    Nothing needs the previous key now: remove HOSTLER_SECRET_KEY_PREVIOUS, and restart."
  `);
  expect(await isMoved()).toEqual(all);
  // The leaked key is useless for signatures now.
  expect(await verify([previous])).toBe(1);
  expect(await run([present, previous])).toContain('0 ✓ sealed passwords: 0 passwords');
});

test('hostler rotate that was killed at any point can be run again', async () => {
  for (const cut of ['passwords', 'audit', 'servers']) {
    const { run, isMoved } = await place();
    const dies = (line: string) => {
      if (line.includes(cut)) throw new Error('killed');
    };
    await expect(run([present, previous], dies)).rejects.toThrow('killed');
    expect((await run([present, previous])).startsWith('0 ')).toBe(true);
    expect(await isMoved()).toEqual(all);
  }
});

test('hostler rotate does not sign an end that neither key signed, and reports values that neither key opens', async () => {
  const { run, verify, onDatabase } = await place();
  onDatabase(`update audit_head set signature = '${'0'.repeat(64)}'`);
  const said = await run([present, strange]);
  expect(said).toMatch(/^1 /);
  expect(said).toContain('✕ 3 passwords sealed with neither key');
  expect(said).toContain('the end is signed with neither key and was not changed');
  expect(await verify([present])).toBe(1);
});

test('hostler rotate says that the report of a server that was just ordered may still come under the previous key', async () => {
  const { run, open } = await place();
  const store = await open([previous]);
  await store.audit.append({ kind: 'asked', text: 'Create a server', operation: 'aaaaaaaa' });
  await startedCreation(store, 'aaaaaaaa');
  await store.close();
  const said = await run([present, previous]);
  expect(said).toContain('· new servers: 1 report of the provider may come signed with the previous key, until ');
  expect(said).toContain('Keep HOSTLER_SECRET_KEY_PREVIOUS');
});

test.each([
  ['no key', []],
  ['one key', [present]],
])('with %s, hostler rotate says which keys it needs', async (_, keys) => {
  const { run } = await place();
  await expect(run(keys)).rejects.toThrow('Set HOSTLER_SECRET_KEY to the new key and HOSTLER_SECRET_KEY_PREVIOUS');
  await expect(run([present, present])).rejects.toThrow('are the same');
});
