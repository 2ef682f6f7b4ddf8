import { expect } from 'vitest';
import { onEachEngine, openAnew, test } from '../conformance.ts';

onEachEngine('values', (rig) => {
  test('a read has one text for any number of keys, and unusual keys are read unchanged', async () => {
    const { store, sent } = await openAnew(rig());
    const keys = ['plain', `quote ' " \\`, 'line\nend', '{"json":[1]}', 'ü 🙂', 'null', ''];
    await store.values.write('sweep', Object.fromEntries(keys.map((key, n) => [key, n])), 7);
    sent.length = 0;
    const found = await store.values.find('sweep', keys);
    expect(found).toEqual(new Map(keys.map((value, n) => [value, { value: n, at: 7, changedAt: null }])));
    expect([...(await store.values.find('sweep', ['plain', 'absent'])).keys()]).toEqual(['plain']);
    expect(await store.values.find('looked', keys)).toEqual(new Map());
    expect(await store.values.find('sweep', ['half \ud83d', 'nul \0'])).toEqual(new Map());
    expect(new Set(sent.map(({ sql }) => sql)).size).toBe(1);
  });

  test('when twenty callers change the value that all have read, one succeeds; a removed value is written again', async () => {
    const { values } = rig().store;
    const add = (before?: { orders: string[] }) => ({ orders: [...(before?.orders ?? []), 'more'] });
    // Changes of the same moment share the read.
    const changed = async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => values.change('favorites', 'U1', add)));
      return all.filter(Boolean).length;
    };
    expect([await changed(), await changed()]).toEqual([1, 1]);
    expect(await values.get('favorites', 'U1')).toEqual({ orders: ['more', 'more'] });
    expect(await values.change('favorites', 'U1', () => undefined)).toBe(false);
    expect([await values.remove('favorites', 'U1'), await values.remove('favorites', 'U1')]).toEqual([true, false]);
    expect(await values.get('favorites', 'U1')).toBeUndefined();
    expect(await changed()).toBe(1);
    expect(await values.all('favorites')).toEqual(new Map([['U1', { orders: ['more'] }]]));
  });

  test('observed values that differ from the usual ones are found by their kind', async () => {
    const { values } = rig().store;
    const off = { usual: 'on', seen: 'off' };
    await values.write('power', { 1: off, 2: off }, 3, new Map([['2', 5]]));
    await values.write('zone', { 1: off }, 3, new Map([['1', 5]]));
    await values.write('power', { 2: off }, 4, new Map([['2', 7]]));
    expect(await values.drifting('power')).toEqual(new Map([['2', { value: off, at: 4, changedAt: 7 }]]));
    expect((await values.find('power', ['1', 'nothing'])).get('1')?.value.usual).toBe('on');
  });

  test('a value of unknown shape counts as missing where others can be used, and throws where it decides', async () => {
    const { store, clock, database } = rig();
    const blind = { since: 5, why: 'the provider did not answer' };
    await store.values.write('blind', { zone: blind, power: null }, clock.at);
    // As a newer version might write it.
    const odd = (kind: string) =>
      database.run(
        `insert into stored_values (kind, key, value, at) values ('${kind}', 'odd', '{"from": 5}', ${clock.at})`,
      );
    await odd('blind');
    expect(await store.values.find('blind', ['zone', 'power', 'odd', 'none'])).toEqual(
      new Map([
        ['zone', { value: blind, at: clock.at, changedAt: null }],
        ['power', { value: null, at: clock.at, changedAt: null }],
      ]),
    );
    expect([...(await store.values.list('blind')).keys()]).toEqual(['power', 'zone']);
    await odd('protection');
    const protection = { target: 'order:34-1', why: 'w', by: 'U1', channel: 'C1', since: 1 };
    await store.values.write('protection', { 'order:34-1': protection }, clock.at);
    const { values, errors } = await store.values.each('protection');
    expect([[...values.keys()], [...errors.keys()]]).toEqual([['order:34-1'], ['odd']]);
    for (const read of [
      () => store.values.get('protection', 'odd'),
      () => store.values.all('protection'),
      () => store.values.change('protection', 'odd', () => null),
    ])
      await expect(read()).rejects.toThrow('target');
  });

  test('values can be listed by the beginning of their keys, with any characters in them', async () => {
    const { values } = rig().store;
    const keys = ['C1', 'C1:x', 'C%', 'c1', 'C_', 'Cä', 'C🚀', 'D1'];
    await values.write('turn', Object.fromEntries(keys.map((key) => [key, null])), 100);
    await values.write('turn', { 'C1:x': null }, 99);
    expect([...(await values.list('turn', 'C1')).keys()]).toEqual([':x', '']);
    expect([...(await values.list('turn', 'C%')).keys()]).toEqual(['']);
    expect((await values.list('turn', 'C')).size).toBe(6);
    expect((await values.list('turn', 'E')).size).toBe(0);
  });

  test('more values than a statement writes are written and listed completely', async () => {
    const { values } = rig().store;
    await values.write('sealed', Object.fromEntries(Array.from({ length: 1_234 }, (_, n) => [`k${n}`, null])), 100);
    expect((await values.list('sealed')).size).toBe(1_234);
  });

  test('old values are pruned after a month or a year, and those of people never', async ({ store, clock }) => {
    const year = 365 * 86_400_000;
    await store.values.write('attempt', { a: { operation: 'a', isPosted: true } }, clock.at - 1);
    await store.values.write('attempt', { b: { operation: 'b', isPosted: true } }, clock.at);
    await store.values.write('leaving', { c: null }, clock.at - year - 1);
    await store.values.write('leaving', { d: null }, clock.at - year);
    await store.values.write('home', { U1: { at: 1, filter: 'all', page: 1 } }, 1);
    await store.retention.prune('storedValues', clock.at);
    expect([...(await store.values.list('attempt')).keys()]).toEqual(['b']);
    expect([...(await store.values.list('leaving')).keys()]).toEqual(['d']);
    expect((await store.values.all('home')).size).toBe(1);
  });
});
