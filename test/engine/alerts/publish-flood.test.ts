import { expect, test } from 'vitest';
import { z } from 'zod';
import { openHooked } from '../../alerts/support.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { engines } from '../../support/database/databases.ts';
import { isNightly } from '../../support/suite/seed.ts';

/** More alerts arrive at night. */

test('hundreds of alerts in a minute are a few messages, and all of them are in the list', async () => {
  const { bot, post } = await openHooked('json');
  const alert = (n: number) => ({ id: `disk-${n}`, title: `Disk ${n} <!channel> is full` });
  const posts = isNightly ? 250 : 50;
  const bodies = Array.from({ length: posts }, (_, n) =>
    JSON.stringify({ alerts: [0, 1, 2, 3].map((m) => alert(4 * n + m)) }),
  );
  const waiting = bodies.values();
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (const body of waiting) expect((await post(body)).status).toBe(200);
    }),
  );
  // A publisher that is working as the last alert arrives continues by itself; each sweep takes up the rest.
  await bot.until(async () => {
    await bot.sweep();
    return (await bot.store.alerts.withoutMessage(ops, 10)).length === 0;
  }, 'all of them to be told');
  expect(await bot.store.alerts.countOpen(ops)).toBe(4 * posts);
  expect(bot.alerts().length).toBeLessThanOrEqual(11);
  const pages = Math.ceil((4 * posts) / 25);
  await bot.say('operator', `alerts list page=${pages}`);
  expect(bot.transcript()).toContain(`${isNightly ? '1,000' : '200'} alerts open · page ${pages} of ${pages}`);
  // Plain text all the way: what looks like a mention is a string, and not a span that means something.
  const spans = bot
    .alerts()
    .flatMap((message) => message.view.parts.flatMap((part) => (part.kind === 'text' ? [part.text].flat() : [])));
  expect(spans.some((span) => typeof span === 'string' && span.includes('<!channel>'))).toBe(true);
  expect(spans.some((span) => typeof span === 'object' && 'channel' in span)).toBe(false);
});

test.each(engines)('on %s, no posted alert is lost while an earlier one is delivered', async (engine) => {
  const { bot, post } = await openHooked('json', { engine });
  const send = async (id: string, status: string, startsAt: number) => {
    const body = JSON.stringify({ id, title: id, status, startsAt: new Date(startsAt).toISOString() });
    const answer = z.object({ body: z.record(z.string(), z.number()) }).parse(await post(body));
    return Object.entries(answer.body).find(([, n]) => n === 1)?.[0];
  };
  const begin = bot.now() - 60_000;
  const alerts = isNightly ? 40 : 20;
  const answers = await Promise.all(
    Array.from({ length: alerts }, async (_, n) => [
      await send(`disk-${n}`, 'firing', begin),
      await send(`disk-${n}`, 'resolved', begin),
      await send(`disk-${n}`, 'firing', begin + 1),
    ]),
  );
  for (const answer of answers) expect(answer).toEqual(['raised', 'resolved', 'raised']);
  expect(await bot.store.alerts.countOpen(ops)).toBe(alerts);
});

test.each(engines)('on %s, simultaneous reports of one alert are all accepted', async (engine) => {
  const { bot, post } = await openHooked('json', { engine });
  const body = (n: number) => JSON.stringify({ id: 'disk', title: `The disk is ${n} % full` });
  const answers = await Promise.all(Array.from({ length: isNightly ? 100 : 40 }, (_, n) => post(body(n))));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(bot.log).toEqual([]);
});
