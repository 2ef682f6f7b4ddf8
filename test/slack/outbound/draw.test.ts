import { expect, it } from 'vitest';
import type { Row, View, ViewPart } from '../../../src/core/view/view.ts';
import { readClick } from '../../../src/slack/inbound/interaction.ts';
import { drawMessage } from '../../../src/slack/outbound/draw.ts';
import { drawForm } from '../../../src/slack/outbound/modals.ts';
import { firstAttempt } from '../../../src/slack/outbound/pen.ts';
import { emptyForm } from '../support.ts';

const run = (line: string) => ({ do: 'run', line }) as const;

it('a heading with an hour is bold rich text, in which each reader sees their own clock', () => {
  const text = ['Restart web-1', ' ', { date: 1_700_000_000_000 }] as const;
  const view: View = { summary: '', parts: [{ kind: 'heading', text, aside: 'scheduled' }] };
  const block = drawMessage(view).blocks?.[0];
  expect(block).toMatchObject({ type: 'rich_text' });
  expect(JSON.stringify(block)).toMatch(
    /"type":"date","timestamp":1700000000,.*?"fallback":"[^"]*","style":\{"bold":true\}/,
  );
});

it('a card has a heading, its target, the effect, the requester and its buttons', () => {
  const view: View = {
    summary: 'Restart web-1: confirm to run',
    parts: [
      { kind: 'heading', text: 'Restart web-1', aside: 'confirm to run' },
      { kind: 'context', text: 'web-1 · 34-12345 · 192.0.2.10' },
      {
        kind: 'fields',
        fields: [
          ['Effect', 'the server shuts down & starts again'],
          ['Asked', ['by ', { user: 'U0OPERAT01' }, ' at ', { date: 1_700_000_000_000, style: 'time' }]],
        ],
      },
      {
        kind: 'buttons',
        buttons: [{ label: 'Confirm', style: 'primary', intent: { do: 'vote', operation: 'a7', vote: 'confirm' } }],
      },
      {
        kind: 'menu',
        label: 'Snooze',
        options: [{ label: '1 hour', intent: { do: 'alert', alert: 'x', act: 'snooze', forMs: 3_600_000 } }],
      },
    ],
  };
  const plainText = (text: string) => ({ type: 'plain_text', text, emoji: false });
  const bold = (text: string) => ({ type: 'text', text, style: { bold: true } });
  const words = (text: string) => ({ type: 'text', text });
  const section = [
    ...[bold('Effect'), words('  '), words('the server shuts down & starts again'), words('\n')],
    ...[bold('Asked'), words('  '), words('by '), { type: 'user', user_id: 'U0OPERAT01' }, words(' at ')],
    { type: 'date', timestamp: 1_700_000_000, format: '{time}', fallback: '22:13 UTC' },
  ];
  const confirm = '{"do":"vote","operation":"a7","vote":"confirm"}';
  expect(drawMessage(view).blocks).toEqual([
    { type: 'header', text: plainText('Restart web-1 · confirm to run') },
    { type: 'context', elements: [plainText('web-1 · 34-12345 · 192.0.2.10')] },
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: section }] },
    {
      type: 'actions',
      block_id: 'pick:1.0:{"do":"alert","alert":"x","act":"snooze","forMs":3600000}',
      elements: [
        { type: 'button', action_id: 'act:0', style: 'primary', text: plainText('Confirm'), value: confirm },
        {
          ...{ type: 'static_select', action_id: 'pick:1', placeholder: plainText('Snooze') },
          options: [{ text: plainText('1 hour'), value: '{}' }],
        },
      ],
    },
  ]);
});

it('a diff is drawn with its signs, and a notice in its color', () => {
  const removed = { sign: '−', text: 'www A 192.0.2.10' } as const;
  const { blocks } = drawMessage({
    summary: 'Change',
    parts: [
      { kind: 'diff', lines: [removed, { sign: '+', text: 'www A <b>' }] },
      { kind: 'notice', tone: 'warning', text: ['The old answer stays, says ', { user: 'U0ADMIN001' }] },
    ],
  });
  const diff = { type: 'text', text: '− www A 192.0.2.10\n+ www A <b>' };
  const notice = [
    { type: 'text', text: 'Warning:', style: { bold: true } },
    { type: 'text', text: ' ' },
    { type: 'text', text: 'The old answer stays, says ' },
    { type: 'user', user_id: 'U0ADMIN001' },
  ];
  expect(blocks).toEqual([
    { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [diff] }] },
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: notice }] },
  ]);
});

it('a table that is too long says how many rows are missing, and has a button that shows them', () => {
  const rows = Array.from({ length: 137 }, (_, n): Row => [`web-${n}`, 'on']);
  const { blocks } = drawMessage({
    summary: '137 servers',
    parts: [{ kind: 'table', columns: [{ name: 'Name' }, { name: 'State' }], rows }],
    more: 'list page:2',
  });
  expect(blocks.map((block) => block.type)).toEqual(['data_table', 'context', 'actions']);
  expect(JSON.stringify(blocks[1])).toContain('and 37 more');
  expect(blocks[2]).toMatchObject({
    elements: [{ text: { text: 'Show more' }, value: JSON.stringify(run('list page:2')) }],
  });
});

it('a menu with an option that is too long becomes buttons, and a button that is too long is reported as missing', () => {
  const options = [run(`status ${'x'.repeat(100)}`), run('status web-2')].map((intent, n) => ({
    label: `option ${n}`,
    intent,
  }));
  const menu = drawMessage({ summary: 'm', parts: [{ kind: 'menu', label: 'Which', options }] });
  expect(menu.blocks).toMatchObject([{ type: 'actions', elements: [{ type: 'button' }, { type: 'button' }] }]);
  const long = drawMessage({
    summary: 'm',
    parts: [{ kind: 'buttons', buttons: [{ label: 'Run', intent: run('"'.repeat(1_500)) }] }],
  });
  expect(JSON.stringify(long.blocks)).toContain('1 button');
});

