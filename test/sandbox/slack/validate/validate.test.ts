import { expect, test } from 'vitest';
import type { Dict } from '../../../../sandbox/slack/dict.ts';
import { checkMessageBlocks } from '../../../../sandbox/slack/validate/message.ts';
import { checkView } from '../../../../sandbox/slack/validate/view.ts';

const isImage = (file: Dict): boolean => file.id === 'F0IMAGE';
const inMessage = (...blocks: unknown[]): string[] => {
  const wrong = checkMessageBlocks(blocks, isImage);
  return wrong === undefined ? [] : wrong.problems.length === 0 ? [wrong.error] : wrong.problems;
};
const modal = (blocks: unknown[], more: Dict = {}): Dict => ({
  type: 'modal',
  title: plain('Title'),
  submit: plain('Go'),
  blocks,
  ...more,
});
const inModal = (view: unknown): string[] => {
  const wrong = checkView(view, 'modal', isImage);
  return wrong === undefined ? [] : wrong.problems.length === 0 ? [wrong.error] : wrong.problems;
};

const x = (length: number): string => 'x'.repeat(length);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (text = 'a', value = 'a', more: Dict = {}) => ({ text: plain(text), value, ...more });
const options = (count: number) => times(count, (index) => option(`o${index}`, `v${index}`));
const button = (more: Dict = {}) => ({ type: 'button', text: plain('ok'), ...more });
const actions = (...elements: unknown[]) => ({ type: 'actions', elements });
const section = (more: Dict = {}) => ({ type: 'section', text: mrkdwn('text'), ...more });
const input = (element: Dict, more: Dict = {}) => ({ type: 'input', label: plain('label'), element, ...more });
const confirm = (more: Dict = {}) => ({
  title: plain('t'),
  text: plain('sure?'),
  confirm: plain('yes'),
  deny: plain('no'),
  ...more,
});
const select = (more: Dict) => actions({ type: 'static_select', ...more });
const confirmed = (more: Dict) => actions(button({ confirm: confirm(more) }));
const text = (more: Dict = {}) => input({ type: 'plain_text_input' }, more);
const cells = (rows: number, columns: number) =>
  times(rows, () => times(columns, () => ({ type: 'raw_text', text: 'c' })));

type Limit = [what: string, make: (n: number) => unknown, limit: number, at: string];

/** A value at the limit passes, one above it does not, and the answer points to the place. */
const messageLimits: Limit[] = [
  ['section text', (n) => section({ text: mrkdwn(x(n)) }), 3000, '/text/text'],
  ['section fields', (n) => section({ fields: times(n, () => mrkdwn('f')) }), 10, '/fields'],
  ['field text', (n) => section({ fields: [mrkdwn(x(n))] }), 2000, '/fields/0/text'],
  ['header', (n) => ({ type: 'header', text: plain(x(n)) }), 150, '/text/text'],
  ['context elements', (n) => ({ type: 'context', elements: times(n, () => mrkdwn('c')) }), 10, '/elements'],
  ['actions elements', (n) => actions(...times(n, () => button())), 25, '/elements'],
  ['image url', (n) => ({ type: 'image', alt_text: 'a', image_url: `https:${x(n - 6)}` }), 3000, '/image_url'],
  ['image alt', (n) => ({ type: 'image', alt_text: x(n), image_url: 'https://x' }), 2000, '/alt_text'],
  ['block_id', (n) => section({ block_id: x(n) }), 255, '/block_id'],
  ['action_id', (n) => actions(button({ action_id: x(n) })), 255, '/elements/0/action_id'],
  ['button text', (n) => actions(button({ text: plain(x(n)) })), 75, '/elements/0/text/text'],
  ['button value', (n) => actions(button({ value: x(n) })), 2000, '/elements/0/value'],
  ['button url', (n) => actions(button({ url: `https:${x(n - 6)}` })), 3000, '/elements/0/url'],
  ['confirm title', (n) => confirmed({ title: plain(x(n)) }), 100, '/elements/0/confirm/title/text'],
  ['confirm text', (n) => confirmed({ text: plain(x(n)) }), 300, '/elements/0/confirm/text/text'],
  ['confirm button', (n) => confirmed({ deny: plain(x(n)) }), 30, '/elements/0/confirm/deny/text'],
  ['overflow', (n) => actions({ type: 'overflow', options: options(n) }), 5, '/elements/0/options'],
  ['checkboxes', (n) => actions({ type: 'checkboxes', options: options(n) }), 10, '/elements/0/options'],
  ['radio buttons', (n) => actions({ type: 'radio_buttons', options: options(n) }), 10, '/elements/0/options'],
  ['select options', (n) => select({ options: options(n) }), 100, '/elements/0/options'],
  [
    'option groups',
    (n) => select({ option_groups: times(n, () => ({ label: plain('g'), options: options(1) })) }),
    100,
    '/elements/0/option_groups',
  ],
  ['option text', (n) => select({ options: [option(x(n))] }), 75, '/elements/0/options/0/text/text'],
  [
    'option description',
    (n) => select({ options: [option('a', 'a', { description: plain(x(n)) })] }),
    75,
    '/elements/0/options/0/description/text',
  ],
  [
    'group label',
    (n) => select({ option_groups: [{ label: plain(x(n)), options: options(1) }] }),
    75,
    '/elements/0/option_groups/0/label/text',
  ],
  [
    'placeholder',
    (n) => actions({ type: 'users_select', placeholder: plain(x(n)) }),
    150,
    '/elements/0/placeholder/text',
  ],
  ['table rows', (n) => ({ type: 'table', rows: cells(n, 1) }), 100, '/rows'],
  ['table columns', (n) => ({ type: 'table', rows: cells(1, n) }), 20, '/rows/0'],
];

