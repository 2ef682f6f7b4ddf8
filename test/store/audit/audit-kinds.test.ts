import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditKinds } from '../../../src/store/audit/audit-kinds.ts';

const source = join(import.meta.dirname, '../../../src');
const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('audit-kinds.ts'))
  .map((file) => readFileSync(join(source, file), 'utf8'))
  .filter((text) => /\baudit\b|recordEntry|noteAnswer/.test(text))
  .join('\n');

/** The kinds of these lines are made of two words. */
const ofAccess = ['declined', 'expired', 'granted'].map((how) => `access_${how}`);

test.each(Object.entries(auditKinds))('the kind %s is written, and says what it reports', (kind, sentence) => {
  expect(texts.includes(`'${kind}'`) || (ofAccess.includes(kind) && texts.includes('`access_$'))).toBe(true);
  expect(sentence).toMatch(/^[A-Z].*\.$/);
});
