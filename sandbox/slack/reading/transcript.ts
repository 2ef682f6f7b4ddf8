import { asDict, asDicts, asText, type Dict } from '../dict.ts';
import type { InputValues, SimChannel, SimMessage, SimView } from '../state.ts';
import { findPerson } from '../workspace.ts';
import { elementText, mrkdwnText, richText, type TextReader, textObject } from './plain-text.ts';

type Lines = (block: Dict, values: InputValues, reader: TextReader) => string[];

const join = (parts: string[]): string => parts.filter((part) => part !== '').join(' ');

const cellText = (cell: Dict, reader: TextReader): string =>
  cell.type === 'rich_text' ? richText(cell, reader).join(' ') : asText(cell.text);

const rowTexts = (rows: unknown, reader: TextReader): string[] =>
  (Array.isArray(rows) ? rows : []).map((row: unknown) =>
    asDicts(row)
      .map((cell) => cellText(cell, reader))
      .join(' | '),
  );

const taskMarks: Record<string, string> = { pending: '○', in_progress: '◐', complete: '●', error: '✕' };

const taskLines: Lines = (task, _values, reader) => [
  `${taskMarks[asText(task.status)] ?? ''} ${asText(task.title)}`,
  ...[task.details, task.output].flatMap((part) => richText(asDict(part), reader)).map((line) => `  ${line}`),
];

const levels: Record<string, string> = { info: 'ⓘ', warning: '⚠', error: '✖', success: '✔' };

/** The text of each type of block. */
const blockReaders: Record<string, Lines> = {
  header: (block, _values, reader) => [textObject(block.text, reader)],
  section: (block, values, reader) => {
    const accessory = 'accessory' in block ? elementText(block, asDict(block.accessory), values, reader) : '';
    const text = textObject(block.text, reader);
    const fields = asDicts(block.fields).map((field) => textObject(field, reader));
    return [...(text === '' ? [] : [text]), ...fields, ...(accessory === '' ? [] : [accessory])];
  },
  divider: () => ['---'],
  context: (block, values, reader) => [
    join(
      asDicts(block.elements).map((element) =>
        element.type === 'image' ? elementText(block, element, values, reader) : textObject(element, reader),
      ),
    ),
  ],
  actions: (block, values, reader) => [
    join(asDicts(block.elements).map((element) => elementText(block, element, values, reader))),
  ],
  input: (block, values, reader) => [
    `${textObject(block.label, reader)}${block.optional === true ? ' (optional)' : ''}: ${elementText(block, asDict(block.element), values, reader)}`,
    ...('hint' in block ? [`  ${textObject(block.hint, reader)}`] : []),
  ],
  image: (block, _values, reader) => [
    ...('title' in block ? [textObject(block.title, reader)] : []),
    `(image: ${asText(block.alt_text)})`,
  ],
  rich_text: (block, _values, reader) => richText(block, reader),
  markdown: (block) => [asText(block.text)],
  alert: (block, _values, reader) => [join([levels[asText(block.level)] ?? '', textObject(block.text, reader)])],
  table: (block, _values, reader) => rowTexts(block.rows, reader),
  data_table: (block, _values, reader) => rowTexts(block.rows, reader),
  container: (block, values, reader) => [
    ...('rich_text_title' in block
      ? richText(asDict(block.rich_text_title), reader)
      : [textObject(block.title, reader)]),
    ...('subtitle' in block ? [textObject(block.subtitle, reader)] : []),
    ...asDicts(block.child_blocks).flatMap((child) => blockLines(reader)(child, values)),
  ],
  task_card: taskLines,
  plan: (block, values, reader) => [
    asText(block.title),
    ...asDicts(block.tasks).flatMap((task) => taskLines(task, values, reader)),
  ],
  card: (block, values, reader) => [
    ...[block.title, block.subtitle, block.body].map((text) => textObject(text, reader)).filter((text) => text !== ''),
    ...('actions' in block
      ? [join(asDicts(block.actions).map((element) => elementText(block, element, values, reader)))]
      : []),
  ],
};

