import { createHash } from 'node:crypto';
import { beforeEach, expect } from 'vitest';
import { canonicalJson } from '../../../src/core/text/json.ts';
import { openStore } from '../../../src/store/database.ts';
import { emptyAudit, onEachEngine, test } from '../conformance.ts';

onEachEngine('the audit', (rig) => {
  beforeEach(() => emptyAudit(rig().database));
  const write = (many: number) =>
    Promise.all(
      Array.from({ length: many }, (_, n) =>
        (n % 2 === 0 ? rig().store : rig().replica).audit.append({
          ...{ kind: n % 5 === 0 ? 'refused' : 'asked', actor: `U${n % 3}`, channel: 'C1', operation: `op${n}` },
          text: 'asked',
          data: { n, 'ä\u2028': ['🚀', null, 1.5, '\u0000', '\ud800'] },
        }),
      ),
    );

  test('two replicas append to one chain at the same time without a gap', async ({ store, replica }) => {
    const numbers = await write(60);
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    await Promise.all([write(20), write(20)]);
    expect(await replica.audit.verify()).toMatchObject({ ok: true, count: 100 });
    expect(await store.audit.head()).toMatchObject({ seq: 100 });
  });

  test('a row of any table beside an empty audit shows that its rows were removed, and no process starts a new audit', async () => {
    const { store, database } = rig();
    const opened = { auditKeys: [new Uint8Array(32).fill(7)], writesAudit: true, provenAtStart: 1 };
    const columns = await database.run(
      database.engine === 'sqlite'
        ? `select t.name as "table", c.name as "column", c.type from sqlite_master t, pragma_table_info(t.name) c
           where t.type = 'table' and (c."notnull" = 1 or c.pk = 1)`
        : `select table_name as "table", column_name as "column", data_type as type from information_schema.columns
           where table_schema = 'public' and is_nullable = 'NO' and is_identity = 'NO'`,
    );
    const tables = Map.groupBy(columns, ({ table }) => String(table));
    for (const own of ['audit', 'audit_head', 'schema_version', 'sqlite_sequence']) tables.delete(own);
    expect(tables.size).toBeGreaterThan(15);
    // Steps and votes are of a request.
    const inOrder = [...tables].sort(([a], [b]) => Number(b === 'operations') - Number(a === 'operations'));
    for (const [table, needed] of inOrder) {
      const values = needed.map(({ type }) => (type === 'text' ? `'x'` : '1'));
      await database.run(`insert into ${table} (${needed.map(({ column }) => column)}) values (${values})`);
      expect(await store.audit.verify(), table).toMatchObject({
        why: expect.stringMatching(`^the audit is empty beside rows of (.*(, | and ))?${table}(,| and|:)`),
      });
    }
    await expect(openStore(database.url, opened)).rejects.toThrow('the audit is empty or ends too early');
    for (const [table] of inOrder.reverse()) await database.run(`delete from ${table}`);
    await Promise.all(Array.from({ length: 3 }, async () => (await openStore(database.url, opened)).close()));
    expect(await Array.fromAsync(store.audit.exportAll())).toMatchObject([{ seq: 1, kind: 'installed' }]);
  });

  test('the same entry is stored once, one with another person, request or data too', async ({ store, replica }) => {
    const vote = (actor: string, at: number) => ({
      kind: 'vote' as const,
      actor,
      operation: 'op0',
      text: 'voted',
      data: { at },
    });
    const votes = [vote('U1', 1), vote('U1', 1), vote('U2', 1), vote('U1', 2), { ...vote('U1', 1), operation: 'op1' }];
    for (const { audit } of [store, replica])
      await Promise.all(votes.map((entry) => audit.append({ ...entry, unlessThere: 'same' })));
    const lines = await store.audit.list({ limit: 99 });
    expect(lines.map(({ operationId, actor, data }) => [operationId, actor, data])).toEqual([
      ['op1', 'U1', { text: 'voted', at: 1 }],
      ['op0', 'U1', { text: 'voted', at: 2 }],
      ['op0', 'U2', { text: 'voted', at: 1 }],
      ['op0', 'U1', { text: 'voted', at: 1 }],
    ]);
    await store.audit.append(vote('U1', 1));
    expect(await store.audit.verify()).toMatchObject({ ok: true, count: 5 });
  });

  test('a chain longer than a page is verified and exported whole, and an empty chain is valid', async ({ store }) => {
    expect(await store.audit.verify()).toMatchObject({ ok: true, count: 0 });
    await write(501);
    expect(await store.audit.verify()).toMatchObject({ ok: true, count: 501 });
    let expected = 0;
    let prev = '0'.repeat(64);
    // Anybody can check an export with nothing but SHA-256 and sorted keys.
    for await (const { hash, prev: before, ...body } of store.audit.exportAll()) {
      expected += 1;
      expect(body.seq).toBe(expected);
      expect(before).toBe(prev);
      prev = createHash('sha256').update(prev).update(canonicalJson(body)).digest('hex');
      expect(hash).toBe(prev);
    }
    expect(expected).toBe(501);
  });

  test('appends of the same moment share a transaction', async ({ store, queries }) => {
    queries.length = 0;
    await Promise.all(Array.from({ length: 200 }, () => store.audit.append({ kind: 'call', text: 'called' })));
    expect(queries.filter((text) => text === 'commit').length).toBeLessThanOrEqual(2);
  });

  const columns = 'at, kind, actor, channel, operation_id, data, prev, hash';
  const firstAgainAs = (seq: number) => `insert into audit select ${seq}, ${columns} from audit where seq = 1`;
  test.each([
    ['a word in the middle', "update audit set actor = 'U9' where seq = 4", 4, 'row 4 was changed'],
    ['the data', `update audit set data = '{"n":99}' where seq = 4`, 4, 'row 4 was changed'],
    ['data that means the same', "update audit set data = data || ' ' where seq = 4", 4, 'row 4 was changed'],
    ['data that is no JSON any more', "update audit set data = '}' where seq = 4", 4, 'row 4 was changed'],
    ['a time', 'update audit set at = at - 1 where seq = 4', 4, 'row 4 was changed'],
    ['a hash', "update audit set hash = 'x' where seq = 4", 4, 'row 4 was changed'],
    ['the link', "update audit set prev = 'x' where seq = 4", 4, 'row 4 does not follow row 3'],
    ['a row taken out', 'delete from audit where seq = 4', 4, 'row 4 was removed'],
    ['the first row taken out', 'delete from audit where seq = 1', 1, 'row 1 was removed'],
    ['a row put in front', firstAgainAs(0), 0, 'row 0 does not belong here'],
    ['the tail cut off', 'delete from audit where seq > 6', 7, 'rows 7 to 10 were removed'],
    ['everything removed', 'delete from audit', 1, 'rows 1 to 10 were removed'],
    ['a row behind the end', firstAgainAs(11), 11, 'added behind the end'],
    ['the head removed', 'delete from audit_head', 0, 'was removed'],
    ['the head moved back', 'update audit_head set seq = 9', 9, 'not the one the chain ended with'],
  ])('verify names the row and the fault: %s', async (_what, tampering, seq, why) => {
    const { store, database } = rig();
    await write(10);
    expect(await store.audit.verify()).toMatchObject({ ok: true, count: 10 });
    await database.run(tampering);
    expect(await store.audit.verify()).toEqual({ ok: false, seq, why: expect.stringContaining(why) });
  });

  test('rows are listed newest first, filtered by person, channel, kind and operation', async ({ store }) => {
    await write(10);
    const seqs = async (filter: object) => (await store.audit.list({ limit: 100, ...filter })).map(({ seq }) => seq);
    expect(await seqs({})).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await seqs({ before: 4 })).toEqual([3, 2, 1]);
    expect(await seqs({ kind: 'refused' })).toHaveLength(2);
    expect(await seqs({ actor: 'U0' })).toHaveLength(4);
    expect(await seqs({ channel: 'C2' })).toEqual([]);
    expect(await store.audit.list({ operationId: 'op3', limit: 9 })).toMatchObject([{ actor: 'U0', data: { n: 3 } }]);
  });
});