test.each(messageLimits)('the message limit of %s is checked', (_what, make, limit, at) => {
  expect(inMessage(make(limit))).toEqual([]);
  const over = inMessage(make(limit + 1));
  expect(over).toHaveLength(1);
  expect(over[0]).toContain(`[json-pointer:/blocks/0${at}]`);
});

const input0 = '/blocks/0/element';
const viewLimits: Limit[] = [
  ['modal title', (n) => modal([], { title: plain(x(n)) }), 24, '/title/text'],
  ['alert', (n) => modal([{ type: 'alert', level: 'error', text: mrkdwn(x(n)) }]), 200, '/blocks/0/text/text'],
  ['modal submit', (n) => modal([], { submit: plain(x(n)) }), 24, '/submit/text'],
  ['modal close', (n) => modal([], { close: plain(x(n)) }), 24, '/close/text'],
  ['private_metadata', (n) => modal([], { private_metadata: x(n) }), 3000, '/private_metadata'],
  ['callback_id', (n) => modal([], { callback_id: x(n) }), 255, '/callback_id'],
  ['view blocks', (n) => modal(times(n, () => section())), 100, '/blocks'],
  ['input label', (n) => modal([text({ label: plain(x(n)) })]), 2000, '/blocks/0/label/text'],
  ['input hint', (n) => modal([text({ hint: plain(x(n)) })]), 2000, '/blocks/0/hint/text'],
  ['text max_length', (n) => modal([input({ type: 'plain_text_input', max_length: n })]), 3000, `${input0}/max_length`],
  ['file_input files', (n) => modal([input({ type: 'file_input', max_files: n })]), 10, `${input0}/max_files`],
];

test.each(viewLimits)('the view limit of %s is checked', (_what, make, limit, at) => {
  expect(inModal(make(limit))).toEqual([]);
  const over = inModal(make(limit + 1));
  expect(over).toHaveLength(1);
  expect(over[0]).toContain(`[json-pointer:/view${at}]`);
});

test('the limits of a whole message are checked', () => {
  expect(inMessage(...times(50, () => section()))).toEqual([]);
  expect(inMessage(...times(51, () => section()))).toEqual(['no more than 50 items allowed [json-pointer:/blocks]']);
  // The field takes 12,000 characters, the message fewer.
  expect(inMessage({ type: 'markdown', text: x(12_000) })).toEqual(['msg_blocks_too_long']);
  expect(inMessage({ type: 'markdown', text: x(12_001) })).toEqual([
    'must be less than 12001 characters [json-pointer:/blocks/0/text]',
  ]);
  expect(checkMessageBlocks('nonsense', isImage)?.error).toBe('invalid_blocks_format');
});

test('a view has at most 250 kB', () => {
  const selects = (count: number) =>
    times(count, (index) =>
      input({
        type: 'static_select',
        action_id: `a${index}`,
        options: times(100, (n) => option(x(75), `${n}${x(70)}`)),
      }),
    );
  expect(inModal(modal(selects(11)))).toEqual([]);
  expect(inModal(modal(selects(14)))).toEqual(['view_too_large']);
});

