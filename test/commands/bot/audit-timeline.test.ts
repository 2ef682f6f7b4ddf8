import { expect } from 'vitest';
import { decide } from '../../engine/asked.ts';
import { readerOf } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { readView } from '../../support/bot/view-text.ts';

// The timeline of an incident, which `--timeline` writes as a file: test/engine/alerts/alert-buttons.test.ts has one with an alert.

const hour = 3_600_000;

/** The lines of the file without their hours, or the answer if there is no file. */
async function timeline(bot: TestBot, who: string, line: string): Promise<string[]> {
  const before = bot.posted.length;
  await bot.say(who, `${line} --timeline`);
  const view = bot.posted[before]?.view;
  const [file] = view?.files ?? [];
  if (view === undefined || file === undefined) return view === undefined ? [] : [readView(view, bot.nameOf)];
  const text = new TextDecoder().decode(file.bytes);
  return [...text.matchAll(/^- .*?\): (.*)$/gm)].map(([, event = '']) => event);
}

test('a timeline since an hour of the clock, or of yesterday, leaves out what was before', async ({ bot }) => {
  await decide(bot, 'restart web-1');
  bot.skip(2 * hour);
  await decide(bot, 'stop web-1');
  const clock = (at: number) =>
    new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Amsterdam', hour: '2-digit', minute: '2-digit' });
  const stopped = ['Stop web-1 · requested · @operator', 'Stop web-1 · done · @operator'];
  const restarted = ['Restart web-1 · requested · @operator', 'Restart web-1 · done · @operator'];
  const anHourAgo = clock(bot.now() - hour);
  for (const since of [`since ${anHourAgo}`, `since=${anHourAgo}`, '1h'])
    expect(await timeline(bot, 'operator', `audit web-1 ${since}`)).toEqual(stopped);
  expect(await timeline(bot, 'operator', `what happened to web-1 since ${anHourAgo}`)).toEqual(stopped);
  expect(await timeline(bot, 'operator', 'audit web-1 since yesterday 0:00')).toEqual([...restarted, ...stopped]);
  expect(await timeline(bot, 'operator', 'audit web-2 1h')).toEqual(['No audit entries fit.']);
});

test('a timeline of a domain has a change that was made by hand in its place between two requests', async ({ bot }) => {
  await bot.say('operator', 'dns list example.org');
  await decide(bot, 'dns add example.org blog2 A 192.0.2.10');
  bot.skip(60_000);
  bot.sim.records({ domain: 'example.org', add: [{ host: 'blog2', type: 'A', value: '192.0.2.66' }] });
  await bot.say('operator', 'dns list example.org');
  bot.skip(60_000);
  await decide(bot, 'dns add example.org blog2 A 192.0.2.67');
  expect(await timeline(bot, 'operator', 'audit blog2.example.org 1d')).toEqual([
    'Add A blog2.example.org · requested · @operator',
    'Add A blog2.example.org · done · @operator',
    '+ blog2 A 192.0.2.66 · changed · by hand',
    'Add A blog2.example.org · requested · @operator',
    'Add A blog2.example.org · done · @operator',
  ]);
});

test('a timeline has only the alerts, requests and changes by hand that its reader may read', async () => {
  const bot = await startTestBot({ policy: readerOf('order:34-12345') });
  await decide(bot, 'alerts on order-status');
  await bot.say('operator', 'dns list example.org');
  for (const line of ['restart web-1', 'restart web-2']) await decide(bot, line);
  bot.sim.records({ domain: 'example.org', add: [{ host: 'blog2', type: 'A', value: '192.0.2.66' }] });
  for (const order of ['34-12345', '34-12411']) bot.sim.order({ order, status: 'blocked' });
  await bot.pass(6 * 60_000);
  for (const { sweepAlerts } of bot.replicas) await sweepAlerts();
  await bot.say('operator', 'dns list example.org');
  const all = (await timeline(bot, 'operator', 'audit 1d')).join('\n');
  expect(all).toMatch(/Restart web-2 · done[\s\S]*db-2 is blocked · alert opened/);
  expect((await timeline(bot, 'operator', 'audit example.org 1d')).join()).toContain('by hand');
  expect(await timeline(bot, 'reader', 'audit 1d')).toEqual([
    // It names no server.
    'Turn on alerts: order-status · requested · @operator',
    'Turn on alerts: order-status · done · @operator',
    'Restart web-1 · requested · @operator',
    'Restart web-1 · done · @operator',
    'web-1 is blocked · alert opened · the bot',
  ]);
  expect((await timeline(bot, 'reader', 'audit example.org 1d')).join()).toMatch(/^example\.org is no name of /);
  // The alert is still open, but began before.
  bot.skip(2 * hour);
  expect((await timeline(bot, 'reader', 'audit 1h')).join()).not.toContain('alert opened');
});
