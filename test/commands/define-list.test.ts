import { expect, test } from 'vitest';
import { paged } from '../../src/commands/define.ts';
import type { Row } from '../../src/core/view/view.ts';
import { drawMessage } from '../../src/slack/outbound/draw.ts';

// A page must fit a message: an item that Slack cuts off is on no other page.

const kinds: [string, (n: number) => Row][] = [
  ['short rows', (n) => [`web-${n}`, '🟢 on']],
  ['rows with dates and people', (n) => [`${n}`, [{ user: 'U0OPERAT01' }], [{ date: n * 86_400_000, style: 'full' }]]],
  ['long rows of every size', (n) => [`${n}`, 'tag, '.repeat(n % 40), 'tag, '.repeat((n * 7) % 99)]],
];

test.each(kinds)('%s: every item is on a page, and no page is cut', (_, row) => {
  const all = Array.from({ length: 80 }, (_, n) => n);
  const seen: number[] = [];
  for (let page = 1, line = 'list page:1'; line !== ''; page++) {
    const shown = paged(all, row, { at: page, lineOf: (to) => `list page:${to}` });
    seen.push(...shown.rows);
    const rows = shown.rows.map(row);
    const { blocks } = drawMessage({
      summary: 'many',
      parts: [
        { kind: 'heading', text: 'All of them' },
        { kind: 'table', columns: [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }], rows },
        { kind: 'context', text: `80 of them${shown.note}` },
        { kind: 'buttons', buttons: shown.buttons },
      ],
    });
    const table = blocks.find((block) => block.type === 'table' || block.type === 'data_table');
    expect(table).toMatchObject({ rows: expect.any(Array) });
    expect(JSON.stringify(blocks)).not.toMatch(/and \d+ more|Not shown/);
    line = shown.more.more ?? '';
  }
  expect(seen).toEqual(all);
});

test('a page after the last one is refused at its field, and an empty list has one page', () => {
  const row = (n: number): Row => [String(n)];
  const of = (count: number, page: number) =>
    paged(
      Array.from({ length: count }, (_, n) => n),
      row,
      { at: page, lineOf: (to) => `list page:${to}` },
    );
  expect(of(0, 1)).toMatchObject({ rows: [], note: '', buttons: [] });
  expect(() => of(30, 3)).toThrow('There is no page 3: the list has 2.');
});
