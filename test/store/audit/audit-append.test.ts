import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AuditKind } from '../../../src/store/audit/audit-kinds.ts';
import type { AuditEntry } from '../../../src/store/audit/audit-lines.ts';
import { openStore, type Store } from '../../../src/store/database.ts';
import { migratedDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { emptyAudit } from '../conformance.ts';

describe('appending to the audit on postgres', () => {
  let database: TestDatabase;
  let store: Store;
  let replica: Store;
  beforeAll(async () => {
    database = await migratedDatabase('postgres');
  });
  afterAll(() => database.drop());
  // Each test opens its own stores, since a store remembers the end that it wrote last.
  beforeEach(async () => {
    await emptyAudit(database);
    const options = { auditKeys: [new Uint8Array(32).fill(7)], provenAtStart: 1 };
    [store, replica] = await Promise.all([openStore(database.url, options), openStore(database.url, options)]);
    for (const kind of ['asked', 'vote'] as const) await store.audit.append(line(kind));
  });
  afterEach(() => Promise.all([store.close(), replica.close()]));
  const line = (kind: AuditKind, unlessThere?: readonly AuditKind[]) => ({
    kind,
    operation: 'op1',
    text: kind,
    ...(unlessThere && { unlessThere }),
  });
  const kinds = async () => (await replica.audit.list({ limit: 99 })).map(({ kind }) => kind).reverse();

  test('a line that another process wrote meanwhile is not written again, and the length is that of the chain', async () => {
    await replica.audit.append(line('ended'));
    expect(await store.audit.append(line('ended', ['ended', 'expired']))).toBe(3);
    expect(await kinds()).toEqual(['asked', 'vote', 'ended']);
  });

  test('of lines that arrive together, and of which there may be one, one is written', async () => {
    const ends = (['ended', 'ended', 'ended', 'expired'] as const).map((kind) => line(kind, ['ended', 'expired']));
    expect(await Promise.all(ends.map(store.audit.append))).toEqual([3, 3, 3, 3]);
    expect(await kinds()).toEqual(['asked', 'vote', 'ended']);
  });

  test('of processes that write the same lines at once, one writes each', async () => {
    const ends = Array.from({ length: 20 }, (_, n) => ({ ...line('ended', ['ended']), operation: `op${n}` }));
    for (const end of ends) await Promise.all([store.audit.append(end), replica.audit.append(end)]);
    expect((await kinds()).filter((kind) => kind === 'ended')).toHaveLength(20);
    expect(await replica.audit.verify()).toMatchObject({ ok: true, count: 22 });
  });

  test.each([
    ['seq', '7', 'row 3 was removed'],
    ['hash', `'${'a'.repeat(64)}'`, 'does not follow row'],
    ['signature', `'${'b'.repeat(64)}'`, 'not signed with our key'],
    ['signature', 'null', 'not signed with our key'],
  ])('a changed end (%s: %s) is not mended by the next line', async (column, value, why) => {
    await database.run(`update audit_head set ${column} = ${value}`);
    await store.audit.append(line('call'));
    const verdict = await store.audit.verify();
    expect(verdict).toMatchObject({ ok: false });
    expect(JSON.stringify(verdict)).toContain(why);
  });

  test('a line that could not be written leaves no trace, and the next one is written', async () => {
    await database.run('alter table audit_head rename to elsewhere');
    await expect(store.audit.append(line('call'))).rejects.toThrow(/audit_head/);
    await database.run('alter table elsewhere rename to audit_head');
    expect(await store.audit.append(line('held'))).toBe(3);
    expect(await kinds()).toEqual(['asked', 'vote', 'held']);
    expect(await store.audit.verify()).toMatchObject({ ok: true, count: 3 });
  });

  test('a line about a change is there exactly if the change is, also among lines that arrive together', async () => {
    const lock = (target: AuditKind, answers: () => boolean) => ({
      ...line(target),
      change: async (on: Parameters<NonNullable<AuditEntry['change']>>[0]) => {
        const row = { target, operationId: 'op1', owner: 'U1', reason: 'test', since: 0 };
        await on.insertInto('locks').values(row).execute();
        return answers();
      },
    });
    const fails = () => {
      throw new Error('no change');
    };
    const all = [lock('moved', () => true), lock('failed', fails), line('started')].map(store.audit.append);
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await store.audit.append({ ...line('lost'), change: async () => false })).toBe(4);
    expect(await kinds()).toEqual(['asked', 'vote', 'moved', 'started']);
    expect((await replica.locks.list()).map(({ target }) => target)).toEqual(['moved']);
    expect(await store.audit.verify()).toMatchObject({ ok: true, count: 4 });
  });

  test('without the record of its end nothing is written, and the error says so', async () => {
    await database.run('delete from audit_head');
    await expect(store.audit.append(line('call'))).rejects.toThrow(
      'the row that stores the end of the audit was removed',
    );
    expect(await kinds()).toEqual(['asked', 'vote']);
  });
});
