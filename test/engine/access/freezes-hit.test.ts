import { describe, expect, test } from 'vitest';
import type { Target } from '../../../src/core/account/account.ts';
import { frozenBy, sayFrozen, sayFrozenBriefly } from '../../../src/engine/access/freezes.ts';

// The freeze because of which a request may not run, and its words.

const web: Target = { kind: 'order', id: '34-1', name: 'web-1', tags: ['Web', 'prod'], project: null };
const db: Target = { kind: 'order', id: '34-2', name: 'db-1', tags: ['db'], project: null };
const channel: Target = { kind: 'channel', id: 'C1', name: 'ops', tags: [], project: null };

function hit(scopes: readonly string[], targets: readonly Target[], until: number | null = null) {
  const asked: number[] = [];
  const active = async (at: number) => {
    asked.push(at);
    return scopes.map((scope) => ({ scope, until, reason: `because of ${scope}`, id: 'f1', by: 'U1', at: 0 }));
  };
  const context = { now: () => 7, store: { freezes: { active } } };
  // All that it touches.
  const found = frozenBy(context as unknown as Parameters<typeof frozenBy>[0], 'C1', targets);
  return { found, asked };
}

describe('a request is frozen', () => {
  test.each([
    ['everything', 'all', [web], 'everything'],
    ['everything, where it is about no target', 'all', [], 'everything'],
    ['its channel', 'channel:C1', [web], 'this channel'],
    ['a tag of its target', 'tag:prod', [web], 'tag:prod'],
    ['a tag in other letters than its target has', 'tag:wEB', [web], 'tag:wEB'],
    ['a tag of another of its targets', 'tag:db', [web, db], 'tag:db'],
    ['its target', 'order:34-1', [web], 'order:34-1'],
    ['its target beside a channel', 'order:34-1', [channel, web], 'order:34-1'],
  ])('by a freeze of %s', async (_, scope, targets, what) => {
    const { found, asked } = hit(['tag:other', scope, 'all'], targets, 9);
    expect(await found).toEqual({ what, until: 9, reason: `because of ${scope}` });
    expect(asked).toEqual([7]);
  });
});

describe('a request is not frozen', () => {
  test.each([
    ['by a freeze of another channel', 'channel:C2', [web]],
    ['by a freeze of a tag that its targets do not have', 'tag:prod', [db]],
    ['by a tag that is the name of no tag', 'prod', [web]],
    ['by a freeze of another target', 'order:34-2', [web]],
    ['by a freeze of another kind of target', 'domain:34-1', [web]],
    ['where it is about channels alone, by whatever freeze', 'all', [channel, channel]],
  ])('%s', async (_, scope, targets) => {
    expect(await hit([scope], targets).found).toBeUndefined();
  });
});

test('the description of a freeze has its end and its reason', () => {
  const frozen = { what: 'tag:web', until: null, reason: 'a move' };
  expect(sayFrozen(frozen)).toEqual(['tag:web is frozen ', 'until somebody ends it', ': a move.']);
  expect(sayFrozen({ ...frozen, until: 9 })).toEqual([
    'tag:web is frozen ',
    'until ',
    { date: 9, style: 'full' },
    ': a move.',
  ]);
  expect(sayFrozenBriefly(frozen)).toBe('tag:web is frozen: a move.');
});
