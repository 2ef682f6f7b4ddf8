/** Signs that show no letter: zero-width, a Hangul filler of each kind, a Braille blank, a direction mark, a tag, an accent, a dot. */
export const unreadable = [
  ...['\u200b', '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u2067', '\u{e0041}', '\u0301', '.'],
];
