/** Undoes the changes that phones, keyboards and Slack make to typed text. */

/** Slack's notation for people, channels, groups and links. Other words in brackets were typed. */
const notation = /<((?:[@#!]|https?:|mailto:|tel:)[^<>|]*)(?:\|([^<>]*))?>/gi;

/** Replaces Slack's notation by the typed text, then undoes its three escapes. */
export function undoSlack(text: string): string {
  const isWhole = isEscaped(text.replace(notation, ''));
  const plain = text.replace(notation, (_, target: string, label: string | undefined) => {
    const words = meant(target, label);
    return isWhole ? words : unescaped(words);
  });
  return isWhole ? unescaped(plain) : plain;
}

function meant(target: string, label: string | undefined): string {
  if (/^[@#]/.test(target)) return target;
  const group = /^!subteam\^([A-Z0-9]+)/.exec(target);
  if (group) return `@${group[1]}`;
  if (/^(?:mailto|tel):/i.test(target)) return label ?? target.slice(target.indexOf(':') + 1);
  // An autolinked name has the typed text as label; a bare URL was pasted.
  return label || target;
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Events are escaped. Whether a command's text is, is not documented: a bare `<`, `>` or `&` shows that it is not. */
function isEscaped(text: string): boolean {
  return !/[<>]|&(?!(?:amp|lt|gt);)/.test(text);
}

/** Removes a typed `/host`, which is redundant here. */
export function withoutHost(line: string): string {
  return line
    .trim()
    .replace(/^\/?host(?=\s|$)/i, '')
    .trim();
}

/** Normalizes spaces of every width and removes invisible characters of copied names. */
export function undoKeyboards(text: string): string {
  return text
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '');
}

/** Phones turn `--now` into `—now`. Only for words outside quotes, where dashes are literal. */
export function undoDash(word: string): string {
  return word.replace(/^[—–]+(?=[a-z])/i, '--');
}
