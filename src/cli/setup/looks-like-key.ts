/** Tokens of Slack. */
const slackKey = /\bx(?:ox[a-z]|app)-/i;
/** No address, name, channel or member id has so many letters and digits in a row. */
const longWord = /[A-Za-z0-9_+=-]{24,}/g;

/** Whether it has something in it that should never be shown: a token of Slack, or a long word of letters and digits. */
export function looksLikeKey(text: string): boolean {
  if (slackKey.test(text)) return true;
  return (text.match(longWord) ?? []).some((word) => /\d/.test(word) && /[A-Za-z]/.test(word));
}
