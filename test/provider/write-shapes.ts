import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seenShapes } from './seen-shapes.ts';

/** `npm run docs`: records the shapes of the simulated provider's answers, which follow the provider's document. */
const file = join(import.meta.dirname, '../../src/provider/recorded-shapes.json');
writeFileSync(file, `${JSON.stringify(await seenShapes(), undefined, 2)}\n`);
