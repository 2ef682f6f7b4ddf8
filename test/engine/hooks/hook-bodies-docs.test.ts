import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { drawn, openHooked } from '../../alerts/support.ts';
import { ops } from '../../support/bot/fake-slack.ts';

// Posts the examples of docs/alerts.md.

const page = readFileSync('docs/alerts.md', 'utf8');
const fences = (language: string) =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, of, body = '']) => (of === language ? [body] : []));

test('the hook accepts every JSON example of the page, and the page shows the response that it gives', async () => {
  const { bot, post } = await openHooked('json');
  const typed = /--json '([^']+)'/.exec(fences('sh').join())?.[1] ?? '';
  expect(await post(typed)).toEqual({ status: 200, body: { raised: 1, resolved: 0, known: 0 } });
  await drawn(bot);
  expect(bot.story()).toContain('The backup of db-1 is missing');
  // The card that is promised for `host`.
  expect(bot.story()).toContain('db-1 · 34-12346 · 192.0.2.20');
  const answers = [];
  for (const body of fences('json')) answers.push(await post(body));
  const lines = answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`);
  expect(lines).toEqual(['200 {"raised":2,"resolved":0,"known":0}', '200 {"raised":0,"resolved":1,"known":0}']);
  expect(page).toContain('`{"raised": 1, "resolved": 0, "known": 0}`');
  expect(await bot.store.alerts.countOpen(ops)).toBe(2);
  await drawn(bot);
});

test('the page’s Alertmanager configuration has one receiver, which reads its address from a file and sends resolved alerts', () => {
  const receiver = z.strictObject({
    name: z.string(),
    webhook_configs: z.tuple([
      z.strictObject({ url_file: z.string().startsWith('/'), send_resolved: z.literal(true) }),
    ]),
  });
  const config = z.strictObject({ receivers: z.tuple([receiver]) });
  expect(config.safeParse(parseYaml(fences('yaml').join('\n'))).success).toBe(true);
});
