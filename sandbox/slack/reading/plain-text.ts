import { asDict, asDicts, asText, type Dict, textOf } from '../dict.ts';
import type { InputValues, SimPerson } from '../state.ts';
import { findChannel, findPerson, type Workspace } from '../workspace.ts';
import { renderDate } from './dates.ts';
import { decodeEntities, type MrkdwnSpan, parseMrkdwn } from './mrkdwn.ts';
import { nameIn, spanOf } from './spans.ts';

/** The reader, whose time zone is used; UTC without a reader. */
export interface TextReader {
  workspace: Workspace;
  viewer?: SimPerson | undefined;
}

const broadcastNames = new Set(['channel', 'here', 'everyone']);

/** The text of a piece, with names instead of ids. */
function spanText(span: MrkdwnSpan, reader: TextReader): string {
  const { state } = reader.workspace;
  const words: Record<MrkdwnSpan['kind'], () => string> = {
    text: () => span.text,
    code: () => `\`${span.text}\``,
    preformatted: () => `\`\`\`\n${span.text.replace(/^\n|\n$/g, '')}\n\`\`\``,
    link: () => span.text,
    user: () => nameIn(state, span),
    channel: () => nameIn(state, span),
    group: () => nameIn(state, span),
    broadcast: () => (broadcastNames.has(span.text) ? `@${span.text}` : span.text),
    date: () =>
      renderDate(Number(span.target), span.format ?? '', {
        nowMs: reader.workspace.nowMs(),
        timeZone: reader.viewer?.tz ?? 'UTC',
      }),
  };
  return words[span.kind]();
}

export const mrkdwnText = (source: string, reader: TextReader): string =>
  parseMrkdwn(source)
    .map((span) => spanText(span, reader))
    .join('');

/** The text of a text object, if present. */
export function textObject(value: unknown, reader: TextReader): string {
  const object = asDict(value);
  return object.type === 'mrkdwn' ? mrkdwnText(asText(object.text), reader) : decodeEntities(asText(object.text));
}

function richInline(element: Dict, reader: TextReader): string {
  const span = spanOf(element);
  if (span !== undefined) return spanText(span, reader);
  if (element.type === 'emoji') return `:${asText(element.name)}:`;
  const text = asText(element.text) || asText(element.value);
  return asDict(element.style).code === true ? `\`${text}\`` : text;
}

export function richText(block: Dict, reader: TextReader): string[] {
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

const optionWords = (value: unknown, reader: TextReader): string => textObject(asDict(value).text, reader);

/** The entered or chosen value as text. */
function chosen(state: Dict | undefined, reader: TextReader): string {
  if (state === undefined) return '';
  const many = (items: unknown, word: (item: unknown) => string): string =>
    Array.isArray(items) ? items.map(word).join(', ') : '';
  const person = (id: unknown): string => `@${findPerson(reader.workspace.state, asText(id))?.name ?? asText(id)}`;
  const channel = (id: unknown): string => `#${findChannel(reader.workspace.state, asText(id))?.name ?? asText(id)}`;
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
  const match = words.find(([name]) => state[name] !== undefined && state[name] !== null);
  return match === undefined ? '' : match[1](state[match[0]]);
}

/** An interactive element as text. */
export function elementText(block: Dict, element: Dict, values: InputValues, reader: TextReader): string {
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
        (option) =>
          `(${picked.some((choice) => choice.value === option.value) ? 'x' : ' '}) ${optionWords(option, reader)}`,
      )
      .join(' ');
  }
  const shown = chosen(state, reader) || decodeEntities(textOf(element.placeholder));
  return asText(element.type).endsWith('_input') ? `[${shown}]` : `[${shown || 'Choose'} ▾]`;
}
