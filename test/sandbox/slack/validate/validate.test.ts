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
const field = { type: 'plain_text_input' };
const text = (more: Dict = {}) => input(field, more);
const group = (label: string) => ({ label: plain(label), options: options(1) });
const described = (words: string) => option('a', 'a', { description: plain(words) });
const cells = (rows: number, columns: number) =>
  times(rows, () => times(columns, () => ({ type: 'raw_text', text: 'c' })));

/** The limited thing, a value of this size on its surface, the limit, and the place. */
type Limit = [what: string, make: (n: number) => unknown, limit: number, at: string];

const e0 = '/elements/0';
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
  ['action_id', (n) => actions(button({ action_id: x(n) })), 255, `${e0}/action_id`],
  ['button text', (n) => actions(button({ text: plain(x(n)) })), 75, `${e0}/text/text`],
  ['button value', (n) => actions(button({ value: x(n) })), 2000, `${e0}/value`],
  ['button url', (n) => actions(button({ url: `https:${x(n - 6)}` })), 3000, `${e0}/url`],
  ['confirm title', (n) => confirmed({ title: plain(x(n)) }), 100, `${e0}/confirm/title/text`],
  ['confirm text', (n) => confirmed({ text: plain(x(n)) }), 300, `${e0}/confirm/text/text`],
  ['confirm button', (n) => confirmed({ deny: plain(x(n)) }), 30, `${e0}/confirm/deny/text`],
  ['overflow', (n) => actions({ type: 'overflow', options: options(n) }), 5, `${e0}/options`],
  ['checkboxes', (n) => actions({ type: 'checkboxes', options: options(n) }), 10, `${e0}/options`],
  ['radio buttons', (n) => actions({ type: 'radio_buttons', options: options(n) }), 10, `${e0}/options`],
  ['select options', (n) => select({ options: options(n) }), 100, `${e0}/options`],
  ['option groups', (n) => select({ option_groups: times(n, () => group('g')) }), 100, `${e0}/option_groups`],
  ['group label', (n) => select({ option_groups: [group(x(n))] }), 75, `${e0}/option_groups/0/label/text`],
  ['option text', (n) => select({ options: [option(x(n))] }), 75, `${e0}/options/0/text/text`],
  ['option description', (n) => select({ options: [described(x(n))] }), 75, `${e0}/options/0/description/text`],
  ['placeholder', (n) => actions({ type: 'users_select', placeholder: plain(x(n)) }), 150, `${e0}/placeholder/text`],
  ['table rows', (n) => ({ type: 'table', rows: cells(n, 1) }), 100, '/rows'],
  ['table columns', (n) => ({ type: 'table', rows: cells(1, n) }), 20, '/rows/0'],
];

const input0 = '/blocks/0/element';
const viewLimits: Limit[] = [
  ['modal title', (n) => modal([], { title: plain(x(n)) }), 24, '/title/text'],
  ['modal submit', (n) => modal([], { submit: plain(x(n)) }), 24, '/submit/text'],
  ['modal close', (n) => modal([], { close: plain(x(n)) }), 24, '/close/text'],
  ['private_metadata', (n) => modal([], { private_metadata: x(n) }), 3000, '/private_metadata'],
  ['callback_id', (n) => modal([], { callback_id: x(n) }), 255, '/callback_id'],
  ['view blocks', (n) => modal(times(n, () => section())), 100, '/blocks'],
  ['input label', (n) => modal([text({ label: plain(x(n)) })]), 2000, '/blocks/0/label/text'],
  ['input hint', (n) => modal([text({ hint: plain(x(n)) })]), 2000, '/blocks/0/hint/text'],
  ['text max_length', (n) => modal([input({ ...field, max_length: n })]), 3000, `${input0}/max_length`],
  ['file_input files', (n) => modal([input({ type: 'file_input', max_files: n })]), 10, `${input0}/max_files`],
];

