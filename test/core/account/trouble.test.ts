import { expect, test } from 'vitest';
import {
  orderStatuses,
  powerText,
  type SeenServer,
  stateText,
  statusText,
  troublesOf,
  worstFirst,
} from '../../../src/core/account/trouble.ts';
import { day } from '../../../src/core/text/words.ts';
import { makeOrder } from '../support.ts';

const now = Date.parse('2026-11-29T12:00:00Z');
const inDays = (days: number) => new Date(now + days * day).toISOString();
const later = inDays(90);

const seen = (
  name: string,
  power: SeenServer['power'],
  more: Partial<SeenServer['order']> = {},
  isWanted = false,
): SeenServer => ({ order: makeOrder(name, name, { expires: later, ...more }), power, isWanted });

const wordsOf = (server: SeenServer) => troublesOf(server, now).map(({ words }) => words);

test('a surprise comes first, then what must be paid or ends by its days, then the rest', () => {
  const servers = [
    seen('fine', 'on'),
    seen('off as usual', 'off', {}, true),
    seen('not renewed', 'on', { status: 'noprolong' }),
    seen('ends later', 'on', { expires: inDays(9) }),
    seen('ends on purpose', 'on', { expires: inDays(1), isCancelMarked: true }),
    seen('ends soon', 'off', { expires: inDays(2) }, true),
    seen('unpaid', 'on', { status: 'unpaid' }),
    seen('not read', 'unknown'),
    seen('of a new status', 'on', { status: 'paused' }),
    seen('blocked', 'on', { status: 'blocked' }),
    seen('off', 'off'),
    seen('canceled', 'off', { status: 'canceled' }),
  ];
  expect(worstFirst(servers, now).map(({ order }) => order.name)).toEqual([
    ...['blocked', 'off', 'not read', 'of a new status', 'unpaid', 'ends soon', 'ends later', 'ends on purpose'],
    ...['not renewed', 'fine', 'off as usual', 'canceled'],
  ]);
});

test('only what nobody wanted is red', () => {
  const red = orderStatuses.filter((status) => statusText(makeOrder('a', 'a', { status })).startsWith('🔴'));
  expect(red.toSorted()).toEqual(['blocked', 'disabled', 'expired']);
  expect([stateText(seen('a', 'off')), stateText(seen('a', 'off', {}, true))]).toEqual(['🔴 off', '⚪ off']);
  expect([powerText(seen('a', 'off')), powerText(seen('a', 'off', {}, true))]).toEqual(['🔴 off', '⚪ off']);
  expect(stateText(seen('a', 'on', { status: 'blocked' }))).toBe('🔴 on · blocked');
  expect(stateText(seen('a', 'on', { status: 'noprolong' }))).toBe('🟢 on');
  expect(stateText(seen('a', undefined))).toBe('not read');
});

test('the troubles of a server are said in words, the worst first', () => {
  expect(wordsOf(seen('a', 'on'))).toEqual([]);
  expect(wordsOf(seen('a', 'off', {}, true))).toEqual([]);
  expect(wordsOf(seen('a', 'unknown', { status: 'blocked', isCancelMarked: true }))).toEqual([
    ...['blocked', 'unknown', 'will be canceled'],
  ]);
  const soon = [
    [-1, 'past its date'],
    [0.5, 'paid until today'],
    [1.5, '1 day paid'],
  ] as const;
  for (const [days, words] of soon) expect(wordsOf(seen('a', 'on', { expires: inDays(days) }))).toEqual([words]);
  expect(wordsOf(seen('a', 'off', { status: 'expired', expires: inDays(-1) }))).toEqual(['off', 'expired']);
});
