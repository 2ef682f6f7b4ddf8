import { expect } from 'vitest';
import { z } from 'zod';
import { type RuleName, ruleNamed, ruleNames } from '../../../sandbox/slack/rules.ts';
import type { SimulatedSlack } from '../../../sandbox/slack/server.ts';
import { clientFor, openSlack, plain, refusal, section, test } from './bolt.ts';

const ops = 'C0OPS00001';
const priv = 'C0PRIVATE1';

/** A call of the Web API as plain JSON, so that blocks of any shape can be sent. */
async function call(slack: SimulatedSlack, method: string, args: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${slack.apiUrl}${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${slack.botToken}` },
    body: JSON.stringify(args),
  });
  return z.record(z.string(), z.unknown()).parse(await response.json());
}

/** `ok`, or the first error that blocks.validate finds. */
async function validate(slack: SimulatedSlack, payload: object): Promise<string> {
  const { ok, errors } = await call(slack, 'blocks.validate', payload);
  if (ok === true) return 'ok';
  const [first] = Array.isArray(errors) ? errors : [];
  return `${first.message} at ${first.pointer}`;
}

const inMessage = (slack: SimulatedSlack, ...blocks: unknown[]) => validate(slack, { message: { blocks } });
const inModal = (slack: SimulatedSlack, ...blocks: unknown[]) =>
  validate(slack, { view: { type: 'modal', title: plain('T'), submit: plain('Go'), blocks } });
const inHome = (slack: SimulatedSlack, ...blocks: unknown[]) => validate(slack, { view: { type: 'home', blocks } });
const surfaces = { message: inMessage, modal: inModal, home: inHome };
/** The verdict of blocks.validate on each of these blocks on its surface. */
const each =
  (...all: readonly [surface: keyof typeof surfaces, block: unknown][]) =>
  (slack: SimulatedSlack) =>
    Promise.all(all.map(([surface, block]) => surfaces[surface](slack, block)));
const parent = async (slack: SimulatedSlack) =>
  (await call(slack, 'chat.postMessage', { channel: ops, text: 'parent' })).ts;
/** `ok`, or the error of this call. */
const outcome = async (slack: SimulatedSlack, method: string, args: object) => {
  const { ok, error } = await call(slack, method, { channel: ops, text: 'text', ...args });
  return ok === true ? 'ok' : error;
};
const post = (slack: SimulatedSlack, args: object) => outcome(slack, 'chat.postMessage', args);

const alert = (length = 4) => ({ type: 'alert', text: plain('a'.repeat(length)) });
const actions = (...elements: object[]) => ({ type: 'actions', elements });
const button = (more: object = {}) => ({ type: 'button', text: plain('ok'), ...more });
const raw = (text: string) => ({ type: 'raw_text', text });
const rows = (count: number) => Array.from({ length: count }, () => [raw('c')]);
const table = { type: 'table', rows: rows(1) };
const richText = {
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'a' }] }],
};
const plan = (count: number, title = 'web-1') => ({
  type: 'plan',
  title: 'Stop',
  tasks: Array.from({ length: count }, (_, n) => ({ type: 'task_card', task_id: `${n}`, title, status: 'pending' })),
});
const picture = (id: string) => ({ type: 'image', alt_text: 'curve', slack_file: { id } });
const dataTable = (count: number) => ({ type: 'data_table', caption: 'all', rows: rows(count) });
const card = { type: 'card', title: { type: 'mrkdwn', text: 'a' } };
const container = (child: object) => ({ type: 'container', title: plain('more'), child_blocks: [child] });
const users = { type: 'multi_users_select' };
const mail = { type: 'input', label: plain('Mail'), element: { type: 'email_text_input' } };
const select = (length: number) =>
  actions({ type: 'static_select', options: [{ text: plain('a'), value: 'v'.repeat(length) }] });
const commandText = async (slack: SimulatedSlack, typed: string) => {
  const { payloadId } = await slack.sim.say('lead', '#ops', `/host ${typed}`);
  return slack.sim.payload(payloadId ?? '')?.body.text;
};

/** A call that shows a rule, the behavior of Slack with the rule, and without it. */
type Case = [show: (slack: SimulatedSlack) => Promise<unknown>, strict: unknown, lenient: unknown];

const cases: Record<RuleName, Case> = {
  'alert-only-in-modals': [
    each(['message', alert()], ['home', alert()], ['modal', alert()]),
    ['unsupported type: alert at /blocks/0/type', 'unsupported type: alert at /blocks/0/type', 'ok'],
    ['ok', 'ok', 'ok'],
  ],
  'alert-200': [
    each(['modal', alert(200)], ['modal', alert(201)]),
    ['ok', 'must be less than 201 characters at /blocks/0/text/text'],
    ['ok', 'ok'],
  ],
  'blocks-budget': [
    async (slack) => {
      const blocks = (...lengths: number[]) => lengths.map((length) => section('a'.repeat(length)));
      const header = { type: 'header', text: plain('h') };
      return [
        await post(slack, { blocks: blocks(3000, 3000, 3000, 2000) }),
        await post(slack, { blocks: blocks(3000, 3000, 3000, 2001) }),
        await post(slack, { blocks: [header, ...blocks(3000, 3000, 3000, 1899)] }),
        await post(slack, { blocks: [header, ...blocks(3000, 3000, 3000, 1900)] }),
        await post(slack, { blocks: [section('&'.repeat(2201))] }),
        await post(slack, { blocks: [section('<'.repeat(2751))] }),
      ];
    },
    ['ok', 'msg_blocks_too_long', 'ok', 'msg_blocks_too_long', 'msg_blocks_too_long', 'msg_blocks_too_long'],
    ['ok', 'ok', 'ok', 'ok', 'ok', 'ok'],
  ],
  'update-text-bytes': [
    async (slack) => {
      const ts = await parent(slack);
      const update = (text: string) => outcome(slack, 'chat.update', { ts, text });
      return [await update('я'.repeat(2000)), await update('я'.repeat(2001)), await update('a'.repeat(4001))];
    },
    ['ok', 'msg_too_long', 'msg_too_long'],
    ['ok', 'ok', 'ok'],
  ],
  'empty-blocks-on-post': [
    async (slack) => {
      const ts = await parent(slack);
      const whispered = outcome(slack, 'chat.postEphemeral', { user: 'U0LEAD0001', blocks: [] });
      return [
        await post(slack, { blocks: [] }),
        await whispered,
        await outcome(slack, 'chat.update', { ts, blocks: [] }),
      ];
    },
    ['invalid_blocks', 'invalid_blocks', 'ok'],
    ['ok', 'ok', 'ok'],
  ],
  'suggestion-without-state': [
    async (slack) => {
      const element = { type: 'external_select', action_id: 'image', min_query_length: 0 };
      const name = { type: 'plain_text_input', action_id: 'name', initial_value: 'web-1' };
      const blocks = [
        { type: 'input', block_id: 'n', label: plain('Name'), element: name },
        { type: 'input', block_id: 'i', label: plain('Image'), element },
      ];
      const { payloadId } = await slack.sim.shortcut('lead', 'ask');
      const trigger_id = slack.sim.payload(payloadId ?? '')?.body.trigger_id;
      const view = { type: 'modal', title: plain('T'), submit: plain('Go'), blocks };
      await call(slack, 'views.open', { trigger_id, view });
      const { outcome } = await slack.sim.suggest('lead', { action_id: 'image', value: 'deb' });
      return slack.sim.payload(outcome.payloadId ?? '')?.body.view;
    },
    expect.objectContaining({ state: { values: {} } }),
    expect.objectContaining({ state: { values: expect.objectContaining({ n: expect.anything() }) } }),
  ],
  'missing-parent-at-root': [
    async (slack) => {
      const ts = await parent(slack);
      await call(slack, 'chat.delete', { channel: ops, ts });
      const reply = { channel: ops, thread_ts: ts, text: 'reply' };
      const { error, message } = await call(slack, 'chat.postMessage', reply);
      return [error, JSON.stringify(message ?? {}).includes('thread_ts'), slack.sim.transcript('#ops')];
    },
    [undefined, false, '@hostler: reply'],
    ['cannot_reply_to_message', false, ''],
  ],
  'private-needs-reply': [
    async (slack) => {
      const ts = await parent(slack);
      const whisper = (text: string) =>
        call(slack, 'chat.postEphemeral', { channel: ops, user: 'U0LEAD0001', text, thread_ts: ts });
      const early = await whisper('before a reply');
      await call(slack, 'chat.postMessage', { channel: ops, text: 'reply', thread_ts: ts });
      const late = await whisper('after a reply');
      return [early.ok, late.ok, slack.sim.ephemerals('lead').map(({ text }) => text)];
    },
    [true, true, ['after a reply']],
    [true, true, ['before a reply', 'after a reply']],
  ],
  'command-text-unescaped': [
    (slack) => commandText(slack, 'echo "a&b <c> &amp;" @lead https://example.com/?a=1&b=2'),
    'echo "a&b <c> &amp;" <@U0LEAD0001|lead> <https://example.com/?a=1&amp;b=2>',
    'echo "a&amp;b &lt;c&gt; &amp;amp;" <@U0LEAD0001|lead> <https://example.com/?a=1&amp;b=2>',
  ],
  'command-groups-as-typed': [
    (slack) => commandText(slack, 'access grant operate @ops'),
    'access grant operate @ops',
    'access grant operate <!subteam^S0OPS00001|@ops>',
  ],
  'second-table-is-attachment-error': [
    (slack) => post(slack, { blocks: [table, table] }),
    'invalid_attachments',
    'invalid_blocks',
  ],
  'table-only-in-messages': [
    each(['message', table], ['home', table], ['modal', table]),
    ['ok', 'unsupported type: table at /blocks/0/type', 'unsupported type: table at /blocks/0/type'],
    ['ok', 'ok', 'unsupported type: table at /blocks/0/type'],
  ],
  'table-settings-are-objects': [
    (slack) => inMessage(slack, { ...table, column_settings: [null] }),
    'must provide an object at /blocks/0/column_settings/0',
    'ok',
  ],
  'data-table-101-rows': [
    each(['message', dataTable(101)], ['home', dataTable(102)], ['home', dataTable(202)]),
    ['ok', 'no more than 101 items allowed at /blocks/0/rows', 'no more than 201 items allowed at /blocks/0/rows'],
    ['ok', 'ok', 'no more than 201 items allowed at /blocks/0/rows'],
  ],
  'card-not-in-modals': [
    each(['message', card], ['modal', card]),
    ['ok', 'unsupported type: card at /blocks/0/type'],
    ['ok', 'ok'],
  ],
  'container-without-rich-text': [
    each(['message', container(section('a'))], ['message', container(richText)]),
    ['ok', 'unsupported type: rich_text in a container at /blocks/0/child_blocks/0/type'],
    ['ok', 'ok'],
  ],
  'container-folds-without-divider': [
    (slack) => inMessage(slack, { ...container(section('a')), is_collapsible: true, has_header_divider: true }),
    '`has_header_divider` is not allowed with `is_collapsible` at /blocks/0',
    'ok',
  ],
  'one-plan-per-message': [
    (slack) => inMessage(slack, plan(1), plan(1)),
    'Cannot have more than 1 plan block at /blocks/1',
    'ok',
  ],
  'plan-50-tasks': [
    each(['message', plan(50)], ['message', plan(51)]),
    ['ok', 'no more than 50 items allowed at /blocks/0/tasks'],
    ['ok', 'ok'],
  ],
  'task-texts-256': [
    each(
      ['message', plan(1, 'a'.repeat(256))],
      ['message', plan(1, 'a'.repeat(257))],
      ['message', { ...plan(0), title: 'a'.repeat(257) }],
    ),
    [
      'ok',
      'must be less than 257 characters at /blocks/0/tasks/0/title',
      'must be less than 257 characters at /blocks/0/title',
    ],
    ['ok', 'ok', 'ok'],
  ],
  'multi-select-not-in-actions': [
    each(['message', actions(users)], ['message', { ...section('a'), accessory: users }]),
    ['unsupported type: multi_users_select in actions at /blocks/0/elements/0/type', 'ok'],
    ['ok', 'ok'],
  ],
  'address-inputs-only-in-modals': [
    each(['message', mail], ['modal', mail]),
    ['unsupported type: email_text_input in input at /blocks/0/element/type', 'ok'],
    ['ok', 'ok'],
  ],
  'option-value-75': [
    each(['message', select(75)], ['message', select(76)], ['message', select(151)]),
    ['ok', ...[76, 151].map(() => 'must be less than 76 characters at /blocks/0/elements/0/options/0/value')],
    ['ok', 'ok', 'must be less than 151 characters at /blocks/0/elements/0/options/0/value'],
  ],
  'action-id-once-per-view': [
    (slack) => inMessage(slack, actions(button({ action_id: 'a' })), actions(button({ action_id: 'a' }))),
    '`action_id` "a" already exists at /blocks/1/elements/0',
    'ok',
  ],
  'confirm-names-all-buttons': [
    (slack) =>
      inMessage(slack, actions(button({ confirm: { text: plain('Sure?'), title: plain('T'), deny: plain('No') } }))),
    'missing required field: confirm at /blocks/0/elements/0/confirm',
    'ok',
  ],
  'response-url-ignores-thread': [
    async (slack) => {
      const ts = await parent(slack);
      const { payloadId } = await slack.sim.say('lead', '#ops', '/host list');
      const url = slack.sim.payload(payloadId ?? '')?.body.response_url;
      const body = JSON.stringify({ text: 'private', thread_ts: ts });
      await fetch(String(url), { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return slack.sim.ephemerals('lead').some((message) => message.text === 'private' && message.threadTs === ts);
    },
    false,
    true,
  ],
  'private-channel-id-changes': [
    async (slack) => {
      await slack.sim.share('#ops-private');
      await slack.sim.share('#ops');
      return slack.sim
        .outcomes()
        .filter(({ name }) => name === 'channel_id_changed')
        .map(({ payloadId }) => slack.sim.payload(payloadId ?? '')?.body.event);
    },
    [expect.objectContaining({ old_channel_id: priv, new_channel_id: expect.not.stringContaining(priv) })],
    [],
  ],
  'mention-in-direct-message': [
    async (slack) => {
      await slack.sim.say('lead', 'dm', '@hostler help');
      return slack.sim.outcomes().map(({ name }) => name);
    },
    ['message.im', 'app_mention'],
    ['message.im'],
  ],
  'picture-of-the-app': [
    async (slack) => {
      const shared = slack.sim.upload('lead', '#ops', 'a.png', 'png');
      const own = slack.sim.upload('lead', '#random', 'b.png', 'png');
      return [await post(slack, { blocks: [picture(shared)] }), await post(slack, { blocks: [picture(own)] })];
    },
    ['ok', 'invalid_blocks'],
    ['ok', 'ok'],
  ],
  'picture-is-processed': [
    async (slack) => {
      const shared = slack.sim.upload('lead', '#ops', 'a.png', 'png');
      slack.sim.delayPictures(1);
      return [await post(slack, { blocks: [picture(shared)] }), await post(slack, { blocks: [picture(shared)] })];
    },
    ['invalid_blocks', 'ok'],
    ['ok', 'ok'],
  ],
  'events-need-scopes': [
    async (slack) => {
      slack.sim.setScopes(slack.sim.state().scopes.filter((scope) => scope !== 'app_mentions:read'));
      await slack.sim.say('lead', '#ops', '@hostler help');
      return slack.sim.outcomes().map(({ name }) => name);
    },
    [],
    ['app_mention'],
  ],
};

const seed = { events: ['app_mention', 'channel_id_changed', 'message.im'] };

test.each(ruleNames)('Slack keeps the rule %s, is lenient without it, and it has a text and source', async (name) => {
  const [show, strict, lenient] = cases[name];
  expect(await show(await openSlack({ seed }))).toEqual(strict);
  expect(await show(await openSlack({ seed, lenient: [name] }))).toEqual(lenient);
  const { source, text } = ruleNamed(name);
  expect(text).toMatch(/^[A-Z].+\.$/);
  expect(source).not.toBe('');
});

test('a test can make Slack refuse a block on one surface or everywhere', async ({ slack }) => {
  const refusedAt = async () => [
    await inMessage(slack, section('a')),
    await inModal(slack, section('a')),
    await inHome(slack, section('a')),
  ];
  const undo = slack.sim.refuseBlocks({ type: 'section', surface: 'modal' });
  expect(await refusedAt()).toEqual(['ok', 'unsupported type: section at /blocks/0/type', 'ok']);
  undo();
  slack.sim.refuseBlocks({ type: 'section' });
  expect(await refusedAt()).toEqual(Array(3).fill('unsupported type: section at /blocks/0/type'));
  const posted = await refusal(clientFor(slack).chat.postMessage({ channel: ops, text: 'x', blocks: [section('a')] }));
  const errors = ['unsupported type: section [json-pointer:/blocks/0/type]'];
  expect(posted).toMatchObject({ error: 'invalid_blocks', messages: [`[ERROR] ${errors}`], data: { errors } });
  slack.sim.clearFaults();
  expect(await refusedAt()).toEqual(['ok', 'ok', 'ok']);
});

test('blocks.validate needs no token, takes one payload, and names the allowed values', async ({ slack }) => {
  const response = await fetch(`${slack.apiUrl}blocks.validate`, {
    method: 'POST',
    body: new URLSearchParams({ blocks: JSON.stringify([{ type: 'marquee' }]) }),
  });
  const constraint = { type: 'enum', got: 'marquee', expected: expect.arrayContaining(['section']) };
  const errors = [{ pointer: '/0/type', code: 'failed_constraint', constraint }];
  expect(await response.json()).toMatchObject({ ok: false, error: 'invalid_blocks', errors });
  expect(await call(slack, 'blocks.validate', {})).toMatchObject({ ok: false, error: 'invalid_arguments' });
  expect(await call(slack, 'blocks.validate', { blocks: [], message: {} })).toMatchObject({
    error: 'invalid_arguments',
  });
});

test('newer blocks are accepted on their surfaces, and their buttons can be pressed', async ({ slack }) => {
  const blocks = [
    {
      type: 'container',
      title: plain('More'),
      is_collapsible: true,
      default_collapsed: true,
      child_blocks: [section('details'), actions(button({ action_id: 'go' }))],
    },
    { type: 'data_table', caption: 'Servers', rows: [[raw('Name')], [raw('web-1')]] },
    {
      type: 'plan',
      title: 'Restart',
      tasks: [{ type: 'task_card', task_id: '1', title: 'web-1', status: 'complete', details: richText }],
    },
  ];
  expect(await post(slack, { blocks })).toBe('ok');
  expect(slack.sim.transcript('#ops')).toBe(
    '@hostler: More\n  details\n  [ok]\n  Name\n  web-1\n  Restart\n  ● web-1\n    a',
  );
  const { payloadId } = await slack.sim.click('lead', { channel: '#ops', label: 'ok' });
  expect(slack.sim.payload(payloadId ?? '')?.body).toMatchObject({ actions: [{ action_id: 'go' }] });
  expect(await inModal(slack, blocks[0])).toBe('unsupported type: container at /blocks/0/type');
  expect(await inMessage(slack, { ...blocks[0], is_collapsible: false })).toContain('`default_collapsed` requires');
});

test('an alert of another app has its text in attachments only', async ({ slack }) => {
  const attachments = [{ color: 'danger', title: '[FIRING:1] web-1 down', fallback: 'web-1 down', fields: [] }];
  const { ts } = slack.sim.postByApp('#ops', { name: 'Alertmanager', attachments });
  expect(slack.sim.transcript('#ops')).toBe('@Alertmanager: [FIRING:1] web-1 down');
  const { payloadId } = await slack.sim.messageShortcut('lead', 'act', { channel: '#ops', ts });
  const { message } = slack.sim.payload(payloadId ?? '')?.body ?? {};
  expect(message).toMatchObject({ subtype: 'bot_message', username: 'Alertmanager', text: '', attachments });
  expect(message).not.toHaveProperty('user');
});

test('the bot cannot post to a conversation of two people', async ({ slack }) => {
  const { id } = slack.sim.addChannel({ name: 'lead', kind: 'im', members: ['U0LEAD0001', 'U0ADMIN001'] });
  const { payloadId } = await slack.sim.say('lead', id, '/host list');
  expect(slack.sim.payload(payloadId ?? '')?.body).toMatchObject({ channel_id: id, channel_name: 'directmessage' });
  expect(await call(slack, 'chat.postMessage', { channel: id, text: 'x' })).toMatchObject({
    error: 'channel_not_found',
  });
  expect(slack.sim.openDm('lead').id).not.toBe(id);
});

test('events of a message with a file, and of a reply also sent to the channel, have subtypes', async ({ slack }) => {
  const first = await slack.sim.say('lead', 'dm', 'apply this', { file: { name: 'a.zone', content: '@ A 192.0.2.1' } });
  const options = { thread_ts: first.ts ?? '', isAlsoInChannel: true };
  const second = await slack.sim.say('lead', 'dm', 'list', options);
  const eventOf = (payloadId: string | null) => slack.sim.payload(payloadId ?? '')?.body.event;
  const shared = { subtype: 'file_share', text: 'apply this', files: [{ name: 'a.zone' }] };
  expect(eventOf(first.payloadId)).toMatchObject(shared);
  expect(eventOf(second.payloadId)).toMatchObject({ subtype: 'thread_broadcast', text: 'list' });
});

test('each method has its own rate limit, and says when to retry', async () => {
  const slack = await openSlack({ strictRates: true, clock: () => 0 });
  const untilLimited = async (method: string, args: object) => {
    for (let calls = 0; ; calls += 1) if ((await call(slack, method, args)).error === 'ratelimited') return calls;
  };
  expect(await untilLimited('usergroups.list', {})).toBe(20);
  expect(await untilLimited('conversations.info', { channel: ops })).toBe(50);
  expect(await untilLimited('users.info', { user: 'U0LEAD0001' })).toBe(100);
});
