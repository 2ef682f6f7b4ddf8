import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreUnavailable } from '../../src/core/view/errors.ts';
import { openStore } from '../../src/store/database.ts';
import { newestSchema } from '../../src/store/migrate.ts';
import { first } from '../../src/store/migrations/0001-first.ts';
import { engines, freshDatabase, migratedDatabase } from '../support/database/databases.ts';

describe.each(engines)('the schema on %s', (engine) => {
  test('replicas that start together on an empty database all start', async () => {
    const database = await freshDatabase(engine);
    onTestFinished(database.drop);
    const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(database.url)));
    const versions = await database.run('select version from schema_version order by version');
    expect(versions.map(({ version }) => Number(version))).toEqual(
      Array.from({ length: newestSchema }, (_, n) => n + 1),
    );
    await Promise.all(stores.map((store) => store.ping()));
    await Promise.all(stores.map((store) => store.close()));
    await (await openStore(database.url)).close();
  });

  test('all text is compared byte by byte, so that each comparison of two columns can use an index', async () => {
    const database = await migratedDatabase(engine);
    onTestFinished(database.drop);
    const others =
      engine === 'postgres'
        ? `select table_name, column_name from information_schema.columns where table_schema = current_schema()
             and collation_name is distinct from 'C' and data_type not in ('bigint', 'integer')`
        : "select name from sqlite_schema where sql like '%collate%'";
    expect(await database.run(others)).toEqual([]);
  });

  const unreleased =
    'an unreleased build made this database; start with an empty database, or restore a backup of a release';
  test.each([
    ['the first build of this schema', ["update schema_version set name = 'first'"], unreleased],
    [
      'a build with later migrations that no release has',
      [
        "insert into schema_version (version, name, applied_at) select version + 10, 'audit-changes', 0 from schema_version where version = 1",
        "update schema_version set name = 'first' where version = 1",
      ],
      unreleased,
    ],
    [
      'a newer Hostler',
      ["insert into schema_version (version, name, applied_at) values (99, 'later', 0)"],
      `its schema is version 99 and this Hostler knows ${newestSchema}; start the newer Hostler again, or restore a backup from before the upgrade`,
    ],
  ])('a schema of %s is refused by its name and not changed', async (_, statements, words) => {
    const database = await migratedDatabase(engine);
    onTestFinished(database.drop);
    for (const statement of statements) await database.run(statement);
    const before = await database.run('select * from schema_version');
    const error = await openStore(database.url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(String(error)).toMatch(new RegExp(`: ${words}$`));
    expect(await database.run('select * from schema_version')).toEqual(before);
  });
});

test('a migration whose statements change gets another name; one of a release does not change', () => {
  const statements = first.statements({ serialKey: 'serial', text: 'text' }).join('\n');
  const hash = createHash('sha256').update(statements).digest('hex').slice(0, 8);
  expect([first.name, hash]).toEqual(['first-2026-11-30-f', '8beb05cb']);
});
