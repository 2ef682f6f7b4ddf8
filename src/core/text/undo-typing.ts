/** Undoes what phones, keyboards and Slack make of typed text. */

/** Slack's notation for people, channels, groups and its own links. Other words in brackets were typed so. */
const notation = /<((?:[@#!]|https?:|mailto:|tel:)[^<>|]*)(?:\|([^<>]*))?>/gi;

/** Slack's own notation to what the person meant; then its three escapes. */
export function undoSlack(text: string): string {
  const isWhole = isEscaped(text.replace(notation, ''));
  const said = text.replace(notation, (_, target: string, label: string | undefined) => {
    const words = meant(target, label);
    return isWhole ? words : unescaped(words);
  });
  return isWhole ? unescaped(said) : said;
}

function meant(target: string, label: string | undefined): string {
  if (/^[@#]/.test(target)) return target;
  const group = /^!subteam\^([A-Z0-9]+)/.exec(target);
  if (group) return `@${group[1]}`;
  if (/^(?:mailto|tel):/i.test(target)) return label ?? target.slice(target.indexOf(':') + 1);
  // An autolinked name has its own text as label; a bare URL is what was pasted.
  return label || target;
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Events come escaped. Whether the text of a command does is documented nowhere: one with a bare `<`, `>` or `&` was not. */
function isEscaped(text: string): boolean {
  return !/[<>]|&(?!(?:amp|lt|gt);)/.test(text);
}

/** Without the `/host` that people also type where it is given already. */
export function withoutHost(line: string): string {
  return line
    .trim()
    .replace(/^\/?host(?=\s|$)/i, '')
    .trim();
}

/** Spaces of every width, and the invisible marks that come along when one copies a name. */
export function undoKeyboards(text: string): string {
  return text
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '');
}

/** `—now` is what a phone makes of `--now`. Only for words outside quotes: inside them a dash is a dash. */
export function undoDash(word: string): string {
  return word.replace(/^[—–]+(?=[a-z])/i, '--');
}
