import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cellsOf, figuresOf, longest, matchesIn, passivesIn, sentencesOf, wideCellsIn, wordsOf } from './prose.ts';

/**
 * Prints figures of the documentation: `node test/docs/measure.ts [page…]`. `--show` prints the long sentences, the
 * passives, the matches of the patterns and the wide cells as well.
 */

const { values, positionals } = parseArgs({ options: { show: { type: 'boolean' } }, allowPositionals: true });
const pages = positionals.length > 0 ? positionals : ['README.md', ...globSync('docs/*.md').sort()];
const texts = pages.map((page) => readFileSync(page, 'utf8'));

const widths = [28, 6, 10, 7, 6, 9, 9, 8, 6];
const row = (cells: readonly string[]) =>
  cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('');

function line(name: string, of: readonly string[]): string {
  const { lines, sentences, median, mean, long, passives } = figuresOf(of);
  const numbers = [lines, sentences, median].map(String);
  const shares = [mean.toFixed(1), `${long.toFixed(1)} %`, passives.toFixed(1)];
  return row([
    name,
    ...numbers,
    ...shares,
    String(of.flatMap(matchesIn).length),
    String(of.flatMap(wideCellsIn).length),
  ]);
}

console.log(row(['Page', 'Lines', 'Sentences', 'Median', 'Mean', `Above ${longest}`, 'Passives', 'Pattern', 'Wide']));
for (const [at, page] of pages.entries()) console.log(line(page, [texts[at] ?? '']));
console.log(line('All', texts));
console.log(line('Cells of tables', texts.map(cellsOf)));

if (values.show === true)
  for (const [at, page] of pages.entries()) {
    const text = texts[at] ?? '';
    for (const sentence of sentencesOf(text)) {
      if (wordsOf(sentence) > longest) console.log(`${page}: ${wordsOf(sentence)} words: ${sentence}`);
      for (const words of passivesIn(sentence)) console.log(`${page}: passive "${words}": ${sentence}`);
    }
    for (const match of matchesIn(text)) console.log(`${page}:${match}`);
    for (const cell of wideCellsIn(text)) console.log(`${page}: ${cell.length} characters: ${cell.slice(0, 80)}…`);
  }
