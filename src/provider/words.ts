/** What the provider said about an error, whatever the form it said it in. */
export interface Said {
  readonly words: string;
  /** Messages by field, for a 400. */
  readonly fields: Record<string, string[]>;
}

const maxWords = 500;

export function readWords(contentType: string, body: string, redact: (text: string) => string): Said {
  const messages = isHtml(contentType, body) ? [['', htmlLine(body)] as const] : messagesOf(parse(body));
  const fields: Record<string, string[]> = {};
  const lines: string[] = [];
  for (const [rawField, rawMessage] of messages) {
    const field = line(redact(rawField));
    const message = line(redact(rawMessage));
    if (message === '') continue;
    lines.push(field === '' ? message : `${field}: ${message}`);
    if (field !== '') fields[field] = [...(fields[field] ?? []), message];
  }
  return { words: bounded(lines.join('; ')), fields };
}

export function isHtml(contentType: string, body: string): boolean {
  return contentType.includes('html') || /^\s*<(!doctype|html|head|body)/i.test(body);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Django REST Framework's two keys that are about the whole, not about a field. */
const wholes = new Set(['detail', 'non_field_errors']);

/** Flattens any JSON to (field, message) pairs: `configuration.cpu_count`, `services.0.count`. */
function messagesOf(value: unknown, field = ''): (readonly [string, string])[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      messagesOf(item, typeof item === 'object' ? inner(field, String(index)) : field),
    );
  }
  if (typeof value !== 'object') return [[field, String(value)]];
  return Object.entries(value).flatMap(([key, item]) => messagesOf(item, wholes.has(key) ? field : inner(field, key)));
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
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1]?.trim();
  const bare = html.replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ').replace(/<[^>]*>/g, ' ');
  const text = title === undefined || title === '' ? bare : title;
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole);
}

function line(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return bounded(text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim());
}

function bounded(text: string): string {
  return text.length <= maxWords ? text : `${text.slice(0, maxWords - 1)}…`;
}