/** Every kind of element in its simplest form, in an allowed place. */
const goodElements: Dict[] = [
  button({ style: 'primary', confirm: confirm() }),
  ...['users', 'conversations', 'channels', 'external'].map((kind) => ({ type: `${kind}_select` })),
  { type: 'static_select', options: options(2), initial_option: option('o1', 'v1') },
  { type: 'overflow', options: [{ text: plain('open'), url: 'https://example.com', value: 'x' }] },
  { type: 'checkboxes', options: [{ text: mrkdwn('*a*'), value: 'a' }] },
  { type: 'radio_buttons', options: options(2) },
  { type: 'datepicker', initial_date: '2026-01-31' },
  { type: 'timepicker', initial_time: '23:59', timezone: 'Europe/Berlin' },
  { type: 'datetimepicker', initial_date_time: 1_628_633_820 },
];

test.each(goodElements)('$type is accepted in actions', (element) => {
  expect(inMessage(actions(element))).toEqual([]);
});

const goodInputs: Dict[] = [
  ...['users', 'conversations', 'channels', 'external'].map((kind) => ({ type: `multi_${kind}_select` })),
  { type: 'multi_static_select', options: options(2), initial_options: options(1), max_selected_items: 2 },
  ...goodElements.filter((element) => element.type !== 'button' && element.type !== 'overflow'),
  {
    type: 'plain_text_input',
    multiline: true,
    min_length: 1,
    max_length: 10,
    dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
  },
  { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '9' },
  { type: 'email_text_input' },
  { type: 'url_text_input', focus_on_load: true },
  { type: 'rich_text_input' },
  { type: 'file_input', filetypes: ['zone'] },
];

test.each(goodInputs)('$type is accepted in an input', (element) => {
  expect(inModal(modal([input(element)]))).toEqual([]);
});

const richText = {
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: [
        { type: 'text', text: 'a', style: { bold: true } },
        { type: 'user', user_id: 'U1' },
      ],
    },
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'emoji', name: 'wave' }] }],
    },
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'code' }] },
    { type: 'rich_text_quote', elements: [{ type: 'link', url: 'https://x' }] },
  ],
};

test('every block is accepted in a message', () => {
  expect(
    inMessage(
      section({ accessory: { type: 'image', alt_text: 'a', slack_file: { id: 'F0IMAGE' } } }),
      { type: 'divider' },
      richText,
      {
        type: 'table',
        rows: [[{ type: 'raw_text', text: 'a' }, { type: 'raw_number', value: 1, text: '1' }, richText]],
      },
      { type: 'image', alt_text: 'curve', slack_file: { id: 'F0IMAGE' }, title: plain('cpu') },
      { type: 'context', elements: [{ type: 'image', alt_text: 'a', image_url: 'https://x' }, mrkdwn('b')] },
    ),
  ).toEqual([]);
});

