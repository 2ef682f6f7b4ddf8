import { CompiledQuery, type Dialect } from 'kysely';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/database.ts';
import { createSqliteDialect } from '../../src/store/sqlite.ts';
import { findsAny, strayOf, sweepOf, sweeps, sweepsChanged, sweptBy } from './sweeps.ts';

const placeOf = (name: string): number => sweeps.findIndex((sweep) => sweep.name === name);
const nothing = Object.fromEntries(sweeps.map((_, n) => [n, 0]));
const locks = placeOf('locks of what is over');
const changed = (name: string, ...only: string[]) => ({
  ...{ name, row: 'a', isWrite: true },
  ...(only.length > 0 && { columns: { only: new Set(only) } }),
});

test('each sweep is a statement of the store, and what there is to work on can be asked for', async () => {
  const texts: string[] = [];
  const real = createSqliteDialect(':memory:');
  const driver = real.createDriver();
  const dialect: Dialect = {
    createAdapter: () => real.createAdapter(),
    createIntrospector: (db) => real.createIntrospector(db),
    createQueryCompiler: () => {
      const compiler = real.createQueryCompiler();
      return {
        compileQuery: (...given) => {
          const query = compiler.compileQuery(...given);
          texts.push(query.sql);
          return query;
        },
      };
    },
    createDriver: () => driver,
  };
  const store = await openStore(':memory:', { dialect });
  await store.turns.due(1);
  await store.turns.stalled(0, 1);
  await store.steps.unwatched(1);
  await store.messages.claimDue('a', 1, 1);
  await store.messages.prune(0);
  await store.inbox.unfinished(1);
  await store.inbox.prune(0);
  await store.locks.releaseLeft();
  expect(new Set(texts.map(sweepOf).filter((place) => place !== undefined)).size).toBe(sweeps.length);
  const { rows } = await (await driver.acquireConnection()).executeQuery(CompiledQuery.raw(findsAny, [0]));
  expect(rows).toEqual([nothing]);
  await store.close();
});

test('a sweep that had nothing to find touches no row', () => {
  expect(sweptBy(locks, nothing, false)).toEqual([{ name: 'locks of what is over', isWrite: false }]);
  expect(sweptBy(locks, { ...nothing, [locks]: 1 }, false)).toBeUndefined();
  expect(sweptBy(undefined, nothing, false)).toBeUndefined();
});

test('a sweep that finds what it should not find is named, and touches its rows', () => {
  const stray = 'a sweep for locks of what is over found a row that is none of them';
  expect(strayOf(locks, nothing, true)).toEqual([stray]);
  expect(sweptBy(locks, nothing, true)).toBeUndefined();
  expect(strayOf(locks, nothing, false)).toEqual([]);
  expect(strayOf(locks, { ...nothing, [locks]: 1 }, true)).toEqual([]);
});

test('a change is in a race with a sweep when there is something to find before it or after it', () => {
  const one = { ...nothing, [locks]: 1 };
  const seen = [{ name: 'locks of what is over', isWrite: true, isAlike: true }];
  expect(sweepsChanged(nothing, one, [changed('operations', 'state')])).toEqual(seen);
  expect(sweepsChanged(one, nothing, [changed('locks')])).toEqual(seen);
  expect(sweepsChanged(one, one, [changed('locks')])).toEqual(seen);
  expect(sweepsChanged(nothing, nothing, [changed('operations', 'state')])).toEqual([]);
  expect(sweepsChanged(nothing, one, [changed('operations', 'updated_at')])).toEqual([]);
  expect(sweepsChanged(nothing, one, [changed('votes')])).toEqual([]);
});
