import { describe, expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { hour, minute } from '../../../src/core/text/words.ts';
import type { Form } from '../../../src/core/view/form.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { decide } from '../asked.ts';
import { pressAndSettle, sayAndSettle } from '../told.ts';
import { approved, later, newestRow, offline, restarts } from './hours.ts';

// A request keeps its maintenance window through each change, and a change that two people make at once happens once.

const entries = (bot: TestBot, kind: string) => bot.store.audit.list({ kind, limit: 9 });
test.each(['window=maintenance', 'in 6h window=maintenance'])(
  'a request with %s keeps its window, and moves into the next one until it can begin in it',
  async (when) => {
    // Three hours on each day, from five hours on.
    const [from, to] = [5, 8].map((hours) => new Date(Date.now() + hours * hour).toISOString().slice(11, 16));
    const policy = { ...approved, windows: { maintenance: `daily ${from}-${to} UTC` } };
    const bot = await startTestBot({ policy: policySchema.parse(policy) });
    // shop.example.com leads to both servers, so the card offers to restart them one at a time.
    bot.sim.records({ domain: 'example.com', add: [{ host: 'shop', type: 'A', value: '192.0.2.10' }] });
    await sayAndSettle(bot, 'operator', `restart web-1 web-2 --parallel 2 ${when}`);
    const asked = await newestRow(bot);
    await bot.press('operator', 'One at a time');
    await bot.until(async () => (await newestRow(bot)).id !== asked.id, 'the slower request');
    await bot.settle();
    const slower = await newestRow(bot);
    expect(slower.plan).toMatchObject({ parallel: 1 });
    expect(slower).toMatchObject({ startsAt: asked.startsAt, begins: { window: { name: 'maintenance' } } });
    await pressAndSettle(bot, 'lead', 'Approve');
    // The bot is offline while it is open, on two days.
    let hoursOf = asked.startsAt ?? 0;
    for (let days = 1; days <= 2; days += 1) {
      await later(bot, hoursOf - bot.now() - minute);
      await offline(bot, 4 * hour);
      await bot.until(async () => (await newestRow(bot)).startsAt !== hoursOf, 'the move');
      await bot.settle();
      const moved = await newestRow(bot);
      expect(moved).toMatchObject({ id: slower.id, state: 'scheduled', begins: { window: { name: 'maintenance' } } });
      expect((moved.startsAt ?? 0) - hoursOf).toBeLessThanOrEqual(24 * hour);
      hoursOf = moved.startsAt ?? 0;
    }
    expect(restarts(bot)).toBe(0);
    await later(bot, hoursOf - bot.now() + 100);
    await bot.until(async () => (await newestRow(bot)).state === 'done', 'the end');
    await bot.settle();
    expect(restarts(bot)).toBe(2);
    expect(await entries(bot, 'moved')).toHaveLength(2);
  },
);

describe.each(engines)('on %s, the buttons of the list, pressed by two people at the same moment', (engine) => {
  async function listed() {
    const bot = await startTestBot({ engine });
    await decide(bot, 'restart web-1 in 5h');
    for (const who of ['operator', 'lead']) {
      const before = bot.posted.length;
      await bot.say(who, 'scheduled');
      await bot.until(() => bot.posted.length > before, 'the list');
    }
    return bot;
  }

  test.each([
    ['Run now', 'done', ['moved', 'started'], 1],
    ['Call off', 'withdrawn', ['withdrawn'], 0],
  ])('"%s" has its effect once', async (label, state, kinds, times) => {
    const bot = await listed();
    const { button } = bot.findButton(label);
    await Promise.all(['operator', 'lead'].map((who) => bot.click(who, button)));
    await bot.settle();
    await bot.until(async () => (await newestRow(bot)).state === state, 'the end');
    for (const kind of kinds) expect(await entries(bot, kind)).toHaveLength(1);
    expect(restarts(bot)).toBe(times);
    if (label === 'Call off') expect(bot.story()).toContain('This has ended already.');
  });

  test('"Move…" moves it once, and the form of the other person says that it was changed', async () => {
    const bot = await listed();
    const forms = await Promise.all(['operator', 'lead'].map((who) => bot.open(who, { button: 'Move…' })));
    const { startsAt } = await newestRow(bot);
    const hours = [1, 2].map((more) => (startsAt ?? 0) + more * hour);
    // Both have read the former hour before one of them moves it.
    const areThere = Promise.withResolvers<void>();
    const movers = new Set<string>();
    const { claim } = bot.store.turns;
    bot.store.turns.claim = async (id, owner, leaseMs) => {
      if (owner.startsWith('move ')) movers.add(owner);
      if (movers.size === 2) areThere.resolve();
      if (owner.startsWith('move ')) await areThere.promise;
      return claim(id, owner, leaseMs);
    };
    const answers = await Promise.all(
      ['operator', 'lead'].map((who, at) =>
        bot.submit(who, forms[at] as Form, { '@at': new Date(hours[at] ?? 0).toISOString() }),
      ),
    );
    await bot.settle();
    const moved = await newestRow(bot);
    expect(hours).toContain(moved.startsAt);
    expect(answers.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(await entries(bot, 'moved')).toMatchObject([{ data: { from: startsAt, to: moved.startsAt } }]);
    expect(restarts(bot)).toBe(0);
  });
});

test('a move that was read before other people moved it there and back is refused', async ({ bot }) => {
  await decide(bot, 'restart web-1 in 5h');
  const forms = await Promise.all([1, 2, 3].map(() => bot.open('operator', { button: 'Move…' })));
  const first = (await newestRow(bot)).startsAt ?? 0;
  const hours = [first + 3 * hour, first + hour, first];
  const move = (n: number) =>
    bot.submit('operator', forms[n] as Form, { '@at': new Date(hours[n] ?? 0).toISOString() });
  const { claim } = bot.store.turns;
  bot.store.turns.claim = async (id, owner, leaseMs) => {
    if (owner.startsWith('move ')) {
      bot.store.turns.claim = claim;
      for (const n of [1, 2]) expect(await move(n)).toEqual({ kind: 'accepted' });
    }
    return claim(id, owner, leaseMs);
  };
  expect(await move(0)).toMatchObject({ kind: 'errors', errors: { '@at': expect.stringContaining('was changed') } });
  expect(await newestRow(bot)).toMatchObject({ state: 'scheduled', startsAt: first });
  expect(await entries(bot, 'moved')).toHaveLength(2);
});

describe.each(engines)('on %s, a move at the hour of the request', (engine) => {
  /** The form that moves a scheduled request, at almost its hour. */
  async function almost() {
    const bot = await startTestBot({ engine, policy: approved });
    await decide(bot, 'restart web-1 in 5h', 'lead', 'Approve');
    const { startsAt } = await newestRow(bot);
    bot.skip((startsAt ?? 0) - bot.now() - minute);
    const form = await bot.open('operator', { button: 'Move…' });
    bot.skip(minute - 500);
    await bot.store.presence.note();
    return { bot, form, startsAt: startsAt ?? 0 };
  }
  const move = (bot: TestBot, form: Awaited<ReturnType<typeof almost>>['form'], at: number) =>
    bot.submit('operator', form, { '@at': new Date(at).toISOString() });
  const comes = async (bot: TestBot, hourOf: number) => {
    await bot.until(() => bot.now() > hourOf + 200, 'the hour');
    for (const replica of bot.replicas) replica.wake((await newestRow(bot)).id);
  };

  test('that came first moves it: it does not begin at the former hour, and needs another approval', async () => {
    const { bot, form, startsAt } = await almost();
    const at = Math.ceil(startsAt / minute) * minute + hour;
    const { votes, turns } = bot.store;
    const { void: voidVote } = votes;
    const { request } = turns;
    let isRefused = false;
    turns.request = async (id) => {
      isRefused = true;
      await request(id);
    };
    votes.void = async (...words) => {
      await comes(bot, startsAt);
      // The turn at the hour does not begin: the move has the request.
      await bot.until(async () => isRefused || (await newestRow(bot)).state !== 'scheduled', 'the turn at the hour');
      return voidVote(...words);
    };
    expect(await move(bot, form, at)).toEqual({ kind: 'accepted' });
    await bot.settle();
    expect(await newestRow(bot)).toMatchObject({ state: 'waiting', startsAt: at });
    expect(restarts(bot)).toBe(0);
    await pressAndSettle(bot, 'lead', 'Approve');
    bot.skip(at - bot.now() + 100);
    await bot.store.presence.note();
    await bot.until(async () => (await newestRow(bot)).state === 'done', 'the end');
    expect(restarts(bot)).toBe(1);
  });

  test('that came too late changes nothing: it begins at its hour, once, and the mover reads that', async () => {
    const { bot, form, startsAt } = await almost();
    const { claim } = bot.store.turns;
    bot.store.turns.claim = async (id, owner, leaseMs) => {
      if (owner.startsWith('move ')) {
        bot.store.turns.claim = claim;
        await comes(bot, startsAt);
        await bot.until(async () => (await newestRow(bot)).state !== 'scheduled', 'the begin');
      }
      return claim(id, owner, leaseMs);
    };
    expect(await move(bot, form, startsAt + hour)).toMatchObject({
      kind: 'errors',
      errors: { '@at': expect.stringContaining('Restart web-1 was changed meanwhile. Its card shows how.') },
    });
    await bot.until(async () => (await newestRow(bot)).state === 'done', 'the end');
    await bot.settle();
    expect(await newestRow(bot)).toMatchObject({ startsAt });
    expect(restarts(bot)).toBe(1);
    expect(await entries(bot, 'moved')).toEqual([]);
    expect(await bot.store.votes.list((await newestRow(bot)).id)).toMatchObject([{ isVoid: false }]);
  });
});
