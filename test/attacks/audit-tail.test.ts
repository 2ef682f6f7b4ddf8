import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { runAudit } from '../../src/cli/audit.ts';
import { keysFor } from '../../src/core/keys.ts';
import { openStore } from '../../src/store/database.ts';
import { ops } from '../support/fake-slack.ts';
import { startTestBot } from '../support/test-bot.ts';

// A person who can write to the database can cut the end of the audit and move the mark of where it ends.

const [present, before] = [new Uint8Array(32).fill(7), new Uint8Array(32).fill(9)];
const keys = keysFor([present], 'audit head');

async function audit(auditKeys: readonly Uint8Array[] = keys) {
  const dir = await mkdtemp(join(tmpdir(), 'hostler-audit-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const url = join(dir, 'hostler.db');
  const write = async (count: number, by = auditKeys) => {
    const store = await openStore(url, { auditKeys: by });
    for (let n = 0; n < count; n++) await store.audit.append({ kind: 'asked', text: `${n}` });
    const end = await store.audit.head();
    await store.close();
    return `${end.seq}:${end.hash}`;
  };
  const verify = async (by = auditKeys, ...more: string[]) => {
    const lines: string[] = [];
    const config = { databaseUrl: url, admins: [], auditKeys: by };
    const code = await runAudit({ argv: ['verify', ...more], config, print: (line) => lines.push(line) });
    return `${code} ${lines.join(' ')}`;
  };
  /** Does what an attacker with the database can do. */
  const cut = (to: number, signature?: string | null) => {
    const db = new DatabaseSync(url);
    db.prepare('delete from audit where seq > ?').run(to);
    db.prepare('update audit_head set seq = ?, hash = (select hash from audit where seq = ?)').run(to, to);
    if (signature !== undefined) db.prepare('update audit_head set signature = ?').run(signature);
    db.close();
  };
  return { write, verify, cut };
}

test('verify finds that the end of the audit was cut off, although the mark of the end was moved with it', async () => {
  const { write, verify, cut } = await audit();
  await write(10);
  expect(await verify()).toContain('0 ✓ 10 rows, every link holds; the end is 10:');
  cut(7);
  expect(await verify()).toContain('1 ✕ row 7: the end is not signed with our key');
  // Without the key only the chain can be looked at, and it says so.
  expect(await verify([])).toContain('Who wrote the end was not checked');
});

test('verify refuses an end without a signature, also after more rows were added', async () => {
  const { write, verify, cut } = await audit();
  await write(10);
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
  expect(await verify([], '--since', witnessed)).toContain('1 ✕ row 10: row 10 is another than the one');
});

test('after a rotation of the key, an end signed with the previous key is accepted, and the next row is signed with the new key', async () => {
  const both = keysFor([present, before], 'audit head');
  const { write, verify } = await audit(keysFor([before], 'audit head'));
  await write(3);
  expect(await verify(keys)).toContain('✕');
  expect(await verify(both)).toContain('0 ✓ 3 rows');
  await write(1, both);
  expect(await verify(keys)).toContain('0 ✓ 4 rows');
});

test('the audit channel gets the end of the audit once a day, in the form that verify --since reads', async () => {
  const bot = await startTestBot({ auditChannel: ops, replicas: 1 });
  await bot.say('operator', 'version');
  await bot.restart();
  await bot.until(() => bot.transcript().includes('hostler audit verify --since '));
  await bot.restart();
  expect(bot.posted.filter(({ key }) => key.startsWith('audit-end:'))).toHaveLength(1);
  const [, seq, hash] = /--since (\d+):([0-9a-f]{64})/.exec(bot.transcript()) ?? [];
  expect(await bot.store.audit.verify({ since: { seq: Number(seq), hash: hash ?? '' } })).toMatchObject({ ok: true });
});
