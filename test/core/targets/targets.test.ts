import { expect, test } from 'vitest';
import type { Order } from '../../../src/core/account/account.ts';
import { NotOne } from '../../../src/core/targets/not-one.ts';
import type { Reading } from '../../../src/core/targets/targets.ts';
import { resolveDomain, resolveOrder, resolveOrders, resolveProject } from '../../../src/core/targets/targets.ts';
import { Refusal } from '../../../src/core/view/errors.ts';
import { account, everything, exampleCom, hidden, nameless, readingWithout, twinOne, twinTwo } from '../support.ts';

/** The ids of a word, or the refusal, with the candidates in brackets. */
function namesOf(
  resolve: () => readonly { id: string | number }[] | { id: string | number } | { name: string },
): string {
  try {
    const found = resolve();
    if (Array.isArray(found)) return found.map((item) => item.id).join(' ');
    return 'id' in found ? String(found.id) : 'name' in found ? found.name : '';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const names = error instanceof NotOne ? error.candidates.flatMap((c) => c.values).join(' ') : '';
    return [error.message, error.hint, names && `[${names}]`].filter(Boolean).join(' ');
  }
}

function server(word: string, reading: Reading = everything, kinds: readonly Order['kind'][] = ['vps']): string {
  return namesOf(() => resolveOrder(word, { ...reading, kinds }));
}

test.each<[by: string, word: string]>([
  ['order id', '34-101'],
  ['bare number', '101'],
  ['name', 'web-1'],
  ['name in capitals', 'WEB-1'],
  ['hostname', 'one.example.com'],
  ['address', '192.0.2.10'],
  ['IPv6 address', '2001:DB8::10'],
  ['name with spaces around it', ' web-1 '],
  ['a tag that only it carries', 'tag:front'],
])('a server is found by its %s', (_, word) => expect(server(word)).toBe('34-101'));

test('an order id is found before another server’s name', () => {
  const odd = { ...twinOne, name: '34-101' };
  expect(server('34-101', { ...everything, account: { ...account, orders: [odd, ...account.orders] } })).toBe('34-101');
});

test('a name that is also another server’s hostname or bare number asks which server is meant', () => {
  const asHost = { ...twinOne, name: 'one.example.com', label: 'one.example.com' };
  const asNumber = { ...twinOne, name: '102', label: '102' };
  const among = (odd: Order) => ({ ...everything, account: { ...account, orders: [odd, ...account.orders] } });
  expect(server('one.example.com', among(asHost))).toMatch(/^one.example.com is not one server: .*\[34-105 34-101\]$/);
  expect(server('102', among(asNumber))).toMatch(/^102 is not one server: .*\[34-105 34-102\]$/);
});

test('an order that cannot be read is refused by its id, and no other is', () => {
  const odd = { kind: 'order', id: '34-109', why: 'name: expected string' } as const;
  const reading = { ...everything, account: { ...account, unreadable: [odd] } };
  for (const word of ['34-109', '109'])
    expect(server(word, reading)).toContain(
      "The provider's response about 34-109 cannot be read: name: expected string.",
    );
  expect(server('web-1', reading)).toBe('34-101');
  expect(server('34-109', { ...reading, maySee: (target) => target.id !== '34-109' })).toContain('There is no server');
});

test('a tag finds all servers that have it', () => {
  expect(namesOf(() => resolveOrders('tag:WEB', { ...everything, kinds: ['vps'] }))).toBe('34-101 34-102');
  expect(server('tag:web')).toBe(
    'tag:web is not one server: web-1 (34-101) and web-2 (34-102). Which one? [34-101 34-102]',
  );
});

test.each<[word: string, answer: string]>([
  ['twin', 'twin is not one server: twin (34-105) and Twin (34-106). Which one? [34-105 34-106]'],
  ['web', 'web is not one server: web-1 (34-101) and web-2 (34-102). Which one? [34-101 34-102]'],
  ['wbe-1', 'There is no server called wbe-1. Did you mean web-1 (34-101)? [34-101]'],
  ['vaul', 'There is no server called vaul. Did you mean vault (34-107)? [34-107]'],
  ['34-110', 'There is no server called 34-110. Did you mean web-1 (34-101)? [34-101]'],
  ['one.example.co', 'There is no server called one.example.co. Did you mean web-1 (34-101)? [34-101]'],
  ['frobnicate', 'There is no server called frobnicate. See /host list for the names and ids.'],
  ['iron', 'iron is a dedicated server. This works only with a virtual server.'],
  ['35-900', '35-900 is a dedicated server. This works only with a virtual server.'],
  ['tag:wbe', 'No server has the tag wbe. Did you mean tag:web? [tag:web]'],
  ['tag:nothing', 'No server has the tag nothing.'],
  ['', 'No server is named. See /host list for the names and ids.'],
  ['  ', 'No server is named. See /host list for the names and ids.'],
])('the word %j gets an answer that helps', (word, answer) => expect(server(word)).toBe(answer));

