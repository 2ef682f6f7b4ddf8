import { expect, test } from 'vitest';
import { findItem } from '../../../src/commands/catalog/find.ts';
import { NotOne } from '../../../src/core/targets/not-one.ts';

const items = [
  { id: 1, name: 'Debian 12' },
  { id: 2, name: 'Debian 13' },
  { id: 12, name: '2' },
  { id: 3, name: 'Ubuntu 24.04' },
  { id: 4, name: 'Ubuntu 24.04 arm' },
];
const find = (word: string) => findItem(word, items, { noun: 'template', field: 'template', see: 'catalog templates' });

test.each([
  ['2', 2],
  [' debian 13 ', 2],
  ['ubuntu 24.04', 3],
  ['arm', 4],
  ['12', 12],
])('the word "%s" finds item %d', (word, id) => expect(find(word).id).toBe(id));

test('a word that fits several items is refused with the candidates', () => {
  expect.assertions(3);
  try {
    find('deb');
  } catch (error) {
    expect(error).toBeInstanceOf(NotOne);
    expect(error).toMatchObject({ reason: 'ambiguous', field: 'template' });
    expect(error).toMatchObject({ message: 'deb is not one template: Debian 12 (1) and Debian 13 (2).' });
  }
});

test('a word that fits no item is refused with the nearest item, or with where to look', () => {
  expect(() => find('Debain 12')).toThrow(
    expect.objectContaining({ hint: 'Did you mean Debian 12?', candidates: [{ label: 'Debian 12', values: ['1'] }] }),
  );
  expect(() => find('Plan 9 from outer space')).toThrow(
    expect.objectContaining({ hint: 'See /host catalog templates.' }),
  );
});
