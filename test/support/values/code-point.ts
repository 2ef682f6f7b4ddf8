import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Draws what fast-check's unit `binary` draws, and reads it back as well. That one makes a map of the whole of Unicode in
 * each worker, which takes a second and 200 MB.
 */
export const codePoint: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
  (n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count),
  (drawn) => {
    const code = typeof drawn === 'string' ? drawn.codePointAt(0) : undefined;
    if (code === undefined || drawn !== String.fromCodePoint(code)) throw new Error('this is not one code point');
    if (code < surrogates.first) return code;
    if (code < surrogates.first + surrogates.count) throw new Error('this is half of a code point');
    return code - surrogates.count;
  },
);
