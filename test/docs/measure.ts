import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { commentLinesOf, type Found, inComments, inTestNames, inTexts, linesOf, sources } from './code.ts';
import { cellsOf, figuresOf, longest, matchesIn, passivesIn, sentencesOf, wideCellsIn, wordsOf } from './prose.ts';

/**
 * Prints figures of the documentation: `node test/docs/measure.ts [page…]`. `--show` prints the long sentences, the
 * passives, the phrases that must be read twice and the wide cells as well. `--comments [path…]` prints such phrases in
 * comments, in texts that people see and in names of tests, with their lines and their number.
 */

const { values, positionals } = parseArgs({
  options: { show: { type: 'boolean' }, comments: { type: 'boolean' } },
  allowPositionals: true,
});
if (values.comments === true) {
  printPhrasesOfCode(positionals);
  process.exit();
}
const pages = positionals.length > 0 ? positionals : ['README.md', ...globSync('docs/*.md').sort()];
const texts = pages.map((page) => readFileSync(page, 'utf8'));

function printPhrasesOfCode(paths: readonly string[]): void {
  const isNamed = ({ file }: { file: string }) => paths.length === 0 || paths.some((path) => file.startsWith(path));
  const print = (what: string, all: readonly Found[]) => {
    const found = all.filter(isNamed);
    for (const { file, line, text } of found) console.log(`${file}${line ? `:${line}` : ''}: ${text}`);
    console.log(`${what}: ${found.length}`);
  };
  const files = sources();
  print('Texts that people see', inTexts());
  print('Names of tests', files.flatMap(inTestNames));
  print('Comments', files.flatMap(inComments));
  for (const folder of ['src', 'sandbox', 'proof', 'test', '']) {
    const inside = files.filter(({ file }) => file.startsWith(folder));
    const all = inside.reduce((sum, file) => sum + commentLinesOf(file), 0);
    const lines = linesOf(inside.flatMap(inComments));
    console.log(`${folder || 'all'}: ${lines} of ${all} lines of comments, ${((100 * lines) / all).toFixed(1)} %`);
  }
}

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
