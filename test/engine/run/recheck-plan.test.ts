import { expect } from 'vitest';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { operationId } from '../../../src/engine/context/request.ts';
import { replacementSeed } from '../../../src/engine/operation/end.ts';
import { changed } from '../../stories/changed.ts';
import { tellEach } from '../../stories/with-engine.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { asked, failing, moveRow, newest, onceApproved, replanned, rules, waitsOf, withoutGroups } from '../asked.ts';
import { confirm, passAndSettle, pressAndSettle, sayAndSettle } from '../told.ts';

// The check of a whole request between its decision and its first write: rights, votes, and errors of the check itself.

const by = [`group:${opsGroup}`];
const restarted = 'POST /vps/34-12345/restart/';
const slackUnavailable = 'Slack could not be asked who may decide this.';

const onWeb: Policy = policySchema.parse({
  grants: [
    { to: ['everyone'], can: ['read'] },
    { to: ['everyone'], can: ['operate'], on: ['tag:web'] },
  ],
  rules: { disruptive: 'confirm' },
});

test('a server that lost the tag of the right is not restarted', async () => {
  const { bot, id } = await asked({ policy: onWeb });
  bot.sim.order({ order: '34-12345', tags: [] });
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(await bot.store.operations.find(id)).toMatchObject({ state: 'refused', endReason: 'not_granted' });
  expect(bot.writes()).toEqual([]);
});

test('a request that needs no vote waits while Slack does not say who asked', async () => {
  const policy = policySchema.parse({ grants: [{ to: by, can: ['read', 'operate'] }], rules: { disruptive: 'none' } });
  const bot = await startTestBot({ policy });
  const { acquire } = bot.store.locks;
  let comeBack: () => unknown = () => {};
  bot.store.locks.acquire = async (...given) => {
    bot.store.locks.acquire = acquire;
    comeBack = withoutGroups(bot);
    return acquire(...given);
  };
  await bot.say('operator', 'restart web-1');
  const row = async () => (await bot.store.operations.list({ limit: 1 }))[0];
  await bot.until(async () => (await row())?.delayWhy === slackUnavailable, 'the delay');
  comeBack();
  await passAndSettle(bot, 10_000);
  expect(bot.writes()).toEqual([restarted]);
});

test('a request that is sent back to its approvers no longer says that it waits for Slack', async () => {
  const { bot, id, row } = await asked({ policy: rules({ approve: 1, by }) });
  let comeBack: () => unknown = () => {};
  onceApproved(bot, () => {
    comeBack = withoutGroups(bot);
  });
  const waits = waitsOf(bot, id);
  await bot.press('lead', 'Approve');
  await bot.until(() => waits.length === 1, 'the turn in which Slack did not answer');
  expect((await row())?.delayWhy).toBe(slackUnavailable);
  comeBack();
  bot.groups.get(opsGroup)?.delete(people.lead ?? '');
  await bot.pass(10_000);
  await bot.until(() => waits.length === 2, 'the next turn');
  expect(await row()).toMatchObject({ state: 'waiting', delayWhy: null });
  // The next turn reminds the approvers.
  expect(waits[1]).toBeGreaterThan(60_000);
});

test('a command that is no action in this version is not run', async () => {
  const { bot, id } = await asked();
  await bot.database.run(`update operations set command = 'status'`);
  await pressAndSettle(bot, 'operator', 'Confirm', { first: true });
  const end = await bot.store.operations.find(id);
  const reasons = [end?.endReason, end?.endText];
  expect(reasons).toEqual(['impossible', 'Not run: this version of the bot has no command status. Nothing was done.']);
});

test.each(['before it runs', 'after a killed process had begun it'])(
  'an error of the bot in the second plan of a request %s ends nothing: the turn is repeated',
  async (when) => {
    const commands = await replanned((plan, n) => {
      if (n === 1) throw new TypeError('of the bot');
      return plan;
    });
    const { bot, id, wake } = await asked({ process: { commands } });
    if (when === 'before it runs') await bot.press('operator', 'Confirm');
    else await moveRow(bot, id, 'approved', 'running');
    wake();
    await bot.until(() => bot.log.filter((line) => line.includes('a turn of an operation failed')).length === 1);
    await passAndSettle(bot, 10_000);
    expect(bot.writes()).toEqual([restarted]);
  },
);

