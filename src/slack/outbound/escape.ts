/** Makes text from any source harmless: shows invisible characters and escapes markup. */

const shown = '\ufffd';

/**
 * Finds characters that may have to be replaced. Ignores the exceptions for emoji, and is therefore a hundred times
 * faster than the replacement.
 */
const suspicious = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}]|(?![\t\n])\p{Cc}/v;

export function harmless(text: string): string {
  const whole = text.toWellFormed().replaceAll('\r\n', '\n');
  return suspicious.test(whole) ? unmasked(whole) : whole;
}

/**
 * Replaces zero-width and direction marks, invisible fillers and control characters by a visible sign, since a name
 * with them would look like another name. Emoji with joiners stay, and so do tab and line feed. The expression is
 * inside the function because compiling it takes 20 ms of a start. The lookahead finds the beginning of emoji that
 * contain invisible characters; searching for emoji only there is hundreds of times faster on long texts.
 */
function unmasked(text: string): string {
  const invisible =
    /(?=(?!\p{Emoji_Presentation})\p{Emoji}\ufe0f|\p{Emoji}\p{Emoji_Modifier}?\u200d|\u{1f3f4}\u{e0067})(\p{RGI_Emoji})|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\u{fff9}-\u{fffb}]|(?![\t\n])\p{Cc}/gv;
  return text.replace(invisible, (_, emoji: string | undefined) => emoji ?? shown);
}

/** Cuts the text at `most` UTF-16 units, between characters, and marks the cut. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most < 1) return '';
  return `${text
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

/** Escapes Slack's three special characters, so that the text cannot contain a mention, link or date. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const escapedCost: Readonly<Record<string, number>> = { '&': 5, '<': 4, '>': 4 };

/** The length of a text as Slack counts it for the limits of a message: escaped. */
export function countedLength(text: string): number {
  let length = text.length;
  for (const [sign] of text.matchAll(/[&<>]/g)) length += (escapedCost[sign] ?? 1) - 1;
  return length;
}

/** Cuts the text at `most` characters as Slack counts them. */
export function clipCounted(text: string, most: number): string {
  if (text.length <= most && countedLength(text) <= most) return text;
  return most < 1 ? '' : cutAt(text, most - 1, (sign) => escapedCost[sign] ?? sign.length);
}

/** Cuts escaped text with mentions at this many bytes, which is how chat.update counts. */
export function clipMarked(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  const kept = cutAt(text, mostBytes - Buffer.byteLength('…'), (sign) => Buffer.byteLength(sign));
  return kept.replace(/(<[^<>]*|&[a-z]*)…$/, '…');
}

/** The whole characters that cost at most this much together, with the sign of a cut. */
function cutAt(text: string, most: number, costOf: (sign: string) => number): string {
  let left = most;
  let end = 0;
  for (const sign of text) {
    left -= costOf(sign);
    if (left < 0) break;
    end += sign.length;
  }
  return `${text.slice(0, end)}…`;
}

/**
 * Prevents emphasis, code, quotes and emoji in mrkdwn: replaces each opening sign by one that looks alike. Slack has no
 * escape for these, and `mrkdwn: false` would remove the mentions too.
 */
export function neutral(text: string): string {
  if (!isMarkup(text)) return text;
  return text
    .replaceAll('`', "'")
    .replace(/(?<![\p{L}\p{N}])[*_~](?=\S)/gu, (sign) => alike[sign] ?? sign)
    .replace(/^([^\S\n\r]*)(>|&gt;)/gm, '$1›')
    .replace(/:(?=[0-9_+'-]*[a-z][a-z0-9_+'-]*:)/gi, '\ua789');
}

const alike: Readonly<Record<string, string>> = { '*': '\u2217', _: '\u02cd', '~': '\u223c' };

/** Whether the text contains mrkdwn: emphasis, code, quotes or emoji names. Slack has no escape for these. */
export function isMarkup(text: string): boolean {
  return /[*_~`]|^[^\S\n\r]*(>|&gt;)|:[a-z0-9_+'-]+:/im.test(text);
}

/** A plain text object. Without `emoji: false` Slack shows :name: as an emoji even there. */
export function plainText(text: string) {
  return { type: 'plain_text', text, emoji: false } as const;
}

/** The words of a label, a button or an option as a plain text object, cut at `most` characters. */
export function shortText(words: string, most: number) {
  return plainText(clip(orDash(harmless(words)), most));
}

/** The text, or a dash if it is blank, which Slack refuses in plain text objects. */
export function orDash(text: string): string {
  return text.trim() === '' ? '–' : text;
}
