import { jsonIn } from '../core/text/json.ts';
import { shortened } from '../core/text/words.ts';

const maxWords = 500;
/** An error's text is at the beginning, and a broken proxy may send megabytes. */
export const maxRead = 64_000;
const maxMessages = 100;
const maxDepth = 20;

/** The provider's text about an error, from any form of response; `fields` has the messages by field, for a 400. */
export function readWords(contentType: string, body: string, redact: (text: string) => string) {
  const start = body.slice(0, maxRead);
  const json = jsonIn(start);
  const messages = isHtml(contentType, start)
    ? [['', htmlLine(start)] as const]
    : messagesOf(json === undefined ? start : json).slice(0, maxMessages);
  const fields: Record<string, string[]> = {};
  const lines: string[] = [];
  for (const [rawField, rawMessage] of messages) {
    const field = line(redact(rawField));
    const message = line(redact(rawMessage));
    if (message === '') continue;
    lines.push(field === '' ? message : `${field}: ${message}`);
    if (field !== '') fields[field] = [...(fields[field] ?? []), message];
  }
  return { words: shortened(lines.join('; '), maxWords), fields };
}

export function isHtml(contentType: string, body: string): boolean {
  return contentType.includes('html') || /^\s*<(!doctype|html|head|body)/i.test(body);
}

/** Django REST Framework's two keys for errors of the whole request instead of a field. */
const wholes = new Set(['detail', 'non_field_errors']);

/** Flattens any JSON to (field, message) pairs: `configuration.cpu_count`, `services.0.count`. */
function messagesOf(value: unknown, field = '', depth = 0): (readonly [string, string])[] {
  if (value === null || value === undefined || depth > maxDepth) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      messagesOf(item, typeof item === 'object' ? inner(field, String(index)) : field, depth + 1),
    );
  }
  if (typeof value !== 'object') return [[field, String(value)]];
  return Object.entries(value).flatMap(([key, item]) =>
    messagesOf(item, wholes.has(key) ? field : inner(field, key), depth + 1),
  );
}

function inner(field: string, key: string): string {
  return field === '' ? key : `${field}.${key}`;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  nbsp: ' ',
};

function htmlLine(html: string): string {
  const title = titleOf(html);
  const bare = withoutTags(html.replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' '));
  const text = title === undefined || title === '' ? bare : title;
  return text.replace(/&(#?\w{1,10});/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole);
}

function titleOf(html: string): string | undefined {
  const at = html.toLowerCase().indexOf('<title');
  const begin = at < 0 ? -1 : html.indexOf('>', at);
  if (begin < 0) return undefined;
  const end = html.indexOf('<', begin);
  return html.slice(begin + 1, end < 0 ? undefined : end).trim();
}

/** Removes tags in one pass. A regular expression would scan the rest of the text again for each unclosed `<`. */
function withoutTags(html: string): string {
  const kept: string[] = [];
  let at = 0;
  for (;;) {
    const open = html.indexOf('<', at);
    const close = open < 0 ? -1 : html.indexOf('>', open);
    kept.push(html.slice(at, open < 0 ? undefined : open));
    if (close < 0) return kept.join(' ');
    at = close + 1;
  }
}

function line(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return shortened(text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim(), maxWords);
}
