import { asDict, asDicts, asText, type Dict, isDict } from './slack/dict.ts';
import { decodeEntities, parseMrkdwn, type Span } from './slack/mrkdwn.ts';
import { renderDate } from './slack/plain-text.ts';
import type { Person, SlackState } from './slack/state.ts';
import { findChannel, findGroup, findPerson } from './slack/world.ts';

/** Who reads, and when. */
export interface Viewer {
  readonly state: SlackState;
  readonly person: Person;
  readonly nowMs: number;
}

/** A stretch of text as the page shows it: ids are names, dates are words, and a link leads only to http or https. */
export interface Piece {
  readonly kind: Span['kind'] | 'emoji';
  readonly text: string;
  readonly href?: string;
  /** Speaks to whoever reads: their name, their group, or everybody. */
  readonly isForMe?: true;
  readonly isBold?: true;
  readonly isItalic?: true;
  readonly isStrike?: true;
  readonly isUnderlined?: true;
  readonly isCode?: true;
}

export function webLink(address: unknown): { href?: string } {
  const url = URL.parse(asText(address));
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? { href: url.href } : {};
}

type Named = Pick<Piece, 'text' | 'isForMe' | 'href'>;

const forMe = (isIt: boolean): { isForMe?: true } => (isIt ? { isForMe: true } : {});

const names: Record<Span['kind'], (span: Span, viewer: Viewer) => Named> = {
  text: ({ text }) => ({ text }),
  code: ({ text }) => ({ text }),
  preformatted: ({ text }) => ({ text: text.replace(/^\n|\n$/g, '') }),
  link: ({ text, target }) => ({ text, ...webLink(target) }),
  user({ text, target = '' }, { state, person }) {
    const name = findPerson(state, target)?.name ?? (text || target);
    return { text: `@${name}`, ...forMe(target === person.id) };
  },
  channel: ({ text, target = '' }, { state }) => ({ text: `#${findChannel(state, target)?.name ?? (text || target)}` }),
  group({ text, target = '' }, { state, person }) {
    const group = findGroup(state, target);
    const handle = group?.handle ?? (text.replace(/^@/, '') || target);
    return { text: `@${handle}`, ...forMe(group?.members.includes(person.id) ?? false) };
  },
  broadcast: ({ text }) => ({ text: `@${text}`, isForMe: true }),
  date: ({ target, format = '' }, { person, nowMs }) => ({
    text: renderDate(Number(target), format, { nowMs, timeZone: person.tz }),
  }),
};

function piece(span: Span, viewer: Viewer): Piece {
  return {
    kind: span.kind,
    ...names[span.kind](span, viewer),
    ...(span.isBold ? { isBold: true } : {}),
    ...(span.isItalic ? { isItalic: true } : {}),
    ...(span.isStrike ? { isStrike: true } : {}),
  };
}

export const drawText = (source: string, viewer: Viewer): Piece[] =>
  parseMrkdwn(source).map((span) => piece(span, viewer));

/** A custom emoji, or one whose code points are not given, stays its name. */
function emoji({ name, unicode }: Dict): string {
  const points = asText(unicode)
    .split('-')
    .map((part) => Number.parseInt(part, 16));
  const isReal = points.length > 0 && points.every((point) => point > 0 && point <= 0x10ffff);
  return isReal ? String.fromCodePoint(...points) : `:${asText(name)}:`;
}

const inlines: Record<string, (element: Dict) => Span> = {
  text: ({ text }) => ({ kind: 'text', text: asText(text) }),
  link: ({ text, url }) => ({ kind: 'link', text: asText(text) || asText(url), target: asText(url) }),
  user: ({ user_id }) => ({ kind: 'user', text: '', target: asText(user_id) }),
  usergroup: ({ usergroup_id }) => ({ kind: 'group', text: '', target: asText(usergroup_id) }),
  channel: ({ channel_id }) => ({ kind: 'channel', text: '', target: asText(channel_id) }),
  broadcast: ({ range }) => ({ kind: 'broadcast', text: asText(range) }),
  date: ({ timestamp, format }) => ({ kind: 'date', text: '', target: String(timestamp), format: asText(format) }),
  color: ({ value }) => ({ kind: 'code', text: asText(value) }),
};

function inline(element: Dict, viewer: Viewer): Piece {
  const read = inlines[asText(element.type)];
  // What is not known is shown as it came: a visible oddity, never nothing.
  const style = asDict(element.style);
  const drawn =
    element.type === 'emoji'
      ? { kind: 'emoji' as const, text: emoji(element) }
      : piece(read?.(element) ?? { kind: 'code', text: JSON.stringify(element) }, viewer);
  return {
    ...drawn,
    ...(style.bold === true ? { isBold: true } : {}),
    ...(style.italic === true ? { isItalic: true } : {}),
    ...(style.strike === true ? { isStrike: true } : {}),
    ...(style.underline === true ? { isUnderlined: true } : {}),
    ...(style.code === true ? { isCode: true } : {}),
  };
}

const pieces = (elements: unknown, viewer: Viewer): Piece[] =>
  asDicts(elements).map((element) => inline(element, viewer));

function richText(block: Dict, viewer: Viewer): Dict {
  const elements = asDicts(block.elements).map((part) => ({
    ...part,
    ...(part.type === 'rich_text_list'
      ? { items: asDicts(part.elements).map((item) => pieces(item.elements, viewer)) }
      : { pieces: pieces(part.elements, viewer) }),
    elements: undefined,
  }));
  return { ...block, elements };
}

function fileId(reference: Dict, state: SlackState): string | undefined {
  const id = asText(reference.id) || /\/[A-Z0-9]+-([A-Z0-9]+)\//.exec(asText(reference.url))?.[1];
  return state.files.find((file) => file.id === id)?.id;
}

/** Blocks, values and everything in them, with texts turned into pieces. */
export function draw(value: unknown, viewer: Viewer): unknown {
  if (Array.isArray(value)) return value.map((item) => draw(item, viewer));
  if (!isDict(value)) return value;
  if (value.type === 'mrkdwn') return { type: 'text', pieces: drawText(asText(value.text), viewer) };
  if (value.type === 'plain_text')
    return { type: 'text', pieces: [{ kind: 'text', text: decodeEntities(asText(value.text)) }] };
  if (value.type === 'rich_text') return richText(value, viewer);
  const drawn = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, draw(item, viewer)]));
  if (value.type === 'image') {
    const file = fileId(asDict(value.slack_file), viewer.state);
    return { ...drawn, ...(file === undefined ? webLink(value.image_url) : { file }) };
  }
  return 'url' in value ? { ...drawn, url: webLink(value.url).href } : drawn;
}
