import { expect } from 'vitest';
import type { TestBot } from '../../support/bot/test-bot.ts';
import { asked, moveRow, replanned, test } from '../asked.ts';

// Two versions on one database: one after the other, or side by side while replicas are replaced.

/** The next version: the present one with other names of the facts of a restart. */
const next = {
  version: '1.1.0',
  commands: await replanned(({ facts, ...plan }) => ({
    ...plan,
    facts: Object.fromEntries(Object.entries(facts).map(([name, value]) => [`the ${name}`, value])),
  })),
};

/** A request in one version, confirmed in the next. */
async function upgrade({ to = next, meanwhile = (_: TestBot) => {} } = {}) {
  const { bot } = await asked({ process: { version: '1.0.0' } });
  await bot.restart(to);
  meanwhile(bot);
  await bot.press('operator', 'Confirm', { first: true });
  await bot.until(async () => {
    const rows = await bot.store.operations.list({ limit: 9 });
    return rows.some(({ state }) => state === 'done' || state === 'refused');
  }, 'its end');
  await bot.settle();
  return bot;
}

test('facts that the new version words differently need a new approval, and nothing runs before it', async () => {
  const bot = await upgrade();
  expect(bot.writes()).toEqual([]);
  expect(bot.story()).toContain('The bot was upgraded since it was requested.');
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.writes().length > 0, 'the new card to run');
  await bot.settle();
  expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
});

test('a fact that changed during an upgrade does not count as another wording', async () => {
  const bot = await upgrade({ meanwhile: ({ sim }) => sim.power({ order: '34-12345', state: 'off' }) });
  expect(bot.writes()).toEqual([]);
});

test('facts that the same version words differently count as changed', async () => {
  const bot = await upgrade({ to: { ...next, version: '1.0.0' } });
  expect(bot.writes()).toEqual([]);
  expect(bot.story()).not.toContain('upgraded');
});

test('a process whose schema a newer version has changed takes no turn, and reports it', async ({ bot, id }) => {
  await bot.database.run(`insert into schema_version (version, name, applied_at) values (99, 'next', 0)`);
  await bot.press('operator', 'Confirm');
  await bot.replicas[0]?.sweep();
  expect(bot.outdated()).toBe(1);
  expect(await bot.store.turns.claim(id, 'this one', 1_000)).toBeUndefined();
  expect(await bot.store.turns.claimDue('this one', 1_000, 9)).toEqual([]);
  expect(bot.writes()).toEqual([]);
  await bot.database.run('delete from schema_version where version = 99');
  await bot.settle();
  expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
});

test('a request that was killed before its first write is not run by a version that describes it in other words', async () => {
  const { bot, id, row } = await asked({ process: { version: '1.0.0' } });
  await moveRow(bot, id, 'approved', 'running');
  await bot.restart(next);
  bot.replicas[0]?.wake(id);
  await bot.settle();
  expect((await row())?.endText).toMatch(/^Not run: the bot was upgraded since it was requested/i);
  expect(bot.writes()).toEqual([]);
});
