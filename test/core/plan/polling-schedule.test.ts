import { expect, test } from 'vitest';
import { nextPoll, nextRead, nextVerify, paced } from '../../../src/core/plan/polling-schedule.ts';

/** The seconds after its start at which a job is polled, if it takes longer than all of them. */
function looks(untilSec: number, usualMs: readonly number[] = [], random = 0.5): number[] {
  const at: number[] = [];
  for (let elapsedMs = 0, n = 0; elapsedMs <= untilSec * 1_000; n++) {
    at.push(elapsedMs / 1_000);
    const next = nextPoll(elapsedMs, n, usualMs, random);
    if (next === undefined) break;
    elapsedMs += next;
  }
  return at;
}

/** The delay until the end of a job is seen, and the number of polls. */
function seen(tookSec: number, usualMs: readonly number[]): { lateSec: number; looks: number } {
  const all = looks(tookSec + 60, usualMs);
  const index = all.findIndex((at) => at >= tookSec);
  return { lateSec: (all[index] ?? Number.NaN) - tookSec, looks: index + 1 };
}

test('a new kind of job is read after 1, 2, 3, 5 and 8 s, and then every 10 s', () => {
  expect(looks(60)).toEqual([0, 1, 3, 6, 11, 19, 29, 39, 49, 59]);
});

test('a new kind of job is read once a minute after a quarter of an hour, and no longer after two hours', () => {
  const all = looks(3 * 3_600);
  const late = all.filter((at) => at >= 15 * 60);
  expect(late.slice(1, 4).map((at, n) => at - (late[n] ?? 0))).toEqual([60, 60, 60]);
  expect(all.at(-1)).toBeGreaterThanOrEqual(2 * 3_600);
  expect(all.at(-1)).toBeLessThan(2 * 3_600 + 60);
});

test('the reads of many jobs are spread in time', () => {
  expect(nextPoll(29_000, 6, [], 0)).toBe(9_000);
  expect(nextPoll(29_000, 6, [], 1)).toBe(11_000);
});

const usualMs = [62, 63, 64, 65, 66, 67, 68, 69, 70, 71].map((sec) => sec * 1_000);

test('a known kind of job is read every second or so around the time when it usually ends', () => {
  const rounded = looks(80, usualMs).map((at) => Math.round(at));
  expect(rounded).toEqual([0, 62, 63, 64, 65, 67, 68, 69, 71, 72, 73, 75, 78]);
});

test.each([62, 65.5, 68, 71])('the end of a job after %f s is noticed within two seconds, with few reads', (took) => {
  const { lateSec, looks } = seen(took, usualMs);
  expect(lateSec).toBeLessThanOrEqual(2);
  expect(looks).toBeLessThanOrEqual(10);
});

test('a job that takes longer than any before is read like a new kind from then on', () => {
  const after = looks(140, usualMs).filter((at) => at > 72);
  expect(after.slice(1).map((at, n) => Math.round(at - (after[n] ?? 0)))).toEqual([1, 2, 3, 5, 8, 10, 10, 10, 10]);
});

test('a kind of job that was seen nine times counts as new', () => {
  expect(looks(20, usualMs.slice(1))).toEqual([0, 1, 3, 6, 11, 19]);
});

test('after a change the bot reads the state back for half a minute, and after a lost response for five minutes', () => {
  const sum = (next: (looks: number) => number | undefined) => {
    let all = 0;
    for (let n = 1, ms = next(n); ms !== undefined; ms = next(++n)) all += ms;
    return all / 1_000;
  };
  expect(sum(nextVerify)).toBe(30);
  expect(sum(nextRead)).toBe(290);
});

test.each([
  { underWay: 40, ageSec: 600, ms: 1_000, wait: 1_000 },
  { underWay: 400, ageSec: 600, ms: 10_000, wait: 10_000 },
  { underWay: 1_000, ageSec: 0, ms: 1_000, wait: 25_000 },
  { underWay: 1_000, ageSec: 60, ms: 10_000, wait: 30_000 },
  { underWay: 1_000, ageSec: 600, ms: 10_000, wait: 70_000 },
])('with $underWay operations under way a job of $ageSec s is read again after $wait ms', (given) => {
  expect(paced(given.ms, given.underWay, given.ageSec * 1_000, 0.5)).toBe(given.wait);
});