const blockLines =
  (reader: TextReader) =>
  (block: Dict, values: InputValues): string[] =>
    blockReaders[asText(block.type)]?.(block, values, reader) ?? [];

/** The visible lines of a message, without the author. */
function messageLines(message: SimMessage, reader: TextReader): string[] {
  const linesOf = blockLines(reader);
  const values = message.values[reader.viewer?.id ?? ''] ?? {};
  const body =
    message.blocks.length > 0
      ? message.blocks.flatMap((block) => linesOf(block, values))
      : message.text === ''
        ? []
        : [mrkdwnText(message.text, reader)];
  const attached = message.attachments.flatMap((attachment) => [
    ...asDicts(attachment.blocks).flatMap((block) => linesOf(block, values)),
    ...[asText(attachment.pretext), asText(attachment.title), asText(attachment.text)].filter((text) => text !== ''),
  ]);
  const files = reader.workspace.state.files
    .filter((file) => message.files.includes(file.id))
    .map((file) => `(file: ${file.title || file.name})`);
  return [...body, ...attached, ...files].flatMap((line) => line.split('\n'));
}

/** The visible text of a message, without the author. */
export const plainText = (message: SimMessage, reader: TextReader): string => messageLines(message, reader).join('\n');

function entry(message: SimMessage, reader: TextReader, indent: string): string[] {
  const { state } = reader.workspace;
  const author = message.user === 'USLACKBOT' ? 'slackbot' : findPerson(state, message.user)?.name;
  const name = message.byApp ?? author ?? message.user;
  const mark =
    message.visibleTo === undefined
      ? ''
      : `(only visible to @${findPerson(state, message.visibleTo)?.name ?? message.visibleTo}) `;
  const [first = '', ...rest] = messageLines(message, reader);
  return [`${indent}${mark}@${name}: ${first}`, ...rest.map((line) => `${indent}  ${line}`)].map((line) =>
    line.trimEnd(),
  );
}

/** The text of a channel, with threads indented under their parents. */
export function transcript(channel: SimChannel, reader: TextReader): string {
  const { state } = reader.workspace;
  const visible = [...state.messages, ...state.ephemerals]
    .filter((message) => message.channel === channel.id)
    .filter(
      (message) =>
        message.visibleTo === undefined || reader.viewer === undefined || message.visibleTo === reader.viewer.id,
    )
    .sort((a, b) => (a.ts < b.ts ? -1 : 1));
  const isReply = (message: SimMessage): boolean => message.threadTs !== undefined && message.threadTs !== message.ts;
  const roots = visible.filter((message) => !isReply(message) || message.isBroadcast === true);
  const placed = new Set(roots.map((root) => root.ts));
  const orphans = visible.filter((message) => isReply(message) && !placed.has(message.threadTs ?? ''));
  return [...roots, ...orphans]
    .flatMap((root) => [
      ...entry(root, reader, ''),
      ...visible
        .filter((message) => isReply(message) && message.threadTs === root.ts)
        .flatMap((reply) => entry(reply, reader, '    ')),
    ])
    .join('\n');
}

/** The text of a modal or Home tab. */
export function viewText(view: SimView, reader: TextReader): string {
  const title = view.title === null ? [] : [`== ${textObject(view.title, reader)} ==`];
  const body = view.blocks.flatMap((block) => [
    ...blockLines(reader)(block, view.values).flatMap((line) => line.split('\n')),
    ...(view.errors[asText(block.block_id)] === undefined ? [] : [`  ! ${view.errors[asText(block.block_id)]}`]),
  ]);
  const buttons =
    view.type === 'home'
      ? []
      : [
          join([
            `[${textObject(view.close, reader) || 'Close'}]`,
            view.submit === null ? '' : `[${textObject(view.submit, reader)}]`,
          ]),
        ];
  return [...title, ...body, ...buttons].join('\n');
}
