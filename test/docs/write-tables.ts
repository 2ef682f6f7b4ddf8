import { readFileSync, writeFileSync } from 'node:fs';
import { llmsText } from '../../site/pages.ts';
import { between, docTables } from './tables.ts';

/** `npm run docs`: brings the tables of the documentation in line with the code, and llms.txt with its index. */
for (const { file, name, write } of docTables) {
  const before = readFileSync(file, 'utf8');
  const after = between(before, name).replaced(await write());
  if (after !== before) console.log(`${file}: ${name}`);
  writeFileSync(file, after);
}
writeFileSync('docs/llms.txt', llmsText());
