/** One of each block of Slack, which the page must show, too. */

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (value: string, text = value) => ({ text: plain(text), value });
const colors = ['red', 'green', 'blue'].map((value) => option(value));
const groups = [
  { label: plain('Warm'), options: [option('orange')] },
  { label: plain('Cold'), options: [option('teal'), option('ice')] },
];
export const hostile = '<img src=x onerror=alert(1)> <script>alert(1)</script> javascript:alert(1)';
const escaped = hostile.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const text = (words: string, style?: object) => ({
  type: 'text',
  text: words,
  ...(style === undefined ? {} : { style }),
});

const several = (kind: string, action_id: string, words: string, more: object = {}) => ({
  type: 'section',
  text: mrkdwn('Choose'),
  accessory: { type: `multi_${kind}_select`, action_id, placeholder: plain(words), ...more },
});
const select = (kind: string, action_id: string, words: string, more: object = {}) => ({
  type: `${kind}_select`,
  action_id,
  placeholder: plain(words),
  ...more,
});
const raw = (words: string) => ({ type: 'raw_text', text: words });
const number = (value: number) => ({ type: 'raw_number', value, text: String(value) });
const richSection = (...elements: object[]) => ({ type: 'rich_text_section', elements });

export const messageBlocks = (fileId: string): object[] => [
  { type: 'header', text: plain('A header') },
  {
    type: 'section',
    text: mrkdwn(`*bold* _italic_ ~struck~ \`code\` <https://example.com|a link> <@U0OPERAT01> <!here> ${escaped}`),
    fields: [mrkdwn('🔴 *Left*\none'), mrkdwn('*Right*\ntwo')],
    accessory: { type: 'button', action_id: 'accessory', text: plain('Beside'), value: 'x' },
  },
  { type: 'divider' },
  { type: 'context', elements: [mrkdwn('in <#C0OPS00001> at <!date^1700000000^{date_short} {time}|then>')] },
  {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: 'danger',
        style: 'danger',
        text: plain('Dangerous'),
        value: 'x',
        confirm: {
          title: plain('Sure?'),
          text: mrkdwn('This is *final*.'),
          confirm: plain('Do it'),
          deny: plain('Leave it'),
          style: 'danger',
        },
      },
      select('static', 'static', 'A color', { options: colors }),
      select('static', 'grouped', 'In groups', { option_groups: groups }),
      select('external', 'external', 'Looked up', { min_query_length: 1 }),
      select('users', 'user', 'Somebody'),
      select('channels', 'channel', 'A channel'),
      select('conversations', 'conversation', 'A conversation'),
      {
        type: 'overflow',
        action_id: 'overflow',
        options: [option('first', 'First thing'), option('second', 'Second thing')],
      },
      { type: 'checkboxes', action_id: 'boxes', options: colors },
      { type: 'radio_buttons', action_id: 'radio', options: colors, initial_option: colors[1] },
      { type: 'datepicker', action_id: 'date', initial_date: '2026-05-01' },
      { type: 'timepicker', action_id: 'time', initial_time: '14:05' },
      { type: 'datetimepicker', action_id: 'both', initial_date_time: 1_770_000_000 },
    ],
  },
  several('static', 'many', 'Several', { options: colors }),
  several('users', 'users', 'People'),
  several('channels', 'channels', 'Channels'),
  several('conversations', 'conversations', 'Conversations'),
  { type: 'image', slack_file: { id: fileId }, alt_text: 'A red dot', title: plain('A picture') },
  { type: 'image', image_url: 'https://example.com/elsewhere.png', alt_text: 'A picture on another site' },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          text('bold', { bold: true }),
          text(' struck', { strike: true }),
          text(' code', { code: true }),
          { type: 'user', user_id: 'U0LEAD0001' },
          { type: 'usergroup', usergroup_id: 'S0OPS00001' },
          { type: 'emoji', name: 'tada', unicode: '1f389' },
          { type: 'link', url: 'javascript:alert(1)', text: 'no link' },
          text(` ${hostile}`),
        ],
      },
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: [richSection(text('a point'))],
      },
      {
        type: 'rich_text_list',
        style: 'ordered',
        indent: 1,
        elements: [richSection(text('a number'))],
      },
      { type: 'rich_text_quote', elements: [text('a quote')] },
      { type: 'rich_text_preformatted', elements: [text('− old\n+ new')] },
    ],
  },
  {
    type: 'markdown',
    text: '# Title\n\nSome **strong** words and [a link](https://example.org), no [link](javascript:alert(1)).\n\n- one\n- two\n\n```\ncode\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  },
  {
    type: 'table',
    rows: [
      [raw('Name'), raw('Days')],
      [raw('web-1'), number(19)],
    ],
    column_settings: [{}, { align: 'right' }],
  },
];

