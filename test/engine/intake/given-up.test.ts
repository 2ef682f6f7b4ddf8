import { expect, test } from 'vitest';
import { ops, people } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';

/** A bot with requests that an ended process has received. */
async function openWith(servers: readonly string[], options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await startTestBot(options);
  for (const server of servers) {
    const request = {
      id: `left ${server}`,
      actor: people.operator ?? '',
      place: { channel: ops, kind: 'channel' },
      at: bot.now(),
      ask: { kind: 'line', line: `restart ${server}` },
    };
    const claim = { owner: 'a process that ended', forMs: 1 };
    await bot.store.inbox.receive({ key: request.id, body: JSON.stringify(request), claim });
  }
  return bot;
}

test('all requests that an ended process had received are handled, regardless of the limit per minute', async () => {
  const bot = await openWith(['web-1', 'web-2', 'db-1'], { config: { requestsPerMinute: 1 } });
  await bot.takeUp();
  await bot.until(async () => (await openOperations(bot.store)).length === 3, 'all three cards');
});

test('a received request that was not handled in time is answered, even when Slack is offline, and is in the audit', async () => {
  const bot = await openWith(['web-1']);
  bot.skip(11 * 60_000);
  await bot.takeUp();
  await bot.until(() => bot.posted.some(({ key }) => key === 'stale:left web-1'), 'the answer');
  expect(bot.transcript(people.operator)).toContain(
    'The bot could not begin an earlier request of yours in time (/host restart web-1). It was not started',
  );
  expect(await bot.store.audit.list({ kind: 'not_started', limit: 5 })).toHaveLength(1);
  expect(bot.writes()).toEqual([]);
});
