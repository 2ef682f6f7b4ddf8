import type { App } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { expect } from 'vitest';
import { clientFor, openSlack, openSocketApp, plain, refusal, section, test } from './bolt.ts';

// Slack advises one action id per message or view; the simulation requires it.
const input = (block_id: string, label: string, element: object, more: object = {}) => ({
  type: 'input',
  block_id,
  label: plain(label),
  element: { action_id: `${block_id}_v`, ...element },
  ...more,
});
const option = (text: string) => ({ text: plain(text), value: text.toLowerCase() });

const blocks = [
  input('name', 'Name', { type: 'plain_text_input', min_length: 2 }),
  input('kind', 'Type', { type: 'static_select', options: [option('A'), option('TXT')] }),
  input('server', 'Server', { type: 'external_select', min_query_length: 1 }, { optional: true }),
  input('who', 'Who', { type: 'users_select' }, { optional: true }),
];
const form = {
  type: 'modal',
  callback_id: 'dns',
  private_metadata: 'zone-1',
  notify_on_close: true,
  title: plain('Add a record'),
  submit: plain('Plan'),
  blocks,
  // The builder of the blocks leaves their types open.
} as unknown as ModalView;

const modal = (title: string): ModalView => ({
  type: 'modal',
  title: plain(title),
  submit: plain('Go'),
  blocks: [section(title)],
});

/** Opens the view when somebody uses a shortcut. */
const opens = (app: App, viewOf: (id: string) => ModalView) =>
  app.shortcut(/.*/, async ({ ack, shortcut, client }) => {
    await ack();
    await client.views.open({ trigger_id: shortcut.trigger_id, view: viewOf(shortcut.callback_id) });
  });

test('a click opens a form, which can be filled in, refused, corrected and submitted', async ({ slack }) => {
  const submitted: unknown[] = [];
  await openSocketApp(slack, (app) => {
    app.command('/host', async ({ ack, client, command }) => {
      await ack();
      await client.chat.postMessage({
        channel: command.channel_id,
        text: 'DNS',
        blocks: [
          section('Records of *example.com*'),
          { type: 'actions', elements: [{ type: 'button', action_id: 'add', text: plain('Add'), value: 'z1' }] },
        ],
      });
    });
    app.action('add', async ({ ack, body, client }) => {
      await ack();
      if (body.type === 'block_actions') await client.views.open({ trigger_id: body.trigger_id, view: form });
    });
    app.options('server_v', async ({ ack, options }) => {
      const names = ['web-1', 'web-2'].filter((name) => name.includes(options.value));
      await ack({ options: names.map((name) => ({ text: plain(name), value: name })) });
    });
    app.view('dns', async ({ ack, view }) => {
      submitted.push(view.state.values);
      if (view.state.values.name?.name_v?.value === 'bad')
        await ack({ response_action: 'errors', errors: { name: 'No such name.' } });
      else await ack();
    });
  });
  await slack.sim.say('lead', '#ops', '/host dns');
  await slack.sim.waitFor('[Add]', { channel: '#ops' });
  const clicked = await slack.sim.click('operator', { channel: '#ops', label: 'Add' });
  expect(clicked).toMatchObject({ name: 'block_actions:add', error: null });
  await slack.sim.waitFor((sim) => sim.view('operator'));

  const early = await slack.sim.submit('operator');
  expect(early).toMatchObject({ payloadId: null, error: 'incomplete' });
  expect(slack.sim.view('operator')?.errors).toEqual({
    name: 'Please complete this required field.',
    kind: 'Please complete this required field.',
  });

  await slack.sim.fill('operator', { name: 'bad', Type: 'TXT', server: 'web-2', who: '@reader' });
  const refused = await slack.sim.submit('operator');
  expect(refused.ack).toEqual({ response_action: 'errors', errors: { name: 'No such name.' } });
  expect(slack.sim.viewText('operator')).toMatchInlineSnapshot(`
    "== Add a record ==
    Name: [bad]
      ! No such name.
    Type: [TXT ▾]
    Server (optional): [web-2 ▾]
    Who (optional): [@reader ▾]
    [Close] [Plan]"
  `);

  await slack.sim.fill('operator', { name: 'good' });
  const done = await slack.sim.submit('operator');
  expect(done.error).toBeNull();
  expect(slack.sim.view('operator')).toBeUndefined();
  expect(submitted[1]).toEqual({
    name: { name_v: { type: 'plain_text_input', value: 'good' } },
    kind: {
      kind_v: { type: 'static_select', selected_option: { text: { ...plain('TXT'), emoji: true }, value: 'txt' } },
    },
    server: { server_v: { type: 'external_select', selected_option: { text: plain('web-2'), value: 'web-2' } } },
    who: { who_v: { type: 'users_select', selected_user: 'U0READER01' } },
  });
  const sent = slack.sim.payload(clicked.payloadId ?? '')?.body;
  expect(sent).toMatchObject({
    type: 'block_actions',
    container: { type: 'message', channel_id: 'C0OPS00001', is_ephemeral: false },
    channel: { id: 'C0OPS00001', name: 'ops' },
    message: { text: 'DNS', bot_id: 'B0HOSTLER1' },
    state: { values: {} },
    enterprise: null,
    actions: [{ type: 'button', action_id: 'add', value: 'z1' }],
  });
});

