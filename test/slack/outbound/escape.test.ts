import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harmless } from '../../../src/slack/outbound/escape.ts';

const emojis = ['1️⃣', '*️⃣', '🇳🇱', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '❤️', '👩🏽‍🚀', '👨‍👩‍👧'];
test.each(emojis)('the emoji %s is kept, although it has invisible characters', (emoji) => {
  expect(harmless(`web ${emoji} 1`)).toBe(`web ${emoji} 1`);
});

/** Searches an emoji at every character, whether one can begin there or not. */
const everywhere =
  /(\p{RGI_Emoji})|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}]|(?![\t\n])\p{Cc}/gv;
const pieces = ['👩', '💻', '🚀', '❤', '☠', '🏴', '🇳', '🇱', '🏽', '1', '#', 'a', 'é', '漢', '\n'];
const unseen = ['\u200d', '\ufe0f', '\u20e3', '\u200b', '\u202e', '\u0007', '\u{e0067}', '\u{e007f}'];

test('the fast search for emoji gives the same result as the complete one', () => {
  const property = fc.property(fc.string({ unit: fc.constantFrom(...pieces, ...unseen), maxLength: 12 }), (text) => {
    expect(harmless(text)).toBe(text.replace(everywhere, (_, emoji: string | undefined) => emoji ?? '\ufffd'));
  });
  fc.assert(property, { numRuns: 2_000 });
});
