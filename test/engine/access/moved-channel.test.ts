import { expect } from 'vitest';
import { ops, people } from '../../support/bot/fake-slack.ts';
import { test } from '../../support/bot/test-bot.ts';
import { requested, sayAndSettle, setChannel } from '../told.ts';

const to = 'C0AFTER';

test('a channel that gets another id keeps its policy and its open requests, and the admins are notified', async () => {
  const bot = await requested('restart web-1');
  setChannel(bot, {}, to);
  bot.channels.delete(ops);

  const moved = () => bot.replicas[0]?.engine.changed({ kind: 'moved', from: ops, to });
  await moved();
  // Slack may repeat the event.
  await moved();
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.writes().length === 1, 'the write');
  // Late enough for a reply in the thread.
  bot.skip(60_000);
  await bot.settle();
  const [operation] = await bot.store.operations.list({ limit: 1 });
  expect(operation).toMatchObject({ state: 'done', channel: to });
  expect(bot.posted.find(({ key }) => key === `end:${operation?.id}`)).toMatchObject({ channel: to });
  expect((await bot.store.audit.list({ channel: to, kind: 'channel', limit: 5 })).map(({ data }) => data)).toEqual([
    expect.objectContaining({ text: expect.stringContaining(`${ops} is ${to} now`), from: ops, to }),
  ]);
  const notices = bot.posted.filter(({ key }) => key?.startsWith('moved:'));
  expect(notices.map(({ channel }) => channel)).toEqual([people.admin]);
});

test('the rights of a channel that gets another id and is shared rest until an admin confirms', async ({ bot }) => {
  await bot.say('reader', 'list');
  setChannel(bot, { isShared: true }, to);
  await bot.replicas[0]?.engine.changed({ kind: 'moved', from: ops, to });
  await sayAndSettle(bot, 'operator', 'restart web-1', { place: { channel: to, kind: 'channel' } });
  expect(bot.story(to)).toContain('permissions here are suspended until an admin restores them');
  expect(bot.writes()).toEqual([]);
});