test('an external select shows the options of the app, in a message too, and an error when the app is silent', async () => {
  const slack = await openSlack({ ackTimeoutMs: 60 });
  let isSilent = false;
  await openSocketApp(slack, (app) => {
    app.options('server', async ({ ack, options }) => {
      if (isSilent) return;
      await ack({ options: [{ text: plain(`${options.value}-1`), value: '1' }] });
    });
  });
  await clientFor(slack).chat.postMessage({
    channel: 'C0OPS00001',
    text: 'pick',
    blocks: [{ type: 'actions', elements: [{ type: 'external_select', action_id: 'server' }] }],
  });
  const target = { channel: '#ops', action_id: 'server' };
  expect((await slack.sim.suggest('lead', { ...target, value: 'we' })).outcome.payloadId).toBeNull();
  expect((await slack.sim.suggest('lead', { ...target, value: 'web' })).options).toEqual([
    { text: plain('web-1'), value: '1' },
  ]);
  isSilent = true;
  const silent = await slack.sim.suggest('lead', { ...target, value: 'web' });
  expect(silent).toMatchObject({ options: [], outcome: { error: 'operation_timeout', shown: 'No results' } });
});

test('a view is pushed, updated, popped or closed by the response to a submission', async ({ slack }) => {
  const answers = [
    ...['two', 'three', 'four'].map((title) => ({ response_action: 'push' as const, view: modal(title) })),
    { response_action: 'update' as const, view: modal('three again') },
  ];
  await openSocketApp(slack, (app) => {
    opens(app, () => modal('one'));
    app.view(/.*/, async ({ ack }) => {
      const answer = answers.shift();
      await (answer === undefined ? ack() : ack(answer));
    });
  });
  const titles = (): string[] => slack.sim.views('lead').map((view) => String(view.title?.text));
  await slack.sim.shortcut('lead', 'start');
  await slack.sim.waitFor(() => titles().length === 1);
  await slack.sim.submit('lead');
  await slack.sim.submit('lead');
  expect(titles()).toEqual(['one', 'two', 'three']);
  expect(await slack.sim.submit('lead')).toMatchObject({
    error: 'push_limit_reached',
    shown: 'We had some trouble connecting. Try again?',
  });
  await slack.sim.submit('lead');
  expect(titles()).toEqual(['one', 'two', 'three again']);
  await slack.sim.submit('lead');
  expect(titles()).toEqual(['one', 'two']);
  await slack.sim.closeView('lead', { isAll: true });
  expect(titles()).toEqual([]);
});

test('the app is notified of a closed view only with notify_on_close', async ({ slack }) => {
  const closed: unknown[] = [];
  await openSocketApp(slack, (app) => {
    opens(app, (id) => (id === 'told' ? form : modal('quiet')));
    app.view({ callback_id: 'dns', type: 'view_closed' }, async ({ ack, body }) => {
      closed.push('is_cleared' in body && body.is_cleared);
      await ack();
    });
  });
  for (const callbackId of ['told', 'quiet']) {
    await slack.sim.shortcut('lead', callbackId);
    await slack.sim.waitFor((sim) => sim.view('lead'));
    await slack.sim.closeView('lead');
  }
  expect(closed).toEqual([false]);
});

test('a trigger opens one view, within three seconds', async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  const slack = await openSlack({ clock: () => nowMs });
  const client = clientFor(slack);
  const trigger = async () => {
    const { payloadId } = await slack.sim.shortcut('lead', 'start');
    return String(slack.sim.payload(payloadId ?? '')?.body.trigger_id);
  };
  const open = (trigger_id: string, view = modal('one')) => client.views.open({ trigger_id, view });
  const refused = async (sent: Promise<unknown>) => (await refusal(sent)).error;

  const inTime = await trigger();
  nowMs += 3_000;
  // A view that is refused as an argument does not use up the trigger.
  const { messages } = await refusal(open(inTime, { ...modal('x'), title: plain('x'.repeat(25)) }));
  expect(messages).toEqual(['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]']);
  expect((await open(inTime)).ok).toBe(true);
  expect(await refused(open(inTime))).toBe('exchanged_trigger_id');
  const late = await trigger();
  nowMs += 3_001;
  expect(await refused(open(late))).toBe('expired_trigger_id');
  expect(await refused(open('123.456.abc'))).toBe('invalid_trigger_id');
  const pushed = client.views.push({ trigger_id: await trigger(), view: modal('p') });
  expect(await refused(pushed)).toBe('invalid_trigger_id');
});

test('an update keeps what was typed, refuses an old hash, and finds no closed view', async ({ slack }) => {
  await openSocketApp(slack, (app) => opens(app, () => form));
  const client = clientFor(slack);
  await slack.sim.shortcut('lead', 'start');
  const { id, hash } = await slack.sim.waitFor((sim) => sim.view('lead'));
  await slack.sim.fill('lead', { name: 'web' });
  const changed = { ...form, blocks: [section('note'), ...form.blocks] };
  const updated = await client.views.update({ view_id: id, hash, view: changed });
  expect(updated.view?.hash).not.toBe(hash);
  expect(slack.sim.viewText('lead')).toContain('note\nName: [web]');
  expect((await refusal(client.views.update({ view_id: id, hash, view: changed }))).error).toBe('hash_conflict');
  await slack.sim.closeView('lead');
  expect((await refusal(client.views.update({ view_id: id, view: changed }))).error).toBe('not_found');
});
