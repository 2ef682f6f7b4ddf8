import { asDict, asDicts, asText, type Dict, isDict } from '../slack/dict.ts';
import { renderDate } from '../slack/reading/dates.ts';
import { decodeEntities, type MrkdwnSpan, parseMrkdwn } from '../slack/reading/mrkdwn.ts';
import { nameIn, spanOf } from '../slack/reading/spans.ts';
import type { SimPerson, SlackState } from '../slack/state.ts';
import { findGroup } from '../slack/workspace.ts';

/** The reader, and the time. */
export interface Viewer {
  readonly state: SlackState;
  readonly person: SimPerson;
  readonly nowMs: number;
}

/** A piece of text for the page: ids are replaced by names, dates by words, and links lead only to http or https. */
export interface Piece {
  readonly kind: MrkdwnSpan['kind'] | 'emoji';
  readonly text: string;
  readonly href?: string;
  /** True for a mention of the reader, of one of the reader's groups, or of everyone. */
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

const names: Record<MrkdwnSpan['kind'], (span: MrkdwnSpan, viewer: Viewer) => Named> = {
  text: ({ text }) => ({ text }),
  code: ({ text }) => ({ text }),
  preformatted: ({ text }) => ({ text: text.replace(/^\n|\n$/g, '') }),
  link: ({ text, target }) => ({ text, ...webLink(target) }),
  user: (span, { state, person }) => ({ text: nameIn(state, span), ...forMe(span.target === person.id) }),
  channel: (span, { state }) => ({ text: nameIn(state, span) }),
  group(span, { state, person }) {
    const isIn = findGroup(state, span.target ?? '')?.members.includes(person.id) ?? false;
    return { text: nameIn(state, span), ...forMe(isIn) };
  },
  broadcast: ({ text }) => ({ text: `@${text}`, isForMe: true }),
  date: ({ target, format = '' }, { person, nowMs }) => ({
    text: renderDate(Number(target), format, { nowMs, timeZone: person.tz }),
  }),
};

function piece(span: MrkdwnSpan, viewer: Viewer): Piece {
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

/** The emoji's characters; the name for custom emoji and those without code points. */
function emoji({ name, unicode }: Dict): string {
  const points = asText(unicode)
    .split('-')
    .map((part) => Number.parseInt(part, 16));
  const isReal = points.length > 0 && points.every((point) => point > 0 && point <= 0x10ffff);
  return isReal ? String.fromCodePoint(...points) : `:${asText(name)}:`;
}

function spanFor(element: Dict): MrkdwnSpan {
  if (element.type === 'text') return { kind: 'text', text: asText(element.text) };
  if (element.type === 'color') return { kind: 'code', text: asText(element.value) };
  // Unknown elements are shown as JSON, so that they are noticed.
  return spanOf(element) ?? { kind: 'code', text: JSON.stringify(element) };
}

function inline(element: Dict, viewer: Viewer): Piece {
  const style = asDict(element.style);
  const drawn =
    element.type === 'emoji' ? { kind: 'emoji' as const, text: emoji(element) } : piece(spanFor(element), viewer);
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

/** Converts the texts in blocks and values to pieces. */
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
