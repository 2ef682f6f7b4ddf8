export const struckOut = '[removed]';

/** Allows the dashes that phones substitute. */
const privateKey =
  /(?:[-–—]{1,5}BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|PuTTY-User-Key-File)[\s\S]*?(?:END [A-Z0-9 ]{0,40}PRIVATE KEY[-–—]{0,5}|$)/g;

/** Patterns of secrets in typed text and provider responses. Each is linear, since its parts cannot overlap. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [privateKey, struckOut],
  [/\bxoxe\.xox[a-z]-[\w-]+/gi, struckOut],
  [/\bx(?:ox[a-z]|app)-[\w.-]+/gi, struckOut],
  [/\b(Api-Key|Bearer|Basic)(\s+|:\s*)[^\s"',;]+/gi, `$1 ${struckOut}`],
  [/https:\/\/hooks\.slack\.com\/[^\s"'<>]+/gi, `https://hooks.slack.com/${struckOut}`],
  [/\b(?:hst_|whsec_)[\w.+/=-]+/g, struckOut],
  [/\/hooks\/[a-z]{1,20}\/[\w.-]+/gi, `/hooks/${struckOut}`],
  // The form of the provider's API keys.
  [/\b[A-Za-z0-9]{8}\.[A-Za-z0-9]{32}\b/g, struckOut],
  [
    /(?<![a-z0-9])(pass(?:word|wd|phrase)?|pwd|secret(?:[ _-]?key)?|token|api[ _-]?key|private[ _-]?key)(["']?\s{0,3}(?:[:=]|\bis\b)\s{0,3})(?:"[^"\n]*"|'[^'\n]*'|[^\s,;]+)/gi,
    `$1$2${struckOut}`,
  ],
  [/(:\/\/[^\s/:@]{0,100}):[^\s/@]{1,200}@/g, `$1:${struckOut}@`],
];

/** A shorter secret is a word of many texts: removing it from all of them would reveal it. */
const leastLength = 6;

/** Removes text that looks like a secret, and all `known` secrets. */
export function strikeSecrets(text: string, secrets: readonly string[] = []): string {
  const values = secrets.filter((secret) => secret.length >= leastLength).toSorted((a, b) => b.length - a.length);
  const clean = values.reduce((so, secret) => so.replaceAll(secret, struckOut), text);
  return patterns.reduce((so, [pattern, instead]) => so.replace(pattern, instead), clean);
}

/** Replaces private keys by their header, so that commands can refuse them: none takes a private key. */
export function strikePrivateKeys(text: string): string {
  return text.replace(privateKey, '-----BEGIN PRIVATE KEY-----');
}

/** `https://hooks.slack.com/… (72 characters)`: the rest of an address may be its only protection. */
export function maskAddress(url: string): string {
  const origin = URL.parse(url)?.origin;
  const start = origin === undefined || origin === 'null' ? '' : `${origin}/`;
  return `${start}… (${url.length} characters)`;
}
