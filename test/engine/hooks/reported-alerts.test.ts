import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Alert } from '../../../src/core/alert/alert.ts';
import { hour, minute, openHooked } from '../../alerts/support.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { isNightly } from '../../support/suite/seed.ts';

/** Posts of one alert in any order, as retries, pairs of Alertmanagers and stalls make them. */

const countsSchema = z.object({ raised: z.number(), resolved: z.number(), known: z.number() });

interface Post {
  readonly status: 'firing' | 'resolved';
  readonly start: number;
  readonly end: number;
}

/** Everything that people can notice. */
function pictureOf(row: Alert | undefined) {
  return row && [row.id, row.state, row.flaps, row.calmSince, row.resolvedAt, row.startsAt, row.endsAt, row.finding];
}

const posts = fc.array(
  fc.record<Post>({
    status: fc.constantFrom('firing', 'resolved'),
    start: fc.integer({ min: 0, max: 3 }),
    end: fc.integer({ min: 4, max: 12 }),
  }),
  { minLength: 1, maxLength: 10 },
);

test('firing always opens an alert, an end that was accepted once is not accepted again, and a repetition changes nothing', async () => {
  const { bot, id, post } = await openHooked('alertmanager');
  const base = Date.UTC(2026, 0, 1);
  const timeOf = (n: number) => new Date(base + n * 60_000).toISOString();
  let runs = 0;
  const property = fc.asyncProperty(posts, async (sequence) => {
    runs += 1;
    // A hook has a limit of posts per minute.
    bot.skip(60_000);
    const fingerprint = `f${runs}`;
    const send = async ({ status, start, end }: Post) => {
      const endsAt = status === 'resolved' ? timeOf(end) : '0001-01-01T00:00:00Z';
      const alert = { status, labels: { alertname: 'Disk' }, startsAt: timeOf(start), endsAt, fingerprint };
      return countsSchema.parse((await post(JSON.stringify({ status, alerts: [alert] }))).body);
    };
    const rowNow = () => bot.store.alerts.last(ops, `hook:${id}`, fingerprint);
    const isOpen = async () => {
      const row = await rowNow();
      return row !== undefined && row.resolvedAt === null && row.calmSince === null;
    };
    const believed = new Set<number>();
    for (const one of sequence) {
      const wasOpen = await isOpen();
      const counts = await send(one);
      if (one.status === 'firing') {
        expect(await isOpen()).toBe(true);
      } else {
        const isLatest = [...believed].every((end) => one.end > end);
        if (believed.has(one.end)) expect(await isOpen()).toBe(wasOpen);
        else if (isLatest) expect(await isOpen()).toBe(false);
        if (counts.resolved === 1) believed.add(one.end);
      }
      // The same post once more, as after an answer that did not arrive.
      const before = pictureOf(await rowNow());
      expect(await send(one)).toEqual({ raised: 0, resolved: 0, known: 1 });
      expect(pictureOf(await rowNow())).toEqual(before);
    }
  });
  await fc.assert(property, { numRuns: isNightly ? 100 : 20 });
});

test('the end of an earlier alert changes nothing, and the end that either of two senders posts resolves the alert', async () => {
  const { bot, post } = await openHooked('alertmanager');
  const at = (ago: number) => new Date(bot.now() - ago * minute).toISOString();
  const send = async (status: 'firing' | 'resolved', startsAt: string, endsAt = '0001-01-01T00:00:00Z') => {
    const alert = { status, labels: { alertname: 'Disk' }, startsAt, endsAt, fingerprint: 'f00d' };
    const { body } = await post(JSON.stringify({ status, alerts: [alert] }));
    return Object.entries(z.record(z.string(), z.number()).parse(body)).find(([, n]) => n === 1)?.[0];
  };
  const [first, end, second] = [at(90), at(80), at(60)];
  expect(await send('firing', first)).toBe('raised');
  expect(await send('resolved', first, end)).toBe('resolved');
  expect(await send('firing', second)).toBe('raised');
  // The end of the first comes once more: the second stays open.
  expect(await send('resolved', first, end)).toBe('known');
  // The other of two senders saw an earlier start.
  expect(await send('firing', at(61))).toBe('known');
  expect(await bot.store.alerts.countOpen(ops)).toBe(1);
  await bot.pass(3 * hour);
  const itsEnd = at(1);
  expect(await send('resolved', at(241), itsEnd)).toBe('resolved');
  await bot.later(hour);
  expect(await bot.store.alerts.countOpen(ops)).toBe(0);
  // The other of two senders does not know of the end: its alert counts, until it reports an end, too.
  expect(await send('firing', second)).toBe('raised');
  expect(await send('resolved', at(241), itsEnd)).toBe('known');
  expect(await bot.store.alerts.countOpen(ops)).toBe(1);
  expect(await send('resolved', second, at(0))).toBe('resolved');
});
