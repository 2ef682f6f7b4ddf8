import { describe, expect, test } from 'vitest';
import { orderOf } from './happens-before.ts';
import type { Step } from './scheduler.ts';

const step = (point: number, actor: string, touches: string, more: Partial<Step> = {}): Step => ({
  point,
  actor,
  label: `${actor} ${touches}`,
  name: '',
  parents: [],
  resources: touches === '' ? [] : [{ name: touches.replace(/^read /, ''), isWrite: !touches.startsWith('read ') }],
  enabled: [1, 2, 3, 4],
  place: 0,
  usualPlace: 0,
  isAct: false,
  ...more,
});

describe('races between steps', () => {
  test('two writes of one thing by two processes are a race', () => {
    const { races } = orderOf([step(1, 'a', 'votes'), step(2, 'b', 'votes')]);
    expect(races).toEqual([{ first: 0, second: 1, instead: [1], initials: [1] }]);
  });

  test.each([
    ['two reads', [step(1, 'a', 'read votes'), step(2, 'b', 'read votes')]],
    ['two things', [step(1, 'a', 'votes'), step(2, 'b', 'steps')]],
    ['one follows from the other', [step(1, 'a', 'votes'), step(2, 'a', 'votes', { parents: [0] })]],
    ['the second was not there yet', [step(1, 'a', 'votes', { enabled: [1] }), step(2, 'b', 'votes')]],
  ])('there is no race when %s', (_, steps) => {
    expect(orderOf(steps).races).toEqual([]);
  });

  const columns = (...only: string[]) => ({ columns: { only: new Set(only) } });
  const all = { columns: { but: new Set(['turn_until']) } };
  test.each([
    ['rows of two names', { row: 'a' }, { row: 'b' }, false],
    ['a row and all rows', { row: 'a' }, {}, true],
    ['two columns of a row', columns('state'), columns('turn_until'), false],
    ['a column and the whole row', columns('state'), {}, true],
    ['a column that nobody reads', columns('turn_until'), all, false],
    ['a column that is read with all others', columns('state', 'turn_until'), all, true],
  ])('%s', (_, one, other, isRace) => {
    const steps = [step(1, 'a', 'x'), step(2, 'b', 'x')].map((each, n) => ({
      ...each,
      resources: [{ name: 'operations', isWrite: n === 0, ...(n === 0 ? one : other) }],
    }));
    expect(orderOf(steps).races).toHaveLength(isRace ? 1 : 0);
  });

  test('two changes of what a sweep looks for are no race, one and the sweep are', () => {
    const [change, other] = [step(1, 'a', ''), step(2, 'b', '')].map((each) => ({
      ...each,
      resources: [{ name: 'due', isWrite: true, isAlike: true as const }],
    }));
    const sweep = step(3, 'c', 'read due');
    if (change === undefined || other === undefined) throw new Error('two steps');
    expect(orderOf([change, other]).races).toEqual([]);
    expect(orderOf([change, other, sweep]).races.map(({ first }) => first)).toEqual([1, 0]);
  });

  test('what the second one waited for, and was not there yet, makes it no race', () => {
    const steps = [
      step(1, 'a', 'votes', { enabled: [1] }),
      step(2, 'b', '', { enabled: [2] }),
      step(3, 'b', 'votes', { parents: [1] }),
    ];
    expect(orderOf(steps).races).toEqual([]);
  });

  test('the step that led to the second write is tried in place of the first', () => {
    const steps = [
      step(1, 'a', 'votes', { enabled: [1, 2] }),
      step(2, 'b', ''),
      step(3, 'b', 'votes', { parents: [1] }),
    ];
    expect(orderOf(steps).races).toEqual([{ first: 0, second: 2, instead: [1, 2], initials: [1] }]);
  });
});

describe('the steps of another history', () => {
  const steps = [step(1, 'a', 'votes'), step(2, 'b', 'votes'), step(3, 'c', 'votes')];

  test('races whose second step is among them are known', () => {
    expect(orderOf(steps, 2).races).toEqual(orderOf(steps).races.filter(({ second }) => second >= 2));
    expect(orderOf(steps, 2).races).not.toEqual([]);
  });

  test('more than a word of bits makes no difference', () => {
    const many = Array.from({ length: 70 }, (_, n) => step(n + 10, 'x', 'read time', { enabled: [1, 2, 3] }));
    const [first, second] = [step(1, 'a', 'votes', { enabled: [1, 2] }), step(2, 'b', 'votes')];
    expect(orderOf([first, ...many, second]).races).toEqual([{ first: 0, second: 71, instead: [71], initials: [71] }]);
    const after = many.map((one, n) => ({ ...one, parents: [n] }));
    expect(orderOf([first, ...after, { ...second, parents: [70] }]).races).toEqual([]);
  });
});

describe('a process that is killed', () => {
  const kept = { name: 'effects', row: 'a', isWrite: false };
  const change = step(1, 'a', 'votes', { resources: [{ name: 'votes', isWrite: true }, kept] });
  const read = step(2, 'a', 'read steps');
  const other = step(3, 'b', 'steps');
  const kill = step(4, 'world', '', { resources: [{ ...kept, isWrite: true }] });

  test('its reads after its last change are in no race', () => {
    expect(orderOf([change, read, other]).races).toHaveLength(1);
    expect(orderOf([change, read, other, kill]).races.map(({ first }) => first)).toEqual([0]);
  });

  test('its reads after its last change make no other history of it, those before do', () => {
    const { hash } = orderOf([change, other, kill]);
    expect(orderOf([change, read, other, kill]).hash).toBe(hash);
    expect(orderOf([change, other, read, kill]).hash).toBe(hash);
    expect(orderOf([read, change, other, kill]).hash).not.toBe(hash);
  });

  test('its timers count, since the process that is started instead has its own from that time on', () => {
    const timer = step(2, 'a', '', { resources: [{ name: 'time', isWrite: true, isAlike: true }] });
    const killThen = { ...kill, resources: [...kill.resources, { name: 'time', isWrite: true }] };
    const { races, hash } = orderOf([change, timer, read, killThen]);
    expect(races.map(({ first, second }) => [first, second])).toContainEqual([1, 3]);
    expect(hash).not.toBe(orderOf([change, killThen]).hash);
  });

  test('what another process reads is kept', () => {
    const survivor = step(2, 'c', 'read steps');
    expect(orderOf([change, survivor, kill]).hash).not.toBe(orderOf([change, kill]).hash);
  });
});

describe('the hash of a history', () => {
  test('histories that differ in the order of independent steps have the same hash', () => {
    const [a, b] = [step(1, 'a', 'votes'), step(2, 'b', 'steps')];
    expect(orderOf([a, b]).hash).toBe(orderOf([b, a]).hash);
  });

  test('histories that differ in the order of two writes of one thing have different hashes', () => {
    const [a, b] = [step(1, 'a', 'votes'), step(2, 'b', 'votes')];
    expect(orderOf([a, b]).hash).not.toBe(orderOf([b, a]).hash);
  });
});
