import { describe, expect, test } from 'vitest';
import { hour } from '../../../src/core/text/words.ts';
import { people } from '../../support/bot/fake-slack.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { decide } from '../asked.ts';
import { cardOf, messagesOf, wordsOf } from '../told.ts';
import { approved, newestRow, restarts } from './hours.ts';

// One person moves a scheduled request while another calls it off. PostgreSQL has two replicas: each gets one of them.

const waits = 'Restart web-1 was changed meanwhile and waits for a decision.';

/** A scheduled request, the form that moves it, and both acts on it. */
async function scheduled(bot: TestBot, name: string, rule: 'confirm' | 'approve') {
  await decide(bot, `restart ${name} in 5h`, ...(rule === 'confirm' ? [] : (['lead', 'Approve'] as const)));
  await bot.until(() => cardOf(bot).includes('[Move…]'), 'its buttons');
  const form = await bot.open('operator', { button: 'Move…' });
  const { button } = bot.findButton('Call off');
  const { id, startsAt } = await newestRow(bot);
  const later = (startsAt ?? 0) + hour;
  return {
    later,
    move: () => bot.submit('operator', form, { '@at': new Date(later).toISOString() }),
    callOff: () => bot.click('lead', button, { replica: bot.replicas.length - 1 }),
    row: () => bot.store.operations.find(id),
    entries: async (kind: string) => (await bot.store.audit.list({ operationId: id, kind, limit: 9 })).length,
    ends: () => messagesOf(bot, 'end').filter(({ key }) => key.endsWith(id)).length,
  };
}

const refusedAt = (words: string) => ({ kind: 'errors', errors: { '@at': expect.stringContaining(words) } });
/** The messages since then that only the lead sees. */
const toldLead = (bot: TestBot, since: number) =>
  bot.posted
    .slice(since)
    .filter(({ onlyFor }) => onlyFor === people.lead)
    .map(({ view }) => wordsOf(bot, view));
/** The store of the process that calls it off. */
const storeOfOther = (bot: TestBot) => (bot.replicas.at(-1) ?? bot).store;

describe.each(engines)('on %s, "Move…" and "Call off" at the same moment', (engine) => {
  test.each(['confirm', 'approve'] as const)(
    'in both orders, under a rule "%s": what happened is in the audit once, and the other person reads why not',
    async (rule) => {
      const bot = await startTestBot({ engine, ...(rule === 'approve' && { policy: approved }) });
      for (const [n, name] of ['web-1', 'web-2', 'db-1', 'cache-1'].entries()) {
        const { move, callOff, row, entries, ends, later } = await scheduled(bot, name, rule);
        const before = bot.posted.length;
        const isMoveFirst = n % 2 === 0;
        const early = isMoveFirst ? undefined : callOff();
        const moving = move();
        await (early ?? callOff());
        const answer = await moving;
        await bot.settle();
        const isMoved = answer.kind === 'accepted';
        const end = await row();
        const isOff = end?.state === 'withdrawn';
        expect(isMoved || isOff, name).toBe(true);
        expect([await entries('moved'), await entries('withdrawn'), ends()]).toEqual(
          [isMoved, isOff, isOff].map(Number),
        );
        if (!isMoved) expect(JSON.stringify(answer)).toMatch(/"@at":"[^"]*(was changed meanwhile|has ended already)/);
        if (isMoved && !isOff) {
          expect(end).toMatchObject({ state: 'waiting', startsAt: later });
          expect(toldLead(bot, before)).toHaveLength(1);
        }
        // A vote for the former hour would be void, so only one of both happens.
        if (rule === 'approve') expect(isMoved).toBe(!isOff);
        else expect(isOff).toBe(true);
      }
      expect(restarts(bot)).toBe(0);
    },
  );

  test('called off while the move has its turn, it ends, and the form says that it was changed', async () => {
    const bot = await startTestBot({ engine, policy: approved });
    const { move, callOff, row, entries, ends } = await scheduled(bot, 'web-1', 'approve');
    const { votes } = bot.store;
    const { void: voidVote } = votes;
    votes.void = async (...words) => {
      await callOff();
      return voidVote(...words);
    };
    expect(await move()).toEqual(refusedAt('Restart web-1 was changed meanwhile. Its card shows how.'));
    await bot.settle();
    expect(await row()).toMatchObject({ state: 'withdrawn' });
    expect([await entries('moved'), await entries('withdrawn'), ends()]).toEqual([0, 1, 1]);
  });

  test('called off while a turn draws its card, the move that waits for the turn is refused', async () => {
    const bot = await startTestBot({ engine });
    const { move, callOff, row, entries, ends } = await scheduled(bot, 'web-1', 'confirm');
    const { id } = await newestRow(bot);
    expect(await bot.store.turns.claim(id, 'the test', 60_000)).toBeDefined();
    const moving = move();
    await callOff();
    expect(await moving).toEqual(refusedAt('Restart web-1'));
    await bot.store.turns.giveBack(id, 'the test', { dueAt: bot.now() });
    await bot.settle();
    expect(await row()).toMatchObject({ state: 'withdrawn' });
    expect([await entries('moved'), await entries('withdrawn'), ends()]).toEqual([0, 1, 1]);
  });

  test.each([
    ['approve', 'waiting', 0, [expect.stringContaining(waits)]],
    ['confirm', 'withdrawn', 1, []],
  ] as const)('moved while another person calls it off, under "%s" it is %s', async (rule, state, ended, words) => {
    const bot = await startTestBot({ engine, ...(rule === 'approve' && { policy: approved }) });
    const { move, callOff, row, entries, ends, later } = await scheduled(bot, 'web-1', rule);
    const { operations } = storeOfOther(bot);
    const { move: moveRow } = operations;
    operations.move = async (...given) => {
      if (given[2] === 'withdrawn') {
        operations.move = moveRow;
        expect(await move()).toEqual({ kind: 'accepted' });
      }
      return moveRow(...given);
    };
    const before = bot.posted.length;
    await callOff();
    await bot.settle();
    expect(await row()).toMatchObject({ state, startsAt: later });
    expect([await entries('moved'), await entries('withdrawn'), ends()]).toEqual([1, ended, ended]);
    expect(toldLead(bot, before)).toEqual(words);
    expect(restarts(bot)).toBe(0);
  });

  test('the form of a person who moves it after another person did says that it waits for a decision', async () => {
    const bot = await startTestBot({ engine, policy: approved });
    const { move } = await scheduled(bot, 'web-1', 'approve');
    const form = await bot.open('lead', { button: 'Move…' });
    expect(await move()).toEqual({ kind: 'accepted' });
    const at = new Date(bot.now() + 2 * hour).toISOString();
    expect(await bot.submit('lead', form, { '@at': at })).toEqual(refusedAt(waits));
  });
});