const richCell = (words: string) => ({
  type: 'rich_text',
  elements: [richSection(text(words))],
});
const task = (id: string, status: string, more: object = {}) => ({
  type: 'task_card',
  task_id: id,
  title: `Task ${id}`,
  status,
  ...more,
});

/** The blocks of 2025 and 2026, which only messages may have. */
export const newerMessageBlocks: object[] = [
  {
    type: 'data_table',
    caption: 'Twelve numbers',
    page_size: 5,
    rows: [
      [raw('Name'), raw('Number')],
      ...Array.from({ length: 12 }, (_, at) => [raw(`row-${at}`), number((at * 7) % 12)]),
    ],
  },
  {
    type: 'container',
    title: plain('A container'),
    is_collapsible: true,
    default_collapsed: true,
    child_blocks: [
      { type: 'section', text: mrkdwn('*inside*') },
      { type: 'actions', elements: [{ type: 'button', action_id: 'inner', text: plain('Inner'), value: 'x' }] },
    ],
  },
  {
    type: 'plan',
    title: 'A plan',
    tasks: [
      task('one', 'complete', { output: richCell('read back') }),
      task('two', 'error', {
        details: richCell('the reason'),
        sources: [{ type: 'url', url: 'https://example.com/log', text: 'its log' }],
      }),
      task('three', 'pending'),
    ],
  },
  task('alone', 'in_progress'),
  {
    type: 'card',
    title: mrkdwn('A *card*'),
    body: mrkdwn('with a body'),
    actions: [{ type: 'button', action_id: 'carded', text: plain('On the card'), value: 'x' }],
  },
  {
    type: 'carousel',
    elements: [
      { type: 'card', title: mrkdwn('The first') },
      { type: 'card', body: mrkdwn('The last') },
    ],
  },
  {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'thumbs',
        positive_button: { text: plain('Good'), value: 'good' },
        negative_button: { text: plain('Bad'), value: 'bad' },
      },
    ],
  },
];

const input = (label: string, element: object, more: object = {}) => ({
  type: 'input',
  block_id: `b-${label}`,
  label: plain(label),
  element: { action_id: `a-${label}`, ...element },
  ...more,
});

export const modal = {
  type: 'modal',
  callback_id: 'gallery',
  title: plain('Gallery'),
  submit: plain('Send'),
  close: plain('Leave'),
  notify_on_close: true,
  blocks: [
    { type: 'alert', level: 'warning', text: mrkdwn('An *alert*') },
    input('Text', { type: 'plain_text_input', min_length: 3 }, { hint: plain('at least three letters') }),
    input('Long', { type: 'plain_text_input', multiline: true }, { optional: true }),
    input(
      'Number',
      { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '9' },
      { optional: true },
    ),
    input('Mail', { type: 'email_text_input' }, { optional: true }),
    input('Address', { type: 'url_text_input' }, { optional: true }),
    input('Rich', { type: 'rich_text_input' }, { optional: true }),
    input('Choice', { type: 'static_select', options: colors, initial_option: colors[0] }),
    input('People', { type: 'multi_users_select', max_selected_items: 2 }, { optional: true }),
    input('Search', { type: 'multi_external_select', min_query_length: 0 }, { optional: true }),
    input('Boxes', { type: 'checkboxes', options: colors }, { optional: true }),
    input('Radio', { type: 'radio_buttons', options: colors }, { optional: true }),
    input('Day', { type: 'datepicker' }, { optional: true }),
    input('File', { type: 'file_input', filetypes: ['txt'], max_files: 1 }, { optional: true }),
  ],
};