test.each([
  ...messageLimits.map(([what, ...limit]) => [what, inMessage, '/blocks/0', ...limit] as const),
  ...viewLimits.map(([what, ...limit]) => [what, inModal, '/view', ...limit] as const),
])('a value at the limit of %s passes, and one above it is named by its place', (_, check, place, make, limit, at) => {
  expect(check(make(limit))).toEqual([]);
  expect(check(make(limit + 1))).toEqual([expect.stringContaining(`[json-pointer:${place}${at}]`)]);
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

const goodInputs: Dict[] = [
  ...['users', 'conversations', 'channels', 'external'].map((kind) => ({ type: `multi_${kind}_select` })),
  { type: 'multi_static_select', options: options(2), initial_options: options(1), max_selected_items: 2 },
  ...goodElements.filter((element) => element.type !== 'button' && element.type !== 'overflow'),
  { ...field, multiline: true, min_length: 1, dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } },
  { type: 'number_input', is_decimal_allowed: false, min_value: '1', max_value: '9' },
  { type: 'email_text_input' },
  { type: 'url_text_input', focus_on_load: true },
  { type: 'rich_text_input' },
  { type: 'file_input', filetypes: ['zone'] },
];

test.each([
  ...goodElements.map((element) => ({ where: 'in actions', found: inMessage(actions(element)), type: element.type })),
  ...goodInputs.map((element) => ({
    where: 'in an input',
    found: inModal(modal([input(element)])),
    type: element.type,
  })),
])('$type is accepted $where', ({ found }) => {
  expect(found).toEqual([]);
});

const richSection = (...elements: Dict[]) => ({ type: 'rich_text_section', elements });
const richText = {
  type: 'rich_text',
  elements: [
    richSection({ type: 'text', text: 'a', style: { bold: true } }, { type: 'user', user_id: 'U1' }),
    { type: 'rich_text_list', style: 'bullet', elements: [richSection({ type: 'emoji', name: 'wave' })] },
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

const unsupported = (what: string) => `unsupported type: ${what}`;
const table = { type: 'table', rows: cells(1, 1) };
const otherPicture = { type: 'image', alt_text: 'a', slack_file: { id: 'F0OTHER' } };
const dated = section({ accessory: { type: 'datetimepicker' } });
const unoffered = select({ options: options(1), initial_option: option('b', 'b') });
const sameBlock = section({ block_id: 'b' });
const sameAction = button({ action_id: 'a' });
const styled = actions(button({ style: 'secondary' }));
const fileBlock = { type: 'file', external_id: 'a', source: 'remote' };

/** Input that Slack refuses, and its error. */
const wrong: [what: string, blocks: unknown[], says: string, at: string][] = [
  ['an unknown property', [section({ color: 'red' })], 'invalid additional property: color', '/0'],
  ['an unknown block', [{ type: 'marquee' }], unsupported('marquee'), '/0/type'],
  ['a bare element as a block', [button()], unsupported('button'), '/0/type'],
  ['a section with nothing', [{ type: 'section' }], 'must define either `text` or `fields`', '/0'],
  ['an empty text', [section({ text: mrkdwn('') })], 'must be more than 0 characters', '/0/text/text'],
  ['a number for a text', [section({ text: mrkdwn(1 as unknown as string) })], 'must be a string', '/0/text/text'],
  ['markup in a header', [{ type: 'header', text: mrkdwn('a') }], unsupported('mrkdwn here'), '/0/text/type'],
  ['markup on a button', [actions(button({ text: mrkdwn('a') }))], unsupported('mrkdwn here'), `/0${e0}/text/type`],
  ['an input element in actions', [actions(field)], unsupported('plain_text_input in actions'), `/0${e0}/type`],
  ['a button in an input', [input(button())], unsupported('button in input'), '/0/element/type'],
  ['a date and time beside a section', [dated], unsupported('datetimepicker in section'), '/0/accessory/type'],
  ['a button in a context', [{ type: 'context', elements: [button()] }], unsupported('button here'), `/0${e0}/type`],
  ['two blocks of one id', [sameBlock, sameBlock], '`block_id` "b" already exists', '/1'],
  ['two elements of one id', [actions(sameAction, sameAction)], '`action_id` "a" already exists', '/0/elements/1'],
  ['no options', [select({ options: [] })], 'no fewer than 1 items allowed', `/0${e0}/options`],
  ['neither options nor groups', [select({})], 'must define either `options` or `option_groups`', `/0${e0}`],
  ['an initial option nobody offers', [unoffered], 'initial option must match one of the options', `/0${e0}`],
  ['a style Slack has not', [styled], 'must be a valid enum value: primary, danger', `/0${e0}/style`],
  ['an unknown picture', [otherPicture], 'invalid slack file', '/0/slack_file'],
  ['two tables', [table, table], 'only_one_table_allowed', '/1'],
  ['a file block', [fileBlock], 'file blocks cannot be posted; they only appear when reading', '/0'],
  ['no url', [actions(button({ url: 'example.com' }))], 'invalid url', `/0${e0}/url`],
];

test.each(wrong)('a message with %s is refused', (_what, blocks, says, at) => {
  expect(inMessage(...blocks)).toEqual([`${says} [json-pointer:/blocks${at}]`]);
});

const levels = 'must be a valid enum value: default, info, warning, error, success';
const focused = [1, 2].map((n) => input({ ...field, action_id: `a${n}`, focus_on_load: true }));
const upsideDown = { type: 'number_input', is_decimal_allowed: true, min_value: '2', max_value: '1' };
const noSubmit = { type: 'modal', title: plain('T'), blocks: [text()] };
const home = { type: 'home', title: plain('T'), blocks: [] };
const critical = modal([{ type: 'alert', text: plain('a'), level: 'critical' }]);

const wrongViews: [what: string, view: unknown, says: string, at: string][] = [
  ['inputs without submit', noSubmit, 'must define `submit` to use an `input` block in modals', ''],
  ['an alert level', critical, levels, '/blocks/0/level'],
  ['no title', { type: 'modal', blocks: [] }, 'missing required field: title', ''],
  ['markdown', modal([{ type: 'markdown', text: 'a' }]), unsupported('markdown'), '/blocks/0/type'],
  ['a home for a modal', home, 'must be a valid enum value: modal', '/type'],
  ['two in focus', modal(focused), 'only one element can have focus_on_load', '/blocks/1/element'],
  ['limits upside down', modal([input(upsideDown)]), 'min_value cannot be greater than max_value', input0],
  [
    'half a number input',
    modal([input({ type: 'number_input' })]),
    'missing required field: is_decimal_allowed',
    input0,
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
