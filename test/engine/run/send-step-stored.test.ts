import { expect } from 'vitest';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { asked, beforeTheWrite, decide, failing, newest } from '../asked.ts';
import { answerTo, sayAndPress } from '../told.ts';

// The bot never forgets a response of the provider, says of a write that it was not sent, and leaves no lock behind.

const minute = 60_000;
const loose = { ...usualPolicy(opsGroup), rules: { dangerous: 'confirm' } } as const;

test('a response that the database does not store is stored again and again until it is stored', async () => {
  const bot = await startTestBot({ policy: loose });
  const stores = failing(bot.store.steps, 'move', (...given) => given[3] === 'accepted', { times: 3 });
  const seals = failing(bot.store.secrets, 'put', () => true, { times: 0 });
  await decide(bot, 'password web-1');
  expect([stores(), seals()]).toEqual([4, 1]);
  expect(bot.story()).toContain('[done in ‹time›]');
  expect(bot.story()).not.toContain('it is not known');
  expect(bot.posted.filter(({ key }) => key.startsWith('secret:'))).toHaveLength(1);
  expect(bot.writes()).toHaveLength(1);
});

test('a step that waits for its slot at the provider is not recorded as sent, and continues after its process was killed', async ({
  bot,
}) => {
  // After the last check other requests take all slots of the provider.
  beforeTheWrite(bot, () => Promise.all(Array.from({ length: 8 }, () => bot.replicas[0]?.takeWriteSlot())));
  await sayAndPress(bot, 'operator', 'restart web-1');
  await bot.until(async () => (await bot.store.audit.list({ limit: 9 })).some(({ kind }) => kind === 'call'));
  const [row] = await openOperations(bot.store);
  expect((await bot.store.steps.list(row?.id ?? '')).map(({ state }) => state)).toEqual(['pending']);
  await bot.crash();
  await bot.settle();
  expect(bot.story()).toContain('[done in ‹time›]');
  expect(bot.writes()).toHaveLength(1);
});

test.each<[when: string, freeze: (bot: TestBot) => void]>([
  [
    'between recording a write and sending it',
    (bot) => {
      const { steps } = bot.store;
      const { begin } = steps;
      steps.begin = async (...words) => {
        const isBegun = await begin(...words);
        bot.skip(6 * minute);
        return isBegun;
      };
    },
  ],
  [
    'in the last check before a write',
    (bot) => {
      const { freezes } = bot.store;
      const { active } = freezes;
      beforeTheWrite(bot, () => {
        // After a second all is checked again.
        bot.skip(2_000);
        freezes.active = async (...words) => {
          bot.skip(6 * minute);
          return active(...words);
        };
      });
    },
  ],
])('a process that was frozen %s does not send the write', async (_, freeze) => {
  const bot = await startTestBot();
  freeze(bot);
  await decide(bot, 'restart web-1');
  expect(bot.story()).toContain('[failed]');
  expect(bot.story()).toContain('not sent, because the bot was suspended for too long. Nothing was changed.');
  expect(bot.story()).not.toContain('did not answer');
  expect(bot.writes()).toEqual([]);
});

test('a process that stalls before a write, until another one has its turn, neither sends it nor calls it lost', async () => {
  const bot = await startTestBot({ engine: 'postgres', replicas: 2 });
  bot.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/restart/', ms: 1_500, times: 1 });
  const stalled = Promise.withResolvers<void>();
  for (const { store } of bot.replicas) {
    const { begin } = store.steps;
    store.steps.begin = async (...words) => {
      for (const each of bot.replicas) each.store.steps.begin = begin;
      store.turns.keep = async () => {};
      bot.skip(9_000);
      for (const each of bot.replicas) each.wake(words[0]);
      await bot.until(async () => (await store.steps.list(words[0]))[0]?.state === 'running', 'the other process');
      stalled.resolve();
      return begin(...words);
    };
  }
  await sayAndPress(bot, 'operator', 'restart web-1');
  await stalled.promise;
  await bot.settle();
  expect(bot.story()).toContain('[done in ‹time›]');
  expect(bot.story()).not.toContain('response was lost');
  expect(await bot.store.audit.list({ kind: 'lost', limit: 1 })).toEqual([]);
  expect(bot.writes()).toHaveLength(1);
});

