/** Slack's tokens. */
const slackKey = /\bx(?:ox[a-z]|app)-/i;
/** Longer than the letters and digits in any address, name, channel id or member id. */
const longWord = /[A-Za-z0-9_+=-]{24,}/g;

/** Whether the text contains a Slack token, or a long word of letters and digits. */
export function looksLikeKey(text: string): boolean {
  if (slackKey.test(text)) return true;
  return (text.match(longWord) ?? []).some((word) => /\d/.test(word) && /[A-Za-z]/.test(word));
}
