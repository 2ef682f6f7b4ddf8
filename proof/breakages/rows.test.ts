import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { regressions } from './regressions.ts';
import { sabotages } from './sabotages.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

/** The file and the stories that it runs, which have the names of tests. */
function namesIn(file: string): string {
  const source = read(file);
  const stories = [...source.matchAll(/'(?:\.\.\/)+(stories\/[\w-]+\.ts)'/g)].map(([, story]) => read(`test/${story}`));
  return [source, ...stories].join('\n');
}

const timesIn = ({ file, text }: { readonly file: string; readonly text: string }) =>
  expect(read(file).split(text).length - 1, `times the text stands in ${file}`);

// Breaking the bot and running the tests takes minutes (main.ts). This test notices a renamed line or test.
test.each([...sabotages, ...regressions])(
  'the line to break and the test that notices it exist: $what',
  ({ file, text, test: noticedBy, name }) => {
    timesIn({ file, text }).toBe(1);
    expect(namesIn(noticedBy)).toContain(name);
  },
);

const { mutate } = z.object({ mutate: z.array(z.string()) }).parse(JSON.parse(read('proof/mutants/stryker.json')));
const mutated = mutate.flatMap((pattern) => {
  const [, start = '', names = '', end = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return names === '' ? [pattern] : names.split(',').map((name) => `${start}${name}${end}`);
});

test.each(mutated)('the mutated file %s exists', (file) => {
  expect(existsSync(join(import.meta.dirname, '../..', file))).toBe(true);
});
