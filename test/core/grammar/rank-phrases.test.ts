import { beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../src/core/account/account.ts';
import { said, seedAccount } from './said.ts';

// Each word that people say around a command, one by one: grammar.txt has whole lines, in which one word may hide
// another.

let account: Account;
beforeAll(async () => {
  account = await seedAccount();
});

const readAs = (line: string, command: string) => `${command} | Took “${line}” as \`${command.split(' + ')[0]}\`.`;
const firstPart = (line: string) => said(line, account).split(' | ')[0];
/** Read as the other line, which is said. */
const expectSame = (line: string, meant: string) => {
  expect(firstPart(line)).toBe(firstPart(meant));
  if (!said(line, account).startsWith('✗'))
    expect(said(line, account)).toContain(`“${line.replaceAll('"', '').slice(0, 37)}`);
};

describe('words before a command', () => {
  test.each([
    ...['hi', 'hello', 'hey', 'ok', 'okay', 'so', 'please', 'pls', 'plz', 'kindly', 'hostler', '@hostler', 'just'],
    ...['quickly', 'can you', 'could you', 'would you', 'will you', 'can we', 'i want to', 'i need to'],
    ...['i would like to', "i'd like to", 'i’d like to', "let's", 'lets', 'let us', 'good morning', 'thanks'],
    ...['thank you', 'thx', 'dear', 'there', 'and', 'hello there, dear Hostler, could you please'],
  ])('"%s" means nothing', (words) => expect(said(`${words} restart web-1`, account)).toBe('restart web-1'));
});

describe('around a name', () => {
  test.each([
    ...['please', 'pls', 'plz', 'kindly', 'thanks', 'thank you', 'thx', 'now', 'immediately', 'quickly', 'asap'],
    ...['again', 'right now', '!', '?', '???', '!!', '...', ','],
  ])('"%s" after it means nothing', (words) => expect(said(`restart web-1 ${words}`, account)).toBe('restart web-1'));

  const cases = [...['the', 'my', 'our', 'this', 'server', 'the server', 'vps', 'machine', 'host', 'the host']];
  test.each(cases)('"%s" before it means nothing', (words) =>
    expect(said(`restart ${words} web-1`, account)).toBe('restart web-1'),
  );

  test.each([
    ['status from web-1', 'status web-1'],
    ['status into web-1', 'status web-1'],
    ['dns list of the zone example.com', 'dns list example.com'],
    ['dns list of the domain example.com', 'dns list example.com'],
    ['dns list from this zone example.com', 'dns list example.com'],
  ])('"%s" is read as "%s"', (typed, meant) => expect(said(typed, account)).toBe(said(meant, account)));

  test.each([
    'restart web-1!',
    'restart web-1!?',
    'restart web-1?',
    'restart web-1...',
    'restart web-1…',
    'restart web-1.',
  ])('"%s" ends as a sentence does', (typed) => expect(said(typed, account)).toBe('restart web-1'));

  test('quoted text is a name, and no polite word', () => {
    expect(said('"please" restart web-1', account)).toMatch(/^✗/);
    expect(said('restart "please"', account)).toMatch(/^✗ There is no server called please\./);
  });
});

describe('a request to show something', () => {
  test.each([
    ...['show', 'show me', 'get', 'see', 'view', 'display', 'give me', 'tell me', 'print', 'what is'],
    ...["what's", 'whats', 'what are', 'what was', 'where are'],
  ])('"%s" is read as the list', (words) =>
    expect(said(`${words} the balance`, account)).toBe(readAs(`${words} the balance`, 'balance')),
  );

  test.each([
    ...['a', 'an', 'the', 'my', 'our', 'all', 'any', 'another', 'new', 'more', 'some', 'me', 'us', 'of', 'all of the'],
  ])('"%s" means nothing before the name of a list', (words) =>
    expect(said(`see ${words} balance`, account)).toBe(readAs(`see ${words} balance`, 'balance')),
  );

  test('a single article means nothing, and a line of articles names no list', () => {
    expect(said('the balance', account)).toBe(readAs('the balance', 'balance'));
    expect(said('see the', account)).toMatch(/^✗ `see the` was not understood\./);
  });

  test('a change is never read as a request to show something', () =>
    expect(said('show me restart web-1', account)).not.toContain('restart…'));
});

describe('a noun', () => {
  const nouns = [
    ['dns record', 'dns'],
    ['dns records', 'dns'],
    ['dns entry', 'dns'],
    ['record', 'dns'],
    ['records', 'dns'],
    ['ssh key', 'ssh-key'],
    ['ssh keys', 'ssh-key'],
    ['key', 'ssh-key'],
    ['keys', 'ssh-key'],
    ['bucket', 's3'],
    ['buckets', 's3'],
    ['dedicated server', 'ds'],
    ['dedicated servers', 'ds'],
    ['private network', 'net'],
    ['private networks', 'net'],
    ['networks', 'net'],
    ['tickets', 'ticket'],
  ] as const;

  test.each(nouns)('"%s" alone is the list of %s', (typed, noun) => {
    const list = said(`${noun} list`, account);
    expect(said(typed, account)).toBe(`${list} | Took “${typed}” as \`${noun} list\`.`);
    expect(said(`show me the ${typed}`, account)).toBe(`${list} | Took “show me the ${typed}” as \`${noun} list\`.`);
  });

  const verbs: Readonly<Record<string, string>> = {
    dns: 'add',
    'ssh-key': 'add',
    ds: 'show',
    s3: 'show',
    net: 'delete',
    ticket: 'open',
  };
  test.each(nouns)('"%s" means %s before its verb', (typed, noun) =>
    expect(said(`${typed} ${verbs[noun]}`, account)).toContain(`${noun} ${verbs[noun]}`),
  );

  test.each(['from', 'on', 'for', 'in', 'to'])('the name after "%s" becomes the first argument', (word) =>
    expectSame(`remove tag blue ${word} web-1`, 'tag remove web-1 blue'),
  );

  test.each([
    ['link key 2 to db-1', 'ssh-key link 2 db-1'],
    ['unlink key 2 from db-1', 'ssh-key unlink 2 db-1'],
    ['remove ssh key "CI deploy" from db-1', 'ssh-key unlink "CI deploy" db-1'],
    ['add key 2 to db-1', 'ssh-key link 2 db-1'],
    ['remove ssh key 2', 'ssh-key remove 2'],
  ])('"%s" names the key first, and takes it from the server only', (typed, meant) => expectSame(typed, meant));

  test('a preposition at the end names nothing', () => expectSame('unlink key blue from', 'ssh-key unlink blue'));

  test('"to" precedes the value of a record', () =>
    expectSame('set dns record www.example.com to 192.0.2.4', 'dns set www.example.com 192.0.2.4'));
});

describe('a verb of two words', () => {
  test.each([
    ['turn', 'off', 'stop'],
    ['turn', 'on', 'start'],
    ['switch', 'on', 'start'],
    ['power', 'off', 'stop'],
    ['shut', 'down', 'stop'],
    ['take', 'down', 'stop'],
    ['bring', 'up', 'start'],
    ['bring', 'back', 'start'],
  ])('"%s … %s" around a name is %s', (verb, particle, meant) =>
    expectSame(`${verb} web-1 ${particle}`, `${meant} web-1`),
  );

  test('"back on" is on', () => expectSame('turn web-1 back on', 'start web-1'));
});

describe('the type of a record', () => {
  const types = ['aaaa', 'cname', 'mx', 'txt', 'srv', 'caa', 'ns'];
  test.each(types)('"%s" in front of the name says that a record is meant', (type) =>
    expectSame(`add ${type} record to example.com`, `dns add example.com ${type}`),
  );

  const ways = ['record', 'records', 'entry', 'to', 'from', 'for', 'of', 'in', 'on'];
  test.each(ways)('"%s" is no name behind it', (word) =>
    expectSame(`add mx ${word} example.com`, 'dns add example.com mx'),
  );

  test('a name may begin as such a word does', () =>
    expectSame('add mx recorder.example.com', 'dns add recorder.example.com mx'));

  test('without a name the form is offered', () => expectSame('add mx record', 'dns add'));
});