test('an empty word never means a server without a name', () => {
  expect(nameless.name).toBe('');
  expect(server('')).not.toContain(nameless.id);
});

test('a refusal calls the wanted kind by its name', () => {
  expect(server('web-1', everything, ['ds'])).toBe('web-1 is a server. This works only with a dedicated server.');
  expect(server('nothing', everything, ['vps', 'ds', 'other'])).toMatch(/^There is no order called nothing/);
});

const blind = readingWithout(hidden.id, '35-900');

test('a target that the person may not read is not suggested, and its kind is not said', () => {
  expect(server('vaul', blind)).toBe('There is no server called vaul. See /host list for the names and ids.');
  expect(server('tag:secre', blind)).toBe('No server has the tag secre.');
  expect(server('iron', blind)).toBe('There is no server called iron. See /host list for the names and ids.');
});

test('of several servers with a name, only those that the person may read are offered', () => {
  expect(server('twin', readingWithout(twinOne.id))).toBe('twin is not one server: Twin (34-106). Which one? [34-106]');
  expect(server('twin', readingWithout(twinOne.id, twinTwo.id))).toMatch(/^There is no server called twin\./);
});

test('projects and domains that the person may not read are not named', () => {
  const none = readingWithout('9', '10', 'example.com', 'example.org');
  expect(namesOf(() => resolveProject('blo', none))).toBe('There is no project called blo. See /host project list.');
  expect(namesOf(() => resolveProject('blog', none))).toBe('There is no project called blog. See /host project list.');
  expect(namesOf(() => resolveDomain('exmaple.com', none))).toMatch(/See \/host dns domains\.$/);
  expect(namesOf(() => resolveDomain('www.example.com', none))).toMatch(/See \/host dns domains\.$/);
});

test.each<[word: string, answer: string]>([
  ['example.com', 'example.com'],
  ['Example.COM.', 'example.com'],
  ['exmaple.com', 'There is no domain exmaple.com in this account. Did you mean example.com? [example.com]'],
  [
    'www.example.com',
    'There is no domain www.example.com in this account. It lies in example.com: name the domain itself if you mean all of it.',
  ],
  // The nearest domain would replace the whole name, and lose the host.
  ['m.exmple.com', 'There is no domain m.exmple.com in this account. See /host dns domains.'],
  ['', 'No domain is named. See /host dns domains.'],
  ['unheard.net', 'There is no domain unheard.net in this account. See /host dns domains.'],
])('the domain %s gets the right answer', (word, answer) =>
  expect(namesOf(() => resolveDomain(word, everything))).toBe(answer),
);

test.each<[word: string, answer: string]>([
  ['shop', '7'],
  ['8', '8'],
  ['blog', 'Several projects are called blog. Which one? [9 10]'],
  ['shpo', 'There is no project called shpo. Did you mean Shop? [Shop]'],
  ['', 'No project is named. See /host project list.'],
  // The id of one project wins over the name of another.
  ['7', '7'],
])('the project %j gets the right answer', (word, answer) =>
  expect(namesOf(() => resolveProject(word, everything))).toBe(answer),
);

test('a list that could not be read makes a target unknown, not missing', () => {
  const unread: Reading = {
    ...everything,
    account: { ...account, domains: [exampleCom], projects: [], unread: ['domains', 'projects'] },
  };
  expect(namesOf(() => resolveDomain('example.com', unread))).toBe('example.com');
  expect(namesOf(() => resolveDomain('example.org', unread))).toBe(
    'Finding example.org: the provider did not give the list of domains just now. Try again in a minute.',
  );
  expect(namesOf(() => resolveProject('shop', unread))).toMatch(/^Finding shop: .* list of projects just now/);
});
