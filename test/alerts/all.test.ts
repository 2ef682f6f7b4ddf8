import { expect, test } from 'vitest';
import { alertRules } from '../../src/alerts/all.ts';
import { powerLeftBy } from '../../src/alerts/power.ts';
import { readRules } from '../../src/commands/alerts/subscription.ts';
import { loadCommands } from '../../src/commands/all.ts';
import { levelAbove, levelBelow } from '../../src/core/alert/thresholds.ts';
import { parse } from '../../src/core/grammar/parse.ts';
import { textOf } from '../support/view-text.ts';

test('every rule says what it reads, when it fires and clears, and what it offers', () => {
  const names = alertRules.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const rule of alertRules) {
    expect(rule.everyMs).toBeGreaterThanOrEqual(60_000);
    for (const words of [rule.reads, rule.fires, rule.clears, rule.offers, rule.title, rule.many(3)]) {
      expect(words.length, rule.name).toBeGreaterThan(2);
    }
    // From mild to worst, so that a level is an index.
    const { thresholds } = rule;
    if (thresholds === undefined) continue;
    const sorted = thresholds.usual.toSorted((a, b) => (thresholds.isFalling ? b - a : a - b));
    expect(thresholds.usual).toEqual(sorted);
    expect(thresholds.usual.every((at) => at >= thresholds.min && at <= thresholds.max)).toBe(true);
  }
});

test('each rule offers one action, and perhaps what it is about, and each is a command that can be typed', async () => {
  const commands = await loadCommands();
  for (const rule of alertRules) {
    const { offers } = rule.sample(Date.now());
    expect(
      offers.filter(({ label }) => label !== 'Stats' && label !== 'Show zone diff'),
      rule.name,
    ).toHaveLength(1);
    for (const { line } of offers) {
      const parsed = parse(line.replaceAll('$alert', 'a1b2c3d4'), commands);
      expect(parsed.kind === 'command' && parsed.missing, `${rule.name}: ${line}`).toEqual([]);
    }
  }
});

test('each command that is said to leave a server on or off is a command', async () => {
  const paths = (await loadCommands()).map(({ path }) => path);
  expect(Object.keys(powerLeftBy).filter((path) => !paths.includes(path))).toEqual([]);
});

test('the sample alert of each rule reads as expected', () => {
  const samples = alertRules.map((rule) => {
    const { title, lines, severity, offers } = rule.sample(Date.UTC(2026, 0, 1));
    return [
      `${severity} · ${title}`,
      ...lines.map((line) => `  ${textOf(line)}`),
      `  [${offers.map(({ label }) => label).join('] [')}]`,
    ].join('\n');
  });
  expect(samples.join('\n')).toMatchInlineSnapshot(`
    "warning · Balance covers 6 days
      next renewal: web-1 in 6 days
      [Balance]
    warning · 2 invoices are unpaid
      [Invoices]
    warning · web-1 is paid for 3 more days
      34-12345 · 192.0.2.10 · VPS-2 · whether it renews is not known
      [Order]
    critical · web-1 is blocked
      34-12345 · 192.0.2.10 · VPS-2
      a sample
      [Order]
    critical · web-1 is marked for cancellation
      34-12345 · 192.0.2.10 · VPS-2 · ends in 13 days · not asked in Slack
      [Keep]
    critical · web-1 is off
      example.com and www.example.com point to it
      [Start] [Stats]
    warning · web-1: restart, job 812, ended in error
      34-12345 · 192.0.2.10 · VPS-2
      [Job]
    warning · files-1 has used 85 % of its traffic
      34-1000101 · 192.0.2.10 · VPS-2 · 8.50 TB of 10.0 TB
      at the pace so far it is used up in about 4 days, before the range ends
      [Traffic]
    warning · example.com was changed by hand
      www A 192.0.2.10 → 192.0.2.66 · noticed ‹full› · no completed request here wrote it
      [Show zone diff] [Put back]
    warning · Media is 92 % full
      664-7 · 232 of 250 GB, by the name of its plan
      [Show]
    warning · 203.0.113.25 has the reverse DNS name 203-0-113-25.hosting.example
      it receives mail as mail.example.com; other mail servers may refuse what it sends
      the API does not change reverse DNS: ask support
      [Addresses]
    info · web-1 is new
      34-12345 · 192.0.2.10 · VPS-2
      [Status]
    warning · The order 34-12345 cannot be read
      id: Invalid input
      No other alert covers it, and commands on it are refused. Everything else works.
      [Orders]
    critical · The provider refuses the API key
      Nothing can be read or done until an admin has checked HOST_API_KEY.
      [Check]
    critical · The provider has not answered for 5 min
      no answer since ‹full›; nothing is sent, and what is shown may be old
      Servers may still run. Only the provider’s API is known to be down.
      [Check]"
  `);
});

test('the level of a value is the worst threshold that it passes', () => {
  expect([15, 14, 8, 7, 3, 1, 0].map((days) => levelBelow(days, [14, 7, 3, 1]))).toEqual([undefined, 0, 0, 1, 2, 3, 3]);
  expect([79, 80, 95, 200].map((share) => levelAbove(share, [80, 95]))).toEqual([undefined, 0, 1, 1]);
});

test('`all` means every rule, and is refused together with another word', () => {
  expect(readRules(['all'], alertRules)).toBe(alertRules);
  expect(readRules(['everything'], alertRules)).toBe(alertRules);
  expect(readRules(['balance', 'and', 'power'], alertRules).map(({ name }) => name)).toEqual(['balance', 'power']);
  for (const words of [
    ['all', 'except', 'power'],
    ['all', 'but', 'zone'],
    ['power', 'all'],
  ])
    expect(() => readRules(words, alertRules)).toThrow('`all` means every rule, so nothing else can be named with it.');
});
