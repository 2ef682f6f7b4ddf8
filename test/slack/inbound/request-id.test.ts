import { expect, test } from 'vitest';
import { requestId } from '../../../src/slack/inbound/request-id.ts';
import { plainText } from '../../../src/store/dialect.ts';

test.each(['click:1.2:a\0b', 'click:1.2:\ud800', `click:${'a'.repeat(193)}😀 and more`, 'slash:1.2.3'])(
  'the store keeps the id of %j unchanged',
  (text) => {
    const id = requestId(text);
    expect(plainText(id)).toBe(id);
    expect(id.length).toBeLessThanOrEqual(200);
  },
);
