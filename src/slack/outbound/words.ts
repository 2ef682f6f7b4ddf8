/** Text from anywhere, made harmless: what cannot be seen is shown, what would be markup is escaped. */

const shown = '\ufffd';

/** What may have to be shown: it knows no emoji, so it is a hundred times faster than what replaces. */
const suspicious = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}]|(?![\t\n])\p{Cc}/v;

export function harmless(text: string): string {
  const whole = text.toWellFormed().replaceAll('\r\n', '\n');
  return suspicious.test(whole) ? unmasked(whole) : whole;
}

/**
 * Zero-width and direction marks, fillers that look like nothing, and control characters: a name that holds them would
 * read as another name, so each becomes one visible sign. An emoji that is made with a joiner hides nothing and stays,
 * and so do tab and line feed. The expression stands in here because reading it takes 20 ms of a start.
 */
function unmasked(text: string): string {
  const invisible =
    /(\p{RGI_Emoji})|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}]|(?![\t\n])\p{Cc}/gv;
  return text.replace(invisible, (_, emoji: string | undefined) => emoji ?? shown);
}

/** At most this many UTF-16 units, cut between characters, and it shows that something was cut. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most < 1) return '';
  return `${text
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

/** Slack's three escapes; after them no mention, link or date can be in a text. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Escaped, and still within the limit afterwards. */
export function escapeWithin(text: string, most: number): string {
  let kept = clip(text, most);
  let escaped = escapeText(kept);
  while (escaped.length > most) {
    kept = clip(kept, Math.max(0, kept.length - Math.ceil((escaped.length - most) / 4) - 1));
    escaped = escapeText(kept);
  }
  return escaped;
}

/** Whether mrkdwn would read something into it: emphasis, code, quotes, emoji names. Slack has no escape for these. */
export function isMarkup(text: string): boolean {
  return /[*_~`]|^\s*(>|&gt;)|:[a-z0-9_+'-]+:/im.test(text);
}

/** Plain text objects must not be blank. */
export function orDash(text: string): string {
  return text.trim() === '' ? '–' : text;
}
