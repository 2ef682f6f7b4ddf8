/** A piece of formatted text. `text` has decoded entities, but still ids instead of names. */
export interface MrkdwnSpan {
  kind: 'text' | 'code' | 'preformatted' | 'link' | 'user' | 'channel' | 'group' | 'broadcast' | 'date';
  text: string;
  /** The mentioned person, channel or group; a link's address; a date's Unix time. */
  target?: string;
  /** A date's format. */
  format?: string;
  isBold?: boolean;
  isItalic?: boolean;
  isStrike?: boolean;
}

export const decodeEntities = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

type Reader = (match: RegExpExecArray) => MrkdwnSpan;

const plain = (text: string): MrkdwnSpan => ({ kind: 'text', text });

/** The forms of references in angle brackets. */
const tokens: readonly [RegExp, Reader][] = [
  [/^@([UW][A-Z0-9]+)(?:\|(.*))?$/, (m) => ({ kind: 'user', target: m[1] ?? '', text: m[2] ?? '' })],
  [/^#([CGD][A-Z0-9]+)(?:\|(.*))?$/, (m) => ({ kind: 'channel', target: m[1] ?? '', text: m[2] ?? '' })],
  [/^!subteam\^([A-Z0-9]+)(?:\|(.*))?$/, (m) => ({ kind: 'group', target: m[1] ?? '', text: m[2] ?? '' })],
  [/^!(channel|here|everyone)(?:\|.*)?$/, (m) => ({ kind: 'broadcast', text: m[1] ?? '' })],
  [
    /^!date\^(\d+)\^([^^|]*)(?:\^[^|]*)?\|(.*)$/,
    (m) => ({ kind: 'date', target: m[1] ?? '', format: m[2] ?? '', text: m[3] ?? '' }),
  ],
  [/^([a-z][a-z0-9+.-]*:[^|]+)\|(.*)$/i, (m) => ({ kind: 'link', target: m[1] ?? '', text: m[2] ?? '' })],
  [
    /^([a-z][a-z0-9+.-]*:[^|]+)$/i,
    (m) => ({ kind: 'link', target: m[1] ?? '', text: (m[1] ?? '').replace(/^mailto:/, '') }),
  ],
];

function readToken(inner: string): MrkdwnSpan | undefined {
  for (const [pattern, read] of tokens) {
    const match = pattern.exec(inner);
    if (match !== null) {
      const span = read(match);
      return { ...span, text: decodeEntities(span.text) };
    }
  }
  return undefined;
}

/** A character, or a parsed span that styles can enclose but not split. */
type Cell = string | MrkdwnSpan;

const special = /```([\s\S]+?)```|`([^`\n]+)`|<([^<>\n]+)>/g;

function toCells(source: string): Cell[] {
  const cells: Cell[] = [];
  let from = 0;
  for (const match of source.matchAll(special)) {
    cells.push(...source.slice(from, match.index));
    from = match.index + match[0].length;
    const code = match[1] ?? match[2];
    if (code !== undefined) {
      // Slack resolves mentions and links in code too: an unescaped `<!channel>` there still notifies everyone.
      const inner = code.replaceAll(/<([^<>\n]+)>/g, (whole, token: string) => codeToken(token) ?? whole);
      cells.push({ kind: match[1] === undefined ? 'code' : 'preformatted', text: decodeEntities(inner) });
    } else cells.push(readToken(match[3] ?? '') ?? plain(decodeEntities(match[0])));
  }
  cells.push(...source.slice(from));
  return cells;
}

function codeToken(inner: string): string | undefined {
  const span = readToken(inner);
  if (span === undefined) return undefined;
  if (span.kind === 'link' || span.kind === 'date') return span.text;
  return `${span.kind === 'channel' ? '#' : '@'}${span.text === '' ? (span.target ?? '') : span.text}`;
}

const styles = { '*': 'isBold', _: 'isItalic', '~': 'isStrike' } as const;
type Style = (typeof styles)[keyof typeof styles];

const styleOf = (cell: Cell | undefined): Style | undefined =>
  cell === '*' || cell === '_' || cell === '~' ? styles[cell] : undefined;
const isWordy = (cell: Cell | undefined): boolean => typeof cell === 'string' && /[\p{L}\p{N}]/u.test(cell);
const isSpace = (cell: Cell | undefined): boolean =>
  cell === undefined || (typeof cell === 'string' && /\s/.test(cell));

function closing(cells: readonly Cell[], from: number): number {
  const mark = cells[from];
  if (isWordy(cells[from - 1]) || isSpace(cells[from + 1]) || cells[from + 1] === mark) return -1;
  for (let at = from + 1; at < cells.length && cells[at] !== '\n'; at += 1) {
    if (cells[at] === mark && !isSpace(cells[at - 1]) && !isWordy(cells[at + 1])) return at;
  }
  return -1;
}

function style(cells: readonly Cell[], on: Partial<Record<Style, true>>): MrkdwnSpan[] {
  const spans: MrkdwnSpan[] = [];
  let run = '';
  const flush = (): void => {
    if (run !== '') spans.push({ kind: 'text', text: decodeEntities(run), ...on });
    run = '';
  };
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at];
    const mark = styleOf(cell);
    const end = mark === undefined ? -1 : closing(cells, at);
    if (mark !== undefined && end > 0) {
      flush();
      spans.push(...style(cells.slice(at + 1, end), { ...on, [mark]: true }));
      at = end;
    } else if (typeof cell === 'string') run += cell;
    else if (cell !== undefined) {
      flush();
      spans.push({ ...cell, ...on });
    }
  }
  flush();
  return spans;
}

/** Parses mrkdwn into the pieces that a reader sees. */
export const parseMrkdwn = (source: string): MrkdwnSpan[] => style(toCells(source), {});
