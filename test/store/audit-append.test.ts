import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../../src/store/database.ts';
import { freshDatabase, type TestDatabase } from '../support/databases.ts';

// On PostgreSQL a process writes behind the end that it wrote last, without a lock, if it still is the end.

describe('appending to the audit on postgres', () => {
  const auditKeys = [new Uint8Array(32).fill(7)];
  let database: TestDatabase;
  let store: Store;
  let replica: Store;
  const queries: string[] = [];
  beforeEach(async () => {
    database = await freshDatabase('postgres');
    store = await openStore(database.url, { auditKeys, onQuery: ({ sql }) => queries.push(sql) });
    replica = await openStore(database.url, { auditKeys });
    await store.audit.append(line('first'));
    queries.length = 0;
  });
  afterEach(async () => {
    await store.close();
    await replica.close();
    await database.drop();
  });
  const line = (kind: string, unlessThere?: readonly string[]) => ({
    kind,
    operation: 'op1',
    text: kind,
    ...(unlessThere && { unlessThere }),
  });
  const kinds = async () => (await replica.audit.list({ limit: 99 })).map(({ kind }) => kind).reverse();

  test('the lines of a process alone take one statement, however many arrive together', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => store.audit.append(line(`kind-${n}`))));
    await store.audit.append(line('last'));
    expect(queries).toHaveLength(2);
    expect(await store.audit.verify()).toMatchObject({ ok: true, count: 22, isSigned: true });
  });

  test('a line of another process is not written over', async () => {
    await replica.audit.append(line('second'));
    expect(await store.audit.append(line('third'))).toBe(3);
    expect(await store.audit.append(line('fourth'))).toBe(4);
    expect(await kinds()).toEqual(['first', 'second', 'third', 'fourth']);
    expect(await replica.audit.verify()).toMatchObject({ ok: true, count: 4 });
  });

  test('a line that another process wrote meanwhile is not written again, and the length is that of the chain', async () => {
    await replica.audit.append(line('ended'));
    expect(await store.audit.append(line('ended', ['ended', 'expired']))).toBe(2);
    expect(await kinds()).toEqual(['first', 'ended']);
  });

  test('of processes that write the same lines at once, one writes each', async () => {
    const ends = Array.from({ length: 60 }, (_, n) => ({ ...line('ended', ['ended']), operation: `op${n}` }));
    for (const end of ends) await Promise.all([store.audit.append(end), replica.audit.append(end)]);
    expect((await kinds()).filter((kind) => kind === 'ended')).toHaveLength(60);
    expect(await replica.audit.verify()).toMatchObject({ ok: true, count: 61 });
  });

  test.each([
    ['seq', '7', 'row 2 was removed'],
    ['hash', `'${'a'.repeat(64)}'`, 'does not follow row'],
    ['signature', `'${'b'.repeat(64)}'`, 'not signed with our key'],
    ['signature', 'null', 'not signed with our key'],
  ])('a changed end (%s: %s) is not mended by the next line', async (column, value, why) => {
    await database.run(`update audit_head set ${column} = ${value}`);
    await store.audit.append(line('second'));
    const verdict = await store.audit.verify();
    expect(verdict).toMatchObject({ ok: false });
    expect(JSON.stringify(verdict)).toContain(why);
  });

  test('a line that could not be written leaves no trace, and the next one is written', async () => {
    await database.run('alter table audit_head rename to elsewhere');
    await expect(store.audit.append(line('second'))).rejects.toThrow(/audit_head/);
    await database.run('alter table elsewhere rename to audit_head');
    expect(await store.audit.append(line('third'))).toBe(2);
    expect(await kinds()).toEqual(['first', 'third']);
    expect(await store.audit.verify()).toMatchObject({ ok: true, count: 2 });
  });
});
