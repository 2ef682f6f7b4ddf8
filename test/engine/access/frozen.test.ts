import { describe, expect } from 'vitest';
import type { Target } from '../../../src/core/account/account.ts';
import { frozenBy, sayFrozen, sayFrozenBriefly } from '../../../src/engine/access/frozen.ts';
import { type TestBot, test } from '../../support/bot/test-bot.ts';
import { answerTo, confirm, pressAndSettle, told } from '../told.ts';

// While a target is frozen no action starts there; queries and running requests continue.

test('nothing starts in a frozen channel until who froze it, or an admin, ends the freeze', async ({ bot }) => {
  await answerTo(bot, 'operator', 'freeze here "release under way" for=2h');
  expect(await answerTo(bot, 'lead', 'restart web-1')).toMatch(
    /^Not now: this channel is frozen until \S+ \S+ UTC: release under way\.\n\[Show what is frozen\]$/,
  );
  const [refused] = await bot.store.audit.list({ kind: 'refused', limit: 1 });
  expect(refused?.data).toMatchObject({
    text: 'restart web-1: Not now: this channel is frozen: release under way.',
  });
  expect(await answerTo(bot, 'lead', 'project create Shop')).toContain('Not now: this channel is frozen');
  expect(await answerTo(bot, 'lead', 'status web-1')).toContain('## web-1  [🟢 on]');
  expect(await answerTo(bot, 'lead', 'why restart web-1')).toContain('Frozen: this channel is frozen until');
  expect(await answerTo(bot, 'lead', 'unfreeze')).toContain(
    'Only the person who froze it, or an admin, can end this freeze.',
  );
  await confirm(bot, 'operator', 'unfreeze');
  expect(bot.story()).toContain('The freeze is over');
  expect(await answerTo(bot, 'lead', 'restart web-1')).toContain('## ⏳ Restart web-1');
});

/** The freezes that a line makes, which end then. */
async function frozen(bot: TestBot, words: string) {
  await answerTo(bot, 'operator', `freeze here ${words}`);
  const freezes = await bot.store.freezes.active(bot.now());
  for (const { id } of freezes) await bot.store.freezes.end(id);
  return freezes.map(({ reason, until }) => ({ reason, until: until ?? 0 }));
}

test('a time at the end of a freeze is its end', async ({ bot }) => {
  for (const words of [
    'release 2h',
    '"release" 2h',
    '"release" 2 hours',
    'release until=2h',
    'release until "2 hours"',
    'release for="in 2 hours"',
  ]) {
    const [freeze, ...others] = await frozen(bot, words);
    expect([freeze?.reason, others], words).toEqual(['release', []]);
    expect(Math.round(((freeze?.until ?? 0) - bot.now()) / 60_000), words).toBe(120);
  }
});

test('an hour at the end of a freeze is its end', async ({ bot }) => {
  for (const words of ['release until=15:30', 'release 15:30', 'release tomorrow 9am']) {
    const [freeze] = await frozen(bot, words);
    expect(freeze?.reason, words).toBe('release');
    expect(new Date(freeze?.until ?? 0).getUTCMinutes(), words).toBe(words.endsWith('9am') ? 0 : 30);
  }
});

test('a freeze without a reason asks for it, and a word that may be a tag is named as one', async ({ bot }) => {
  expect(await answerTo(bot, 'operator', 'freeze here 2h')).toContain('freeze also needs reason');
  expect(await answerTo(bot, 'operator', 'freeze prod deploy')).toContain('It should be here, all, or tag:prod.');
  expect(await bot.store.freezes.active(bot.now())).toEqual([]);
});

test('a freeze whose reason has a time does not begin, unless the time is in quotes', async ({ bot }) => {
  for (const words of [
    'tonight',
    'in 2 hours',
    'from 18:00 to 20:00',
    'every friday',
    'next week',
    'release at 18:00',
    'release in 2 hours',
    'from 20 december to 3 january holidays',
  ]) {
    expect(await frozen(bot, words), words).toEqual([]);
    expect(told(bot), words).toMatch(
      / is a time, and would become text\. This takes effect at once\. Give its end as for=2h/,
    );
  }
  expect(await frozen(bot, '"release tomorrow 18:00"')).toMatchObject([{ reason: 'release tomorrow 18:00' }]);
});

test('the end of a freeze is read behind its reason; a time in the reason stays beside an end', async ({ bot }) => {
  expect(await answerTo(bot, 'operator', 'freeze here because of the friday release for 2h')).toContain(
    'the friday release · until ',
  );
  expect(await answerTo(bot, 'lead', 'restart web-1')).toContain('Not now: this channel is frozen');
  await bot.pass(2 * 3_600_000 + 1_000);
  expect(await answerTo(bot, 'lead', 'restart web-1')).toContain('[Cancel]');
});

test('a freeze is ended by its tag, or by here', async ({ bot }) => {
  await answerTo(bot, 'operator', 'freeze tag:web "migration" for=2h');
  await answerTo(bot, 'operator', 'freeze here "release" for=2h');
  for (const scope of ['here', 'tag:WEB']) {
    expect(await answerTo(bot, 'operator', `unfreeze ${scope}`)).toContain('End the freeze');
    await pressAndSettle(bot, 'operator', 'Confirm');
  }
  expect(await bot.store.freezes.active(bot.now())).toEqual([]);
});

test('only an admin can freeze everything', async ({ bot }) => {
  expect(await answerTo(bot, 'operator', 'freeze all "audit"')).toContain('Only an admin can freeze everything.');
  await confirm(bot, 'admin', 'access grant everyone "operate"');
  await answerTo(bot, 'admin', 'freeze all "audit of the year"');
  expect(await answerTo(bot, 'operator', 'stop db-1')).toContain('Not now: everything is frozen');
});

test('a request does not run when its channel was frozen before the click, and its end says why', async ({ bot }) => {
  await bot.say('lead', 'restart web-1');
  await answerTo(bot, 'operator', 'freeze here "release under way"');
  await pressAndSettle(bot, 'lead', 'Confirm');
  expect(bot.story()).toMatch(
    /@lead Restart web-1: not run: this channel is frozen: release under way\. Nothing was done\./,
  );
  expect(await bot.store.operations.list({ commands: ['restart'], limit: 2 })).toMatchObject([{ endReason: 'frozen' }]);
  expect(bot.writes()).toEqual([]);
  expect(await bot.store.locks.list()).toEqual([]);
});

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
    ['its target', 'order:34-1', [web], 'an order'],
    ['its target beside a channel', 'order:34-1', [channel, web], 'an order'],
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
  const seen = sayFrozen({ ...frozen, until: 9 });
  expect(seen).toEqual(['tag:web is frozen ', 'until ', { date: 9, style: 'full' }, ': a move.']);
  expect(sayFrozenBriefly(frozen)).toBe('tag:web is frozen: a move.');
});
