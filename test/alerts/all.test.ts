import { expect, test } from 'vitest';
import { alertRules } from '../../src/alerts/all.ts';
import { gravityOf } from '../../src/alerts/define-alert.ts';
import { powerLeftBy } from '../../src/alerts/power.ts';
import { readRules } from '../../src/commands/alerts/subscription.ts';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { parse } from '../../src/core/grammar/parse.ts';

test('every rule says what it reads, when it fires and when it clears', () => {
  const names = alertRules.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const rule of alertRules) {
    expect(rule.everyMs).toBeGreaterThanOrEqual(60_000);
    for (const words of [rule.fires, rule.clears, rule.title, rule.many(3)]) {
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
    const about = ['Stats', 'Show zone diff'];
    const others = offers.filter(({ label }) => !about.includes(label));
    expect(others, rule.name).toHaveLength(1);
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

test('the level of a value is the worst threshold that it passes', () => {
  const ofDays = [15, 14, 8, 7, 3, 1, 0].map((days) => gravityOf([14, 7, 3, 1], (at) => days <= at)?.level);
  expect(ofDays).toEqual([undefined, 0, 0, 1, 2, 3, 3]);
  const ofShares = [79, 80, 95, 200].map((share) => gravityOf([80, 95], (at) => share >= at)?.level);
  expect(ofShares).toEqual([undefined, 0, 1, 1]);
});

test('`all` means every rule, and is refused together with another word', () => {
  expect(readRules(['all'], alertRules)).toBe(alertRules);
  expect(readRules(['everything'], alertRules)).toBe(alertRules);
  expect(readRules(['balance', 'and', 'power'], alertRules).map(({ name }) => name)).toEqual(['balance', 'power']);
  for (const words of ['all except power', 'all but zone', 'power all'])
    expect(() => readRules(words.split(' '), alertRules)).toThrow(
      '`all` means every rule, so nothing else can be named with it.',
    );
});
