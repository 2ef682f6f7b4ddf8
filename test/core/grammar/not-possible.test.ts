import { expect, test } from 'vitest';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { answerBehindVerb, notPossible } from '../../../src/core/grammar/not-possible.ts';
import { parse } from '../../../src/core/grammar/parse.ts';

const commands = await loadCommands();

const wishes = {
  'The provider’s API cannot take a snapshot of a server.': 'snapshot backup backups',
  'The provider’s API cannot set reverse DNS.': 'ptr rdns reverse-dns',
  'Nothing can be run on a server from here.': 'console vnc ssh exec shell',
  'The provider’s API cannot change the plan of a server.': 'resize upgrade downgrade scale',
  'The provider’s API cannot renew an order by hand.': 'renew extend prolong',
  'The provider’s API has no certificates.': 'ssl tls certificate certificates letsencrypt',
  'The provider’s API cannot change a firewall.': 'firewall port ports',
  'The provider’s API cannot transfer a domain or a server.': 'transfer',
  'Nothing can be paid from here.': 'pay topup top-up deposit',
};

test.each(Object.entries(wishes).flatMap(([say, words]) => words.split(' ').map((word) => [word, say] as const)))(
  'the answer to `%s web-1` says what is impossible, and what comes nearest',
  (word, say) => {
    expect(notPossible([word, 'web-1'])).toMatchObject({ reason: 'impossible', message: say });
    expect(notPossible([word, 'web-1'])?.suggestions).toHaveLength(1);
    // A server may have that name.
    expect(notPossible(['web-1', word])).toBeUndefined();
  },
);

test.each(['make bob admin', 'who are the admins'])('the answer to `%s` says where admins are named', (line) => {
  expect(notPossible(line.split(' '))).toMatchObject({
    reason: 'not_understood',
    message: 'Admins are named in HOSTLER_ADMINS only, by the people who run Hostler.',
    suggestions: [{ label: 'Access', command: 'access' }],
  });
});

test.each([
  ['change ttl of www.example.com to 300', 'dns edit www.example.com ttl=300'],
  ['ttl 5m www.example.com', 'dns edit www.example.com ttl=5m'],
  ['change ttl of www.example.com', 'dns edit www.example.com'],
  ['change the ttl', 'dns edit'],
  ['ttl of x300 for www.example.com', 'dns edit www.example.com'],
  ['ttl of 300x for www.example.com', 'dns edit www.example.com'],
  ['ttl of "www.example.com" to 300', 'dns edit'],
  ['ttl of www.example.com" to 300', 'dns edit'],
])('`%s` leads to the form that has the typed values: `%s`', (line, command) => {
  expect(notPossible(line.split(' '))).toMatchObject({
    reason: 'not_understood',
    message: 'A TTL is changed by editing its record.',
    suggestions: [{ label: 'dns edit…', command, isForm: true }],
  });
});

test('the words for a ttl lead to the same form behind `set`, which means another command', () => {
  const suggestions = [{ command: 'dns edit www.example.com ttl=5m', isForm: true }];
  expect(parse('set the ttl of www.example.com to 5m', commands)).toMatchObject({ refusal: { suggestions } });
});

test.each(['set www.example.com ttl 300', 'set', 'set the', 'ttl', 'restart ttl', 'set admins'])(
  '`%s` asks for nothing impossible',
  (line) => {
    expect(answerBehindVerb(line.split(' '))).toBeUndefined();
  },
);

test.each([[], ['status'], ['']])('a line without such a word asks for nothing impossible', (...words) => {
  expect(notPossible(words)).toBeUndefined();
});
