import { expect, test } from 'vitest';
import { strikePrivateKeys, strikeSecrets } from '../../../src/core/text/strike-secrets.ts';
import { costOf } from '../../support/suite/cost-of.ts';

test.each([
  ['The password: hunter22 does not work.', 'The password: [removed] does not work.'],
  ['root password is "a b c", port 22', 'root password is [removed], port 22'],
  ['token=abc123&x=1', 'token=[removed]'],
  ['secret_key: 0123456789abcdef', 'secret_key: [removed]'],
  ['Authorization: Api-Key abcdefgh.0123456789abcdef0123456789abcdef', 'Authorization: Api-Key [removed]'],
  ['key abcdefgh.0123456789abcdef0123456789abcdef there', 'key [removed] there'],
  ['xoxb-123-abc and xapp-1-A', '[removed] and [removed]'],
  ['https://hooks.slack.com/services/T0/B0/xyz', 'https://hooks.slack.com/[removed]'],
  ['https://bot.example.com/hooks/json/a1b2.c3_d4-e5', 'https://bot.example.com/hooks/[removed]'],
  ['postgres://ada:pass@db/x', 'postgres://ada:[removed]@db/x'],
  ['a -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- b', 'a [removed] b'],
  ['a -----BEGIN PRIVATE KEY-----\nabc', 'a [removed]'],
  ['xoxe.xoxb-1-AbC-9 there', '[removed] there'],
  ['Bearer   abc.DEF, x', 'Bearer [removed], x'],
  ['Basic:abc', 'Basic [removed]'],
  ['Bearer: abc there', 'Bearer [removed] there'],
  ['the pass: abc', 'the pass: [removed]'],
  ['root_password=abc there', 'root_password=[removed] there'],
  ['secret=abc secretkey=def', 'secret=[removed] secretkey=[removed]'],
  ['apikey=abc api key: def', 'apikey=[removed] api key: [removed]'],
  ['privatekey=abc private-key: def', 'privatekey=[removed] private-key: [removed]'],
  ['{"token": "a b"}', '{"token": [removed]}'],
  ["pwd='a b' there", 'pwd=[removed] there'],
])('the secret in "%s" is removed', (text, clean) => {
  expect(strikeSecrets(text)).toBe(clean);
});

test('words that are no secret are kept', () => {
  const text = 'web-1 (34-12345, 192.0.2.10) answers on port 22; the key A2x is linked; 409: Another operation.';
  expect(strikeSecrets(text)).toBe(text);
});

test('known secrets are removed everywhere, the longest first, except short ones', () => {
  expect(strikeSecrets('say open-sesame-now or open-sesame or cat', ['open-sesame', 'open-sesame-now', 'cat'])).toBe(
    'say [removed] or [removed] or cat',
  );
  expect(strikeSecrets('sesame sesam', ['sesame', 'sesam'])).toBe('[removed] sesam');
});

test('a private key is replaced by its first line, for the message that refuses it', () => {
  const key = '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----';
  expect(strikePrivateKeys(`a ${key} b ${key}`)).toBe('a -----BEGIN PRIVATE KEY----- b -----BEGIN PRIVATE KEY-----');
});

test('long hostile text is handled in time proportional to its length', async () => {
  for (const part of ['-----BEGIN A PRIVATE KEY-----', 'password', '://a:', 'a.', '/hooks/a/', 'token =']) {
    const cost = await costOf(() => strikeSecrets(part.repeat(20_000)), 20);
    expect(cost, part).toBeLessThanOrEqual(20);
  }
});
