import { expect, test } from 'vitest';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { wishes as allWishes } from '../../../src/core/grammar/not-possible.ts';
import { parse } from '../../../src/core/grammar/parse.ts';
import { isSentence } from '../../docs/sentences.ts';

const commands = await loadCommands();
const refusalOf = (line: string) => {
  const parsed = parse(line, commands, ['example.com']);
  return parsed.kind === 'problem' ? parsed.refusal : undefined;
};

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

const cases = Object.entries(wishes).flatMap(([say, words]) => words.split(' ').map((word) => [word, say] as const));
test.each(cases)('the answer to `%s web-1` says what is impossible, and what comes nearest', (word, say) => {
  expect(refusalOf(`${word} web-1`)).toMatchObject({ message: say, suggestions: [{}] });
  expect(refusalOf(`could you ${word} web-1 please`)).toMatchObject({ message: say });
});

test.each([
  ['make bob admin', 'Admins are named in HOSTLER_ADMINS only, by the people who run Hostler.'],
  ['who are the admins', 'Admins are named in HOSTLER_ADMINS only, by the people who run Hostler.'],
  ['restart nginx on web-1', 'Nothing can be run on a server from here.'],
  ['can i approve my own request', 'Nobody approves their own request, except where `/host access solo` is on.'],
  ['what is the password of db-1', 'The bot keeps no passwords.'],
  ['please rollback the deploy', 'Nothing is deployed from here.'],
])('the answer to `%s` is “%s”', (line, message) => expect(refusalOf(line)).toMatchObject({ message }));

test.each([
  ['change ttl of www.example.com to 300', 'dns edit www.example.com ttl=300'],
  ['ttl 5m www.example.com', 'dns edit www.example.com ttl=5m'],
  ['set the ttl of www.example.com to 5m', 'dns edit www.example.com ttl=5m'],
  ['change ttl of www.example.com', 'dns edit www.example.com'],
  ['change the ttl', 'dns edit'],
  ['ttl of 300x for www.example.com', 'dns edit www.example.com'],
  ['ttl of "www.example.com" to 300', 'dns edit'],
])('`%s` leads to the form that has the typed values: `%s`', (line, command) => {
  expect(refusalOf(line)).toMatchObject({
    reason: 'not_understood',
    message: 'A TTL is changed by editing its record.',
    suggestions: [{ label: 'dns edit…', command, isForm: true }],
  });
});

test.each(['ssh keys', 'how much do we pay', 'audit log', 'snapshots'])('`%s` is possible', (line) => {
  expect(refusalOf(line)).toBeUndefined();
});

test('each wish is answered in sentences, and has a button that leads to a command', () => {
  for (const { say, hint, suggestions } of allWishes) {
    expect([say, hint].filter((text) => !isSentence(text))).toEqual([]);
    for (const { label, command } of suggestions) {
      expect(label).toMatch(/^(?:\p{Lu}|dns )/u);
      expect(parse(command, commands), command).toMatchObject({ kind: 'command' });
    }
  }
});
