import { expect, test } from 'vitest';
import { z } from 'zod';
import { makeHookAlone, openHooks, openWatch } from '../../alerts/support.ts';
import { ops } from '../../support/fake-slack.ts';

test('a thousand alerts in a minute are a few messages, and all of them are in the list', async () => {
  const bot = await openWatch({});
  const { post } = await openHooks(bot);
  const { url: path } = await makeHookAlone(bot, 'json');
  const alert = (n: number) => ({ id: `disk-${n}`, title: `Disk ${n} <!channel> is full` });
  const bodies = Array.from({ length: 250 }, (_, n) =>
    JSON.stringify({ alerts: [0, 1, 2, 3].map((m) => alert(4 * n + m)) }),
  );
  const waiting = bodies.values();
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (const body of waiting) expect((await post(path, body)).status).toBe(200);
    }),
  );
  // A publisher that is working as the last alert arrives continues by itself; each sweep takes up the rest.
  await bot.until(async () => {
    await bot.sweep();
    return (await bot.store.alerts.withoutMessage(ops, 10)).length === 0;
  }, 'all of them to be told');
  expect(await bot.store.alerts.countOpen(ops)).toBe(1_000);
  expect(bot.alerts().length).toBeLessThanOrEqual(11);
  await bot.say('operator', 'alerts list page=50');
  expect(bot.transcript()).toContain('1,000 alerts open · page 50 of 50');
  // Plain text all the way: what looks like a mention is a string, and not a span that means something.
  const spans = bot
    .alerts()
    .flatMap((message) => message.view.parts.flatMap((part) => (part.kind === 'text' ? [part.text].flat() : [])));
  expect(spans.some((span) => typeof span === 'string' && span.includes('<!channel>'))).toBe(true);
  expect(spans.some((span) => typeof span === 'object' && 'channel' in span)).toBe(false);
});

test('no posted alert is lost while an earlier one is delivered', async () => {
  const bot = await openWatch({});
  const { post } = await openHooks(bot);
  const { url } = await makeHookAlone(bot, 'json');
  const send = async (id: string, status: string, startsAt: number) => {
    const body = JSON.stringify({ id, title: id, status, startsAt: new Date(startsAt).toISOString() });
    const answer = z.object({ body: z.record(z.string(), z.number()) }).parse(await post(url, body));
    return Object.entries(answer.body).find(([, n]) => n === 1)?.[0];
  };
  const begin = bot.now() - 60_000;
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => [
      await send(`disk-${n}`, 'firing', begin),
      await send(`disk-${n}`, 'resolved', begin),
      await send(`disk-${n}`, 'firing', begin + 1),
    ]),
  );
  for (const answer of answers) expect(answer).toEqual(['raised', 'resolved', 'raised']);
  expect(await bot.store.alerts.countOpen(ops)).toBe(40);
});

test('a hundred simultaneous reports of one alert are all accepted', async () => {
  const bot = await openWatch({});
  const { post } = await openHooks(bot);
  const { url } = await makeHookAlone(bot, 'json');
  const body = (n: number) => JSON.stringify({ id: 'disk', title: `The disk is ${n} % full` });
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => post(url, body(n))));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(bot.log).toEqual([]);
});