/** Input that Slack refuses, and its error. */
const wrong: [what: string, blocks: unknown[], says: string, at: string][] = [
  ['an unknown property', [section({ color: 'red' })], 'invalid additional property: color', '/0'],
  ['an unknown block', [{ type: 'marquee' }], 'unsupported type: marquee', '/0/type'],
  ['a bare element as a block', [button()], 'unsupported type: button', '/0/type'],
  ['a section with nothing', [{ type: 'section' }], 'must define either `text` or `fields`', '/0'],
  ['an empty text', [section({ text: mrkdwn('') })], 'must be more than 0 characters', '/0/text/text'],
  ['a number for a text', [section({ text: mrkdwn(1 as unknown as string) })], 'must be a string', '/0/text/text'],
  ['markup in a header', [{ type: 'header', text: mrkdwn('a') }], 'unsupported type: mrkdwn here', '/0/text/type'],
  [
    'markup on a button',
    [actions(button({ text: mrkdwn('a') }))],
    'unsupported type: mrkdwn here',
    '/0/elements/0/text/type',
  ],
  [
    'an input element in actions',
    [actions({ type: 'plain_text_input' })],
    'unsupported type: plain_text_input in actions',
    '/0/elements/0/type',
  ],
  ['a button in an input', [input(button())], 'unsupported type: button in input', '/0/element/type'],
  [
    'a date and time beside a section',
    [section({ accessory: { type: 'datetimepicker' } })],
    'unsupported type: datetimepicker in section',
    '/0/accessory/type',
  ],
  [
    'a button in a context',
    [{ type: 'context', elements: [button()] }],
    'unsupported type: button here',
    '/0/elements/0/type',
  ],
  [
    'two blocks of one id',
    [section({ block_id: 'b' }), section({ block_id: 'b' })],
    '`block_id` "b" already exists',
    '/1',
  ],
  [
    'two elements of one id',
    [actions(button({ action_id: 'a' }), button({ action_id: 'a' }))],
    '`action_id` "a" already exists',
    '/0/elements/1',
  ],
  ['no options', [select({ options: [] })], 'no fewer than 1 items allowed', '/0/elements/0/options'],
  [
    'options and groups',
    [actions({ type: 'static_select' })],
    'must define either `options` or `option_groups`',
    '/0/elements/0',
  ],
  [
    'an initial option nobody offers',
    [select({ options: options(1), initial_option: option('b', 'b') })],
    'initial option must match one of the options',
    '/0/elements/0',
  ],
  [
    'a style Slack has not',
    [actions(button({ style: 'secondary' }))],
    'must be a valid enum value: primary, danger',
    '/0/elements/0/style',
  ],
  [
    'an unknown picture',
    [{ type: 'image', alt_text: 'a', slack_file: { id: 'F0OTHER' } }],
    'invalid slack file',
    '/0/slack_file',
  ],
  [
    'two tables',
    [
      { type: 'table', rows: cells(1, 1) },
      { type: 'table', rows: cells(1, 1) },
    ],
    'only_one_table_allowed',
    '/1',
  ],
  [
    'a file block',
    [{ type: 'file', external_id: 'a', source: 'remote' }],
    'file blocks cannot be posted; they only appear when reading',
    '/0',
  ],
  ['no url', [actions(button({ url: 'example.com' }))], 'invalid url', '/0/elements/0/url'],
];

test.each(wrong)('a message with %s is refused', (_what, blocks, says, at) => {
  expect(inMessage(...blocks)).toEqual([`${says} [json-pointer:/blocks${at}]`]);
});

const wrongViews: [what: string, view: unknown, says: string, at: string][] = [
  [
    'inputs without submit',
    { type: 'modal', title: plain('T'), blocks: [input({ type: 'plain_text_input' })] },
    'must define `submit` to use an `input` block in modals',
    '',
  ],
  [
    'an alert level',
    modal([{ type: 'alert', text: plain('a'), level: 'critical' }]),
    'must be a valid enum value: default, info, warning, error, success',
    '/blocks/0/level',
  ],
  ['no title', { type: 'modal', blocks: [] }, 'missing required field: title', ''],
  ['markdown', modal([{ type: 'markdown', text: 'a' }]), 'unsupported type: markdown', '/blocks/0/type'],
  ['a home for a modal', { type: 'home', title: plain('T'), blocks: [] }, 'must be a valid enum value: modal', '/type'],
  [
    'two in focus',
    modal([1, 2].map((n) => input({ type: 'plain_text_input', action_id: `a${n}`, focus_on_load: true }))),
    'only one element can have focus_on_load',
    '/blocks/1/element',
  ],
  [
    'limits upside down',
    modal([input({ type: 'number_input', is_decimal_allowed: true, min_value: '2', max_value: '1' })]),
    'min_value cannot be greater than max_value',
    '/blocks/0/element',
  ],
  [
    'a number input that does not say',
    modal([input({ type: 'number_input' })]),
    'missing required field: is_decimal_allowed',
    '/blocks/0/element',
  ],
];

test.each(wrongViews)('a view with %s is refused', (_what, view, says, at) => {
  expect(inModal(view)).toEqual([`${says} [json-pointer:/view${at}]`]);
});

test('a Home tab with a title, a submit or a file input is refused', () => {
  const home = (more: Dict, blocks: unknown[] = []) =>
    checkView({ type: 'home', blocks, ...more }, 'home', isImage)?.problems;
  expect(home({})).toBeUndefined();
  expect(home({ title: plain('T') })).toEqual(['invalid additional property: title [json-pointer:/view]']);
  expect(home({}, [input({ type: 'file_input' })])).toEqual([
    'file_input is not supported in home [json-pointer:/view/blocks/0/element/type]',
  ]);
});
