import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import config from './vitest.config.ts';

const root = join(import.meta.dirname, '../..');
const stryker = z
  .looseObject({ mutate: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'stryker.json'), 'utf8')));

test('each file that is mutated exists, and so does each test that must notice', () => {
  const patterns = [...stryker.mutate, ...(config.test?.include ?? [])];
  // `{a,b}.ts` names two files; both must exist.
  const files = patterns.flatMap((pattern) => {
    const [, before = pattern, names, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
    return names === undefined ? [before] : names.split(',').map((name) => `${before}${name}${after}`);
  });
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => globSync(file, { cwd: root }).length !== 1)).toEqual([]);
});
