import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faults } from './faults.ts';
import { smallWorlds } from './worlds.ts';

// Putting faults back takes minutes (`--faults all`). This test finds entries whose line was changed.
test.each(faults)('the line to break and the simulated world that notices it exist: $what', ({ file, text, world }) => {
  const source = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
  expect(source.split(text).length - 1, `times the text stands in ${file}`).toBe(1);
  expect(smallWorlds.map(({ name }) => name)).toContain(world);
});
