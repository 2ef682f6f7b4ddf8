/** What phones, keyboards and Slack make of what people type, undone. */

/** Slack's own notation to what the person meant; then its three escapes. */
export function undoSlack(text: string): string {
  if (!/[<&]/.test(text)) return text;
  return text
    .replace(/<([^<>|]*)(?:\|([^<>]*))?>/g, (_, target: string, label: string | undefined) => {
      if (/^[@#]/.test(target)) return target;
      const group = /^!subteam\^([A-Z0-9]+)/.exec(target);
      if (group) return `@${group[1]}`;
      if (target.startsWith('!')) return label ?? target;
      if (target.startsWith('mailto:')) return label ?? target.slice('mailto:'.length);
      // An autolinked name has its own text as label; a bare URL is what was pasted.
      return label || target;
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
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
