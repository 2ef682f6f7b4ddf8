import { expect, test } from 'vitest';
import { differenceOf } from '../../../src/core/plan/difference.ts';

// The end of a request that did not run describes the changes in sentences, without names of facts and without ids.

test.each([
  [{ 'power of web-1': 'on' }, { 'power of web-1': 'off' }, 'The power of web-1 was on and is off now.'],
  [{ 'name of 34-1': 'web-1' }, { 'name of 34-1': 'web-9' }, 'web-1 is called web-9 now.'],
  [
    { 'name of 34-1': 'web-1', 'power of web-1': 'on' },
    { 'name of 34-1': 'web-9', 'power of web-9': 'on' },
    'web-1 is called web-9 now.',
  ],
  [{ 'www A': 'www A 192.0.2.10 ttl 300' }, { 'www A': null }, 'www A 192.0.2.10 ttl 300 is no longer there.'],
  [{ 'www A': 'www A 192.0.2.10' }, { 'www A': 'www A 192.0.2.11' }, 'www A was 192.0.2.10 and is 192.0.2.11 now.'],
  [{ 'tags of web-1': [] }, { 'tags of web-1': ['prod', 'web'] }, 'The tags of web-1: prod, web now; none before.'],
  [{ 'linked to web-1': true }, { 'linked to web-1': false }, '“linked to web-1” holds no longer.'],
  [{ 'rescue mode': 'off' }, { 'rescue mode': 'on' }, 'Rescue mode was off and is on now.'],
  [
    { 'project of web-1': { id: 1, name: 'Website' } },
    { 'project of web-1': { id: 2, name: 'Shop' } },
    'The project of web-1 was Website and is Shop now.',
  ],
])('%j that became %j reads as a sentence', (before, after, said) => {
  expect(differenceOf(before, after)).toBe(said);
});

test.each([
  ...['record of www A', 'example.com: record of www A 2', 'zone example.com', 'project id of web-1'],
  ...['fingerprint', 'id'],
])('the fact %s says nothing to people', (fact) => {
  expect(differenceOf({ [fact]: 5 }, { [fact]: null })).toBe('');
});

test('of many changes the text has the first eight and the number of the others', () => {
  const facts = (state: string) =>
    Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`power of app-${n}`, state]));
  expect(differenceOf(facts('on'), facts('off'))).toMatch(/^The power of app-0 was on .* And 2 more\.$/);
});
