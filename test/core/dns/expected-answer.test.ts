import { expect, test } from 'vitest';
import { answerData, answersFrom, isDelegatedAway } from '../../../src/core/dns/expected-answer.ts';

const record = (host: string, type: string, value: string, prio: number | null = null) => ({
  ...{ host, type, value, prio },
  ttl: 300,
});

const zone = [
  record('@', 'NS', 'ns1.example.net'),
  record('www', 'A', '192.0.2.1'),
  record('www', 'A', '192.0.2.2'),
  record('*', 'A', '192.0.2.9'),
  record('*.deep', 'TXT', 'wild'),
  record('a.b', 'A', '192.0.2.3'),
  record('sub', 'NS', 'ns.example.org'),
];
const values = (host: string, type: 'A' | 'TXT' | 'NS') => answersFrom(zone, host, type).map(({ value }) => value);

test('a zone answers the whole set of a name, and a wildcard for names that it does not have', () => {
  expect(values('www', 'A')).toEqual(['192.0.2.1', '192.0.2.2']);
  expect(values('www', 'TXT')).toEqual([]);
  expect(values('other', 'A')).toEqual(['192.0.2.9']);
  expect(values('x.y', 'A')).toEqual(['192.0.2.9']);
  // A name above another exists, and so no wildcard answers for it.
  expect(values('b', 'A')).toEqual([]);
  expect(values('x.b', 'A')).toEqual([]);
  expect(values('x.deep', 'TXT')).toEqual(['wild']);
  expect(values('x.deep', 'A')).toEqual([]);
});

test('the servers of a zone do not answer for what it delegates', () => {
  expect(isDelegatedAway(zone, 'x.sub', 'A')).toBe(true);
  expect(isDelegatedAway(zone, 'sub', 'A')).toBe(true);
  expect(isDelegatedAway(zone, 'sub', 'NS')).toBe(false);
  expect(isDelegatedAway(zone, 'www', 'A')).toBe(false);
  expect(isDelegatedAway(zone, '@', 'NS')).toBe(false);
});

test.each([
  ['MX', 'Mail.Example.com.', 10, '10 mail.example.com'],
  ['AAAA', '2001:DB8:0::1', null, '[2001:db8::1]'],
  ['TXT', '"one " "two"', null, 'one two'],
  ['CAA', '0 Issue "ca.example"', null, '0 issue ca.example'],
  ['SRV', '5 5060  Sip.example.com.', 1, '1 5 5060 sip.example.com'],
])('the data of an %s record has one spelling', (type, value, prio, data) => {
  expect(answerData({ type, value, prio })).toBe(data);
});