const endOf = async (bot: TestBot, id: string) => {
  await bot.until(async () => (await bot.store.operations.find(id))?.state === 'refused', 'its end');
  return (await bot.store.operations.find(id))?.endText;
};

test('the end says that there is nothing to do although no fact differs', async () => {
  const nothingToDo = 'web-1 was restarted a moment ago.';
  const commands = await replanned((plan, n) => (n === 0 ? plan : { ...plan, nothingToDo }));
  const { bot, id } = await asked({ process: { commands } });
  await bot.press('operator', 'Confirm');
  expect(await endOf(bot, id)).toBe(`Not run: ${nothingToDo}`);
});

test('the end names the rule when the risk is unchanged', async () => {
  const dangerous = (approve: number) =>
    granting(
      { everyone: 'read operate' },
      { disruptive: 'confirm', dangerous: { approve, by: [...by, `user:${people.admin}`] } },
    );
  const { bot, id } = await asked({ policy: dangerous(1) }, 'restart web-1 web-2 db-1 mail-1');
  onceApproved(bot, () => bot.savePolicy(ops, dangerous(2), 1));
  await bot.press('lead', 'Approve');
  expect(await endOf(bot, id)).toMatch(/^Not run: the rule of this channel changed since the request: /);
  expect(bot.writes()).toEqual([]);
});

test('the end names the alerts of the channel', async () => {
  const policy = rules('confirm', { rules: { routine: 'confirm', dangerous: 'confirm' } });
  const { bot, id } = await asked({ policy }, 'alerts on power');
  await confirm(bot, 'lead', 'alerts on cancel-mark');
  await bot.press('operator', 'Confirm', { first: true });
  expect(await endOf(bot, id)).toBe(
    'Not run: The alerts of this channel changed since the request. A new card with the present state was posted.',
  );
});

test('the end names the channel and the freezes by no id', async ({ bot }) => {
  const freeze = async (why: string) => {
    await sayAndSettle(bot, 'operator', `freeze here "${why}"`);
  };
  await freeze('release');
  await sayAndSettle(bot, 'operator', 'unfreeze');
  const { id } = await newest(bot);
  for (const { id: first } of await bot.store.freezes.active(bot.now())) await bot.store.freezes.end(first);
  await freeze('another release');
  await bot.press('operator', 'Confirm', { first: true });
  expect(await endOf(bot, id)).toBe(
    'Not run: This channel changed since the request. A new card with the present state was posted.',
  );
});

test('each request has one new card, also when a process is killed before the end is stored', async () => {
  const { bot, id } = await asked();
  await sayAndSettle(bot, 'operator', 'restart web-2');
  const { id: other } = await newest(bot);
  const ends = failing(bot.store.operations, 'move', (moved, _, to) => moved === id && to === 'refused');
  bot.sim.order({ order: '34-12345', name: 'web-8' });
  bot.sim.order({ order: '34-12399', name: 'web-9' });
  await bot.press('operator', 'Confirm', { first: true });
  await bot.until(() => ends() > 0, 'the hiccup');
  await bot.pass(10_000);
  await endOf(bot, id);
  await bot.click('operator', { label: 'Confirm', intent: { do: 'vote', operation: other, vote: 'confirm' } });
  await endOf(bot, other);
  await bot.settle();
  const cards = await openOperations(bot.store);
  expect(cards.find(({ id: again }) => again === operationId(replacementSeed(id)))).toMatchObject({
    plan: { title: 'Restart web-8' },
  });
  expect(cards.find(({ id: again }) => again === operationId(replacementSeed(other)))).toMatchObject({
    plan: { title: 'Restart web-9' },
  });
  expect(cards).toHaveLength(2);
});

tellEach(changed);
