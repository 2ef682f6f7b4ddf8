import { expect, test } from 'vitest';
import { makeHookAlone, minute, openHooks, openWatch } from '../alerts/support.ts';
import { ops, opsGroup } from '../support/bot/fake-slack.ts';
import { usualPolicy } from '../support/bot/policy.ts';

// A webhook's address is its only secret, and monitoring systems keep it in files and logs.

test('the message of a webhook shows only servers that the channel may read, and the host of its link', async () => {
  const policy = usualPolicy(opsGroup);
  const grants = policy.grants.map((grant) => ({ ...grant, on: ['tag:web'] }));
  const bot = await openWatch({}, { policy: { ...policy, grants } });
  const { post } = await openHooks(bot);
  const { url } = await makeHookAlone(bot, 'json');
  const link = 'https://hostler-login.example.net/reset?as=admin';
  await post(url, JSON.stringify({ id: 'disk', title: 'web-1, db-1 and 192.0.2.20 are full', link }));
  await bot.until(() => bot.alerts().length === 1);
  const story = bot.story();
  expect(story).toContain('web-1 · 34-12345 · 192.0.2.10');
  expect(story).not.toContain('34-12346');
  expect(story).toContain('Source: hostler-login.example.net');
});

test('webhook posts above the limit get 429, and are accepted when there is room again', async () => {
  let statements = 0;
  const bot = await openWatch(
    {},
    {
      process: {
        onQuery: ({ sql }) => {
          if (/^(insert into|update) "(alerts|messages)"/.test(sql)) statements += 1;
        },
      },
    },
  );
  const { post } = await openHooks(bot);
  const { url } = await makeHookAlone(bot, 'json');
  const body = (status: string, from: number, to: number) =>
    JSON.stringify({
      alerts: Array.from({ length: to - from }, (_, n) => ({ id: `${from + n}`, title: 'x', status })),
    });
  statements = 0;
  expect(await post(url, body('firing', 0, 2_500))).toEqual({
    status: 429,
    body: {
      raised: 2_000,
      resolved: 0,
      known: 0,
      error: '500 new alerts were not accepted: 2000 of this hook are open. Post them again when some are resolved.',
    },
  });
  expect(await post(url, body('firing', 0, 2_000))).toMatchObject({ status: 200, body: { known: 2_000 } });
  // A single message, not one for each of them.
  expect(statements).toBeLessThan(400);
  expect(await post(url, body('resolved', 0, 3))).toMatchObject({ status: 200, body: { resolved: 3 } });
  expect(await post(url, body('firing', 2_400, 2_403))).toMatchObject({ status: 200, body: { raised: 3 } });
  expect(await bot.store.alerts.countOpen(ops)).toBe(2_000);
  const statuses: (number | undefined)[] = [];
  const read = async () => Buffer.from(body('resolved', 9_000, 9_001));
  for (let n = 0; n < 610; n++) {
    const answer = await bot.replicas[0]?.receiveHook({ path: url, encoding: undefined, signature: undefined, read });
    statuses.push(answer?.status);
  }
  expect(statuses.filter((status) => status === 429)).toHaveLength(14);
  bot.skip(minute);
  expect(await post(url, body('resolved', 9_000, 9_001))).toMatchObject({ status: 200 });
});
