import { expect, test } from 'vitest';
import { opsGroup } from '../../support/bot/fake-slack.ts';
import type { TestBot } from '../../support/bot/test-bot.ts';
import { asked, failing, onceApproved, rules } from '../asked.ts';
import { idOf } from '../told.ts';

// A vote is void if its person may no longer decide when the request begins; the card then waits for another one.

const two = rules({ approve: 2, by: [`group:${opsGroup}`] });
const entriesOf = (bot: TestBot) => bot.store.audit.list({ kind: 'vote_void', limit: 9 });
const untilVoid = (bot: TestBot, user: string) =>
  bot.until(() => bot.story().includes(`The approval of @${user} no longer counts`), 'the card to wait again');

/** The reader, of the group for a moment, has approved. */
async function approvedByReader() {
  const { bot, id } = await asked({ policy: two });
  const group = bot.groups.get(opsGroup);
  group?.add(idOf('reader'));
  await bot.press('reader', 'Approve');
  const [vote] = await bot.store.votes.list(id);
  const join = (user: string) => group?.add(idOf(user));
  const leave = (user: string) => group?.delete(idOf(user));
  return { bot, id, vote, join, leave };
}

test.each(['deactivated', 'guest', 'stranger'] as const)(
  'the vote of an approver who is %s when the request runs is void, and nothing is sent',
  async (membership) => {
    const { bot } = await approvedByReader();
    bot.roster.set(idOf('reader'), { name: 'reader', membership });
    await bot.press('lead', 'Approve');
    await untilVoid(bot, 'reader');
    await bot.settle();
    expect(bot.story()).toContain('approved by @lead');
    expect(bot.story()).toContain('Needs 1 more of');
    expect(bot.writes()).toEqual([]);
  },
);

test('a void approval does not count again when the person is back in the group', async () => {
  const { bot, join, leave } = await approvedByReader();
  leave('reader');
  await bot.press('lead', 'Approve');
  await untilVoid(bot, 'reader');
  for (const user of ['reader', 'admin']) join(user);
  // The second approver leaves right before the request runs.
  onceApproved(bot, () => leave('lead'));
  await bot.press('admin', 'Approve');
  await untilVoid(bot, 'lead');
  expect(bot.writes()).toEqual([]);
});

test('a void vote is in the audit once, with its time and its reason, also when it is stored late', async () => {
  const { bot, id, vote, join, leave } = await approvedByReader();
  leave('reader');
  const voids = failing(bot.store.votes, 'void', () => true);
  await bot.press('lead', 'Approve');
  await bot.until(() => voids() > 0, 'the hiccup');
  await bot.pass(10_000);
  await untilVoid(bot, 'reader');
  const [line, ...others] = await entriesOf(bot);
  expect(others).toEqual([]);
  expect(line).toMatchObject({ actor: idOf('reader'), operationId: id });
  expect(line?.data).toEqual({ text: 'only an approver of this channel may do this', vote: vote?.at });
  // Back in the group, approved again, and out of the group again: another vote, with a separate audit entry.
  join('reader');
  onceApproved(bot, () => leave('reader'));
  await bot.press('reader', 'Approve');
  await bot.until(async () => (await entriesOf(bot)).length === 2, 'the second line');
  expect(bot.writes()).toEqual([]);
});

test('a void vote is announced when its process failed right after it was stored, and Slack is not asked again', async () => {
  const { bot, id, leave } = await approvedByReader();
  leave('reader');
  const { audit } = bot.store;
  const { append } = audit;
  let hiccups = 0;
  audit.append = async (entry) => {
    const seq = await append(entry);
    if (entry.kind !== 'vote_void') return seq;
    // Slack does not know them either, from now on.
    bot.roster.delete(idOf('reader'));
    if (hiccups++ === 0) throw new Error('a hiccup');
    return seq;
  };
  await bot.press('lead', 'Approve');
  await bot.until(() => hiccups > 0, 'the hiccup');
  await bot.pass(10_000);
  await bot.until(() => bot.story().includes('no longer counts'), 'the card to wait again');
  await bot.until(async () => (await bot.store.operations.find(id))?.state === 'waiting', 'the request');
  expect(hiccups).toBe(1);
  expect(bot.writes()).toEqual([]);
});