/** The connection breaks before or after the first write is recorded. The turn is repeated in five seconds. */
async function restartCut(bot: TestBot, when: 'before' | 'after'): Promise<void> {
  const { steps } = bot.store;
  const { begin } = steps;
  steps.begin = async (...words) => {
    steps.begin = begin;
    if (when === 'after') await begin(...words);
    throw new StoreUnavailable('the connection was cut');
  };
  await sayAndPress(bot, 'operator', 'restart web-1');
  const isGivenBack = async () => {
    const [row] = await openOperations(bot.store);
    return row?.state === 'running' && row.turnOwner === null;
  };
  await bot.until(async () => steps.begin === begin && (await isGivenBack()), 'the turn to fail');
  bot.skip(5_000);
  await bot.settle();
}

const notSent = 'Restart web-1: not sent, because the database did not answer. Nothing was changed.';

test('a write that could not be recorded is sent by the next turn; one recorded then is not', async ({ bot }) => {
  await restartCut(bot, 'before');
  expect(bot.story()).toContain('[done in ‹time›]');
  expect(bot.writes()).toHaveLength(1);
  const other = await startTestBot();
  await restartCut(other, 'after');
  expect(other.story()).toContain('[failed]');
  expect(other.story()).toContain(notSent);
  expect(other.story()).not.toContain('response was lost');
  expect(other.writes()).toEqual([]);
});

test('a write that was recorded and not sent is not called lost while that cannot be stored', async ({ bot }) => {
  const stores = failing(bot.store.steps, 'move', (...given) => given[3] === 'failed', { times: 4 });
  await restartCut(bot, 'after');
  expect(stores()).toBe(5);
  expect(bot.story()).toContain(notSent);
  expect(bot.story()).not.toContain('response was lost');
  expect(bot.writes()).toEqual([]);
});

test('a card that waits for approval again holds no lock', async ({ bot }) => {
  await bot.say('operator', 'hard-reset web-1');
  const { id, wake } = await newest(bot);
  // An earlier turn took the lock, and failed.
  const lock = { operationId: id, owner: people.operator ?? '', reason: 'Hard reset web-1' };
  await bot.store.locks.acquire(['order:34-12345'], lock);
  bot.groups.get(opsGroup)?.delete(people.lead ?? '');
  await bot.store.votes.cast({ operationId: id, userId: people.lead ?? '', vote: 'approve' });
  await bot.store.operations.move(id, 'waiting', 'approved');
  wake();
  await bot.until(() => bot.story().includes('no longer counts'), 'the card to wait again');
  await bot.until(async () => (await bot.store.locks.list()).length === 0, 'the lock to be let go');
});

test('a row that this version cannot read is given up, its lock is released, and lists still work', async () => {
  const { bot, row, wake } = await asked({ provider: { jobMs: minute } });
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('accepted by the provider'));
  await bot.database.run(`update operations set plan = '{"title":"Restart web-1","subject":7}'`);
  wake();
  await bot.until(() => bot.log.some((line) => line.includes('a turn of an operation failed')), 'the log');
  await bot.until(async () => (await row())?.turnOwner === null, 'the turn');
  // The state after two minutes of failed turns.
  await bot.database.run('update operations set turn_failures = 24');
  await bot.pass(10_000);
  await bot.until(() => bot.story().includes('[result unknown]'), 'its end');
  await bot.until(async () => (await bot.store.locks.list()).length === 0, 'the lock to be let go');
  expect(bot.story()).toContain('Restart web-1: it was sent once, and its result is unknown');
  expect(await answerTo(bot, 'operator', 'requests')).toContain('Restart web-1 │ 🔴 result unknown');
});