it('a click says only what its button carries; any other value requests nothing', () => {
  const click = (action: object) =>
    readClick(
      {
        user: { id: 'U1' },
        trigger_id: 't',
        container: { type: 'message', message_ts: '1.2', channel_id: 'C1', thread_ts: '1.1' },
        // The text of a message and the channel in Slack's container are two things; only the container counts.
        channel: { id: 'C_OTHER' },
        actions: [{ type: 'button', action_id: 'act:0', block_id: 'b', action_ts: '9.9', ...action }],
      },
      { now: 0, slackAheadMs: 0 },
    );
  expect(click({ value: JSON.stringify(run('list')) })?.request).toEqual({
    id: 'click:9.9:1.2:U1:act:0',
    actor: 'U1',
    at: 0,
    place: { channel: 'C1', kind: 'channel', thread: '1.1', message: '1.2' },
    ask: { kind: 'intent', intent: run('list') },
  });
  const foreign = JSON.stringify({ ...run('list'), channel: 'C2' });
  for (const value of ['', 'not json', '{"do":"erase"}', foreign, '{"do":"run","line":7}', 'null'])
    expect(click({ value })).toBeUndefined();
  const selected_option = { value: '{"line":"status web-1"}' };
  const picked = click({ action_id: 'pick:0', block_id: 'pick:0:{"do":"run"}', selected_option });
  expect(picked?.request.ask).toEqual({ kind: 'intent', intent: run('status web-1') });
});

it('a form says in the hint what it cannot show, and never cuts a value that would be sent back', () => {
  const many = Array.from({ length: 101 }, (_, n) => ({ value: `${n}`, label: `option ${n}` }));
  const options = [...many, { value: 'v'.repeat(76), label: 'long' }];
  const { blocks } = drawForm({
    ...emptyForm,
    fields: [
      { widget: 'multiline', name: 'zone', label: 'Zone', optional: false, initial: 'x'.repeat(3_001) },
      { widget: 'choice', name: 'one', label: 'One', optional: false, options },
    ],
  });
  expect(blocks[0]).toMatchObject({ hint: { text: 'what is set now is too long to be shown here' } });
  expect(JSON.stringify(blocks[0])).not.toContain('xxx');
  expect(blocks[1]).toMatchObject({ hint: { text: '2 more cannot be shown here; type the command for them' } });
});

const tasks: ViewPart = {
  kind: 'tasks',
  title: 'Steps: 1 of 3 done, 1 running, 1 waiting',
  tasks: [
    { label: 'web-1', status: 'done', word: 'done' },
    { label: 'web-2', status: 'trouble', word: 'failed', note: 'the provider said <no>' },
    { label: 'web-3', status: 'pending', word: 'waiting' },
  ],
};
const blocksOf = (part: ViewPart, avoid: readonly string[] = []) =>
  drawMessage({ summary: 'Stop', parts: [part, part] }, { ...firstAttempt('message'), avoid: new Set(avoid) }).blocks;

it('the steps of a request are drawn as tasks of a plan, further ones as lines, and an edit keeps an opened plan open', () => {
  const [plan, lines] = blocksOf(tasks);
  expect(plan).toEqual({
    type: 'plan',
    block_id: 'plan',
    title: 'Steps: 1 of 3 done, 1 running, 1 waiting',
    tasks: [
      { type: 'task_card', task_id: 'task 1', title: 'web-1 · done', status: 'complete' },
      {
        ...{ type: 'task_card', task_id: 'task 2', title: 'web-2 · failed', status: 'error' },
        output: {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'the provider said <no>' }] }],
        },
      },
      { type: 'task_card', task_id: 'task 3', title: 'web-3 · waiting', status: 'pending' },
    ],
  });
  expect(JSON.stringify(lines)).toContain('✕ web-2 · failed');
  expect(blocksOf(tasks, ['plan']).map(({ type }) => type)).toEqual(['rich_text', 'rich_text']);
});

it('folded lines are drawn as a closed container, and as open text where containers are refused', () => {
  const text = ['<b> & ```', ...Array.from({ length: 200 }, (_, n) => `line ${n} of some length`)].join('\n');
  const folded: ViewPart = { kind: 'code', text, folded: 'Text: 201 lines' };
  const [container] = blocksOf(folded);
  expect(container).toMatchObject({
    type: 'container',
    title: { type: 'plain_text', text: 'Text: 201 lines' },
    is_collapsible: true,
    default_collapsed: true,
  });
  const children = container?.type === 'container' ? container.child_blocks : [];
  expect(children.length).toBeGreaterThan(1);
  const words = children.map((child) => (child.type === 'section' ? child.text?.text : undefined) ?? '');
  expect(words[0]).toMatch(/^```\n&lt;b&gt; &amp; '''\nline 0/);
  for (const each of words) expect(each.match(/```/g)).toHaveLength(2);
  expect(words.join('\n')).toContain('line 199 of some length');
  expect(blocksOf({ kind: 'code', text: 'a\nb', folded: 'Text: 2 lines' }, ['container'])).toMatchObject([
    { type: 'rich_text', elements: [{ elements: [{ text: 'Text: 2 lines', style: { bold: true } }] }] },
    { type: 'rich_text', elements: [{ type: 'rich_text_preformatted' }] },
    { type: 'rich_text' },
    { type: 'rich_text' },
  ]);
});
