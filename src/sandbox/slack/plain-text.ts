import { asDict, asDicts, asText, type Dict, textOf } from './dict.ts';
import { decodeEntities, parseMrkdwn, type Span } from './mrkdwn.ts';
import type { Message, Person, Values } from './state.ts';
import { findChannel, findGroup, findPerson, type World } from './world.ts';

/** Who reads, and so in whose time zone; without anybody, in UTC. */
export interface Reader {
  world: World;
  viewer?: Person | undefined;
}

const dateTokens: Record<string, Intl.DateTimeFormatOptions> = {
  date_num: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date_slash: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date: { month: 'long', day: 'numeric', year: 'numeric' },
  date_short: { month: 'short', day: 'numeric', year: 'numeric' },
  date_long: { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  date_long_full: { month: 'long', day: 'numeric', year: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
  time_secs: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
};

/** Whose calendar a date is read by. */
export interface Moment {
  nowMs: number;
  timeZone: string;
}

function relativeDay(dayMs: number, { nowMs, timeZone }: Moment): string | undefined {
  const day = (ms: number): string => new Intl.DateTimeFormat('en-CA', { timeZone }).format(ms);
  const names = [
    [0, 'today'],
    [-1, 'yesterday'],
    [1, 'tomorrow'],
  ] as const;
  return names.find(([days]) => day(nowMs + days * 86_400_000) === day(dayMs))?.[1];
}

/** A date as `<!date^…>` and rich text write it. */
export function renderDate(unixS: number, format: string, moment: Moment): string {
  const { timeZone } = moment;
  return format.replaceAll(/\{(\w+)\}/g, (whole, token: string) => {
    const name = token.replace(/_pretty$/, '');
    const relative = name === token ? undefined : relativeDay(unixS * 1000, moment);
    const options = dateTokens[name];
    if (relative !== undefined) return relative;
    if (options === undefined) return whole;
    const locale = name === 'date_num' ? 'en-CA' : 'en-US';
    return new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(unixS * 1000).replaceAll('\u202f', ' ');
  });
}

const broadcastNames = new Set(['channel', 'here', 'everyone']);

/** The words of one piece, with ids turned into names. */
function spanText(span: Span, reader: Reader): string {
  const { state } = reader.world;
  const target = span.target ?? '';
  const words: Record<Span['kind'], () => string> = {
    text: () => span.text,
    code: () => `\`${span.text}\``,
    preformatted: () => `\`\`\`\n${span.text.replace(/^\n|\n$/g, '')}\n\`\`\``,
    link: () => span.text,
    user: () => `@${findPerson(state, target)?.name ?? (span.text || target)}`,
    channel: () => `#${findChannel(state, target)?.name ?? (span.text || target)}`,
    group: () => `@${findGroup(state, target)?.handle ?? (span.text.replace(/^@/, '') || target)}`,
    broadcast: () => (broadcastNames.has(span.text) ? `@${span.text}` : span.text),
    date: () =>
      renderDate(Number(target), span.format ?? '', {
        nowMs: reader.world.nowMs(),
        timeZone: reader.viewer?.tz ?? 'UTC',
      }),
  };
  return words[span.kind]();
}

const mrkdwnText = (source: string, reader: Reader): string =>
  parseMrkdwn(source)
    .map((span) => spanText(span, reader))
    .join('');

/** A text object, or its absence. */
export function textObject(value: unknown, reader: Reader): string {
  const object = asDict(value);
  return object.type === 'mrkdwn' ? mrkdwnText(asText(object.text), reader) : decodeEntities(asText(object.text));
}

function richInline(element: Dict, reader: Reader): string {
  const spans: Record<string, () => Span> = {
    user: () => ({ kind: 'user', target: asText(element.user_id), text: '' }),
    channel: () => ({ kind: 'channel', target: asText(element.channel_id), text: '' }),
    usergroup: () => ({ kind: 'group', target: asText(element.usergroup_id), text: '' }),
    broadcast: () => ({ kind: 'broadcast', text: asText(element.range) }),
    date: () => ({ kind: 'date', target: String(element.timestamp), format: asText(element.format), text: '' }),
  };
  const span = spans[asText(element.type)];
  if (span !== undefined) return spanText(span(), reader);
  if (element.type === 'emoji') return `:${asText(element.name)}:`;
  if (element.type === 'link') return asText(element.text) || asText(element.url);
  const text = asText(element.text) || asText(element.value);
  return asDict(element.style).code === true ? `\`${text}\`` : text;
}

export function richText(block: Dict, reader: Reader): string[] {
  const inline = (elements: unknown): string =>
    asDicts(elements)
      .map((element) => richInline(element, reader))
      .join('');
  return asDicts(block.elements).flatMap((part) => {
    if (part.type === 'rich_text_list') {
      return asDicts(part.elements).map((item, index) => {
        const point = part.style === 'ordered' ? `${index + 1}.` : '•';
        return `${'  '.repeat(Number(part.indent ?? 0))}${point} ${inline(item.elements)}`;
      });
    }
    const lines = inline(part.elements).replace(/\n$/, '').split('\n');
    if (part.type === 'rich_text_quote') return lines.map((line) => `> ${line}`);
    if (part.type === 'rich_text_preformatted') return ['```', ...lines, '```'];
    return lines;
  });
}

const optionWords = (value: unknown, reader: Reader): string => textObject(asDict(value).text, reader);

/** What is filled in or chosen, in words. */
function chosen(state: Dict | undefined, reader: Reader): string {
  if (state === undefined) return '';
  const many = (items: unknown, word: (item: unknown) => string): string =>
    Array.isArray(items) ? items.map(word).join(', ') : '';
  const person = (id: unknown): string => `@${findPerson(reader.world.state, asText(id))?.name ?? asText(id)}`;
  const channel = (id: unknown): string => `#${findChannel(reader.world.state, asText(id))?.name ?? asText(id)}`;
  const words: [string, (value: unknown) => string][] = [
    ['value', (value) => asText(value)],
    ['selected_option', (value) => optionWords(value, reader)],
    ['selected_options', (value) => many(value, (item) => optionWords(item, reader))],
    ['selected_user', person],
    ['selected_users', (value) => many(value, person)],
    ['selected_channel', channel],
    ['selected_channels', (value) => many(value, channel)],
    ['selected_conversation', channel],
    ['selected_conversations', (value) => many(value, channel)],
    ['selected_date', (value) => asText(value)],
    ['selected_time', (value) => asText(value)],
    ['selected_date_time', (value) => String(value)],
  ];
  const found = words.find(([name]) => state[name] !== undefined && state[name] !== null);
  return found === undefined ? '' : found[1](state[found[0]]);
}

/** An interactive element as it stands in a line. */
export function elementText(block: Dict, element: Dict, values: Values, reader: Reader): string {
  const state = values[asText(block.block_id)]?.[asText(element.action_id)];
  if (element.type === 'image') return `(image: ${asText(element.alt_text)})`;
  if (element.type === 'button') return `[${textObject(element.text, reader)}]`;
  if (element.type === 'overflow') {
    return `[… ${asDicts(element.options)
      .map((option) => optionWords(option, reader))
      .join(' | ')}]`;
  }
  if (element.type === 'checkboxes' || element.type === 'radio_buttons') {
    const picked = [...asDicts(asDict(state).selected_options), asDict(asDict(state).selected_option)];
    return asDicts(element.options)
      .map(
        (option) => `(${picked.some((one) => one.value === option.value) ? 'x' : ' '}) ${optionWords(option, reader)}`,
      )
      .join(' ');
  }
  const shown = chosen(state, reader) || decodeEntities(textOf(element.placeholder));
  return asText(element.type).endsWith('_input') ? `[${shown}]` : `[${shown || 'Choose'} ▾]`;
}

/** Words of a message without its name tag: what a person would read, one string per line. */
export function messageLines(
  message: Message,
  reader: Reader,
  blockLines: (block: Dict, values: Values) => string[],
): string[] {
  const values = message.values[reader.viewer?.id ?? ''] ?? {};
  const body =
    message.blocks.length > 0
      ? message.blocks.flatMap((block) => blockLines(block, values))
      : message.text === ''
        ? []
        : [mrkdwnText(message.text, reader)];
  const attached = message.attachments.flatMap((attachment) => [
    ...asDicts(attachment.blocks).flatMap((block) => blockLines(block, values)),
    ...[asText(attachment.pretext), asText(attachment.title), asText(attachment.text)].filter((text) => text !== ''),
  ]);
  const files = reader.world.state.files
    .filter((file) => message.files.includes(file.id))
    .map((file) => `(file: ${file.title || file.name})`);
  return [...body, ...attached, ...files].flatMap((line) => line.split('\n'));
}
