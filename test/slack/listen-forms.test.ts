import { describe, expect, it } from 'vitest';
import type { SimulatedSlack } from '../../sandbox/slack/server.ts';
import type { Form } from '../../src/core/view/form.ts';
import type { FormAnswer, SubmitAnswer } from '../../src/engine/context/ports.ts';
import type { Request } from '../../src/engine/context/request.ts';
import { connected, emptyForm, eventually, type FakeAnswers, says, whispered } from './support.ts';

const recordForm: Form = {
  title: 'Add a record',
  submit: 'Show the change',
  id: 'form-7',
  notes: ['Checked before anything is sent.'],
  fields: [
    { widget: 'text', name: 'host', label: 'Host', optional: false },
    { widget: 'search', name: 'domain', label: 'Domain', optional: false, source: 'domains', many: false },
    { widget: 'toggle', name: 'proxied', label: 'Replace', optional: false, initial: false },
    {
      widget: 'checks',
      name: 'kinds',
      label: 'Kinds',
      optional: false,
      initial: ['a'],
      options: [
        { value: 'a', label: 'A' },
        { value: 'b', label: 'B' },
      ],
    },
    { widget: 'groups', name: 'who', label: 'Who', optional: false, initial: ['S0OPS00001'] },
  ],
};

/** Answers of an engine that opens this in a dialog. */
const opening = (shown: FormAnswer, more: FakeAnswers = {}) => ({
  engine: (): FakeAnswers => ({ acknowledge: () => 'with-form', form: async () => shown, ...more }),
});
const sure: FormAnswer = { form: { ...emptyForm, notes: ['sure?'] } };
const menu: FormAnswer = { view: says('the menu') };
const seen = (sim: SimulatedSlack['sim'], words: string, person = 'operator') =>
  sim.waitFor(() => sim.viewText(person).includes(words) || undefined);

describe.each(['socket', 'http'] as const)('forms over %s', (mode) => {
  it('a form opens at once, answers searches, and sends back what was entered', async () => {
    const { slack, engine } = await connected({
      mode,
      ...opening(
        { form: recordForm },
        {
          suggest: async ({ source, text, form }) => [
            { value: `${source}/${form}`, label: `found ${text.replace('found ', '')}` },
            { value: 'x'.repeat(80), label: 'too long' },
          ],
        },
      ),
    });
    await slack.sim.say('operator', '#ops', '/host dns add');
    await seen(slack.sim, 'Host');
    const found = await slack.sim.suggest('operator', { label: 'Domain', value: 'exam' });
    expect(found.options).toMatchObject([{ value: 'domains/form-7', text: { text: 'found exam' } }]);
    const groups = await slack.sim.suggest('operator', { label: 'Who', value: 'dev' });
    expect(groups.options).toMatchObject([{ value: 'S0DEV00001', text: { text: '@dev' } }]);
    await slack.sim.fill('operator', {
      Host: '<!channel> & co',
      Domain: 'found exam',
      Kinds: ['A', 'B'],
      Who: ['@ops', '@dev'],
    });
    const outcome = await slack.sim.submit('operator');
    expect(outcome.ack).toMatchObject({ response_action: 'clear' });
    expect(engine.submitted[0]?.ask).toEqual({
      kind: 'submit',
      form: 'form-7',
      values: {
        host: '<!channel> & co',
        domain: 'domains/form-7',
        proxied: 'no',
        kinds: ['a', 'b'],
        who: ['S0OPS00001', 'S0DEV00001'],
      },
    });
    expect(slack.sim.view('operator')).toBeUndefined();
  });

  it('a form shows errors at their fields, accepts the corrected values, and then shows the next form', async () => {
    const answers: SubmitAnswer[] = [
      { kind: 'errors', errors: { domain: 'There is no such domain.', '': 'The provider did not answer.' } },
      { kind: 'next', form: { ...emptyForm, title: 'Step 2', id: 'form-8' } },
    ];
    const { slack, engine } = await connected({
      mode,
      ...opening(
        { form: recordForm },
        {
          suggest: async () => [{ value: 'example.com', label: 'example.com' }],
          submit: async () => answers.shift() ?? { kind: 'accepted' },
        },
      ),
    });
    await slack.sim.say('operator', '#ops', '/host dns add');
    await seen(slack.sim, 'Host');
    await slack.sim.fill('operator', { Host: 'www', Domain: 'example.com' });
    const first = await slack.sim.submit('operator');
    expect(first.ack).toMatchObject({
      response_action: 'errors',
      errors: { 'f1:domain': 'There is no such domain.', 'f0:host': 'The provider did not answer.' },
    });
    const second = await slack.sim.submit('operator');
    // Slack never confirms a view in an acknowledgement: it gets a plain one, and a call shows the form.
    expect(second.ack).toMatchObject({ response_action: 'update', view: { blocks: [{ type: 'section' }] } });
    await seen(slack.sim, 'Step 2');
    expect(slack.sim.view('operator')?.privateMetadata).toBe('form-8');
    expect(engine.submitted).toHaveLength(2);
  });

  it('a command that is delivered twice opens one dialog', async () => {
    const called: string[] = [];
    const hooks = { onCall: (method: string) => called.push(method) };
    const { slack, engine } = await connected({ mode, hooks, ...opening(sure) });
    slack.sim.deliveryFaults({ isDuplicating: true });
    await slack.sim.say('operator', '#ops', '/host create');
    await seen(slack.sim, 'sure?');
    await eventually(() => engine.received.length === 2);
    expect(called.filter((method) => method === 'views.open')).toHaveLength(1);
  });

  it('a submission that is delivered twice counts once, and both deliveries get the same answer', async () => {
    const next = { kind: 'next', form: { ...emptyForm, id: 'form-9', title: 'Step 2' } } as const;
    const { slack, engine } = await connected({ mode, ...opening(sure, { submit: async () => next }) });
    await slack.sim.say('operator', '#ops', '/host create');
    await seen(slack.sim, 'sure?');
    slack.sim.deliveryFaults({ isDuplicating: true });
    const outcome = await slack.sim.submit('operator');
    expect(outcome.ack).toMatchObject({ response_action: 'update' });
    const isNext = () => slack.sim.view('operator')?.privateMetadata === 'form-9';
    await eventually(isNext);
    expect(engine.submitted).toHaveLength(1);
    expect(await slack.sim.replay(outcome.payloadId ?? '')).toMatchObject({ ok: true, body: outcome.ack ?? {} });
    // The second acknowledgement may have put the plain view over the form.
    await eventually(isNext);
    expect(engine.submitted).toHaveLength(1);
  });
});

it.each(['command', 'button', 'menu', 'shortcut'] as const)(
  'a %s opens its dialog while neither the provider nor the store has answered, and shows the form when they have',
  async (how) => {
    const { promise: slow, resolve: answer } = Promise.withResolvers<boolean>();
    const { slack, outbox, engine } = await connected(
      opening({ form: recordForm }, { store: () => slow, form: () => slow.then(() => ({ form: recordForm })) }),
    );
    const { sim } = slack;
    const button = { label: 'Add…', intent: { do: 'form', line: 'dns add' }, opens: true } as const;
    const other = { label: 'Hard reset', intent: { do: 'run', line: 'hard-reset 34-12345' } } as const;
    outbox.put('card', 'C0OPS00001', {
      summary: 'A card',
      parts: [
        { kind: 'buttons', buttons: [button] },
        { kind: 'menu', label: 'More', options: [other, button] },
      ],
    });
    await sim.waitFor('Add…', { channel: '#ops' });
    if (how === 'command') await sim.say('operator', '#ops', '/host dns add');
    else if (how === 'button') await sim.click('operator', { channel: '#ops', label: 'Add…' });
    else if (how === 'menu') await sim.select('operator', { channel: '#ops', label: 'More', value: 'Add…' });
    else await sim.shortcut('operator', 'hostler_ask');
    await sim.waitFor(() => sim.view('operator') !== undefined || undefined);
    // The trigger lives for three seconds, and the engine has not answered yet.
    expect(sim.viewText('operator')).not.toContain('Host');
    answer(true);
    await seen(sim, 'Host');
    expect(engine.handled).toHaveLength(0);
  },
);

/** A form whose submission the engine answers when the test says so. */
async function submittedLate() {
  const { promise, resolve: finish } = Promise.withResolvers<SubmitAnswer>();
  const bench = await connected(opening(sure, { submit: () => promise }));
  const { sim } = bench.slack;
  await sim.say('operator', '#ops', '/host create');
  await seen(sim, 'sure?');
  const { ackedMs } = await sim.submit('operator');
  expect(ackedMs).toBeLessThan(3_000);
  expect(sim.viewText('operator')).toContain('taking longer');
  return { ...bench, sim, finish };
}

const again = {
  summary: 'There is no such plan.',
  parts: [
    { kind: 'notice', tone: 'error', text: 'There is no such plan.' },
    { kind: 'buttons', buttons: [{ label: 'Open the form again', intent: { do: 'form', line: 'create name=web-9' } }] },
  ],
} as const;
const lateErrors: SubmitAnswer = {
  kind: 'errors',
  errors: { plan: 'There is no such plan.' },
  withoutForm: { view: again, place: { channel: 'C0OPS00001', kind: 'channel' } },
};

it('when the engine takes long, a modal says so, then shows the errors with a button back to the form', async () => {
  const { sim, finish, engine } = await submittedLate();
  finish(lateErrors);
  await seen(sim, 'There is no such plan.');
  await sim.click('operator', { label: 'Open the form again' });
  await eventually(() => engine.received.length === 3);
  expect(engine.received[2]).toMatchObject({
    place: { channel: '', kind: 'modal', form: 'form-1' },
    ask: { kind: 'intent', intent: { do: 'form', line: 'create name=web-9' } },
  });
});

it('when that modal was closed, the errors are shown in the channel of the form', async () => {
  const { sim, finish } = await submittedLate();
  await sim.closeView('operator');
  finish(lateErrors);
  await sim.waitFor(() => sim.ephemerals('operator').some((one) => sim.plainText(one).includes('Open the form again')));
  expect(sim.transcript('dm', 'operator')).not.toContain('no such plan');
});

it('closing a modal deletes its form, also while the modal is loading', async () => {
  const { slack, engine } = await connected({
    engine: () => ({
      acknowledge: () => 'with-form',
      form: async () => {
        if (engine.received.length > 1) await slack.sim.closeView('operator');
        return { form: recordForm };
      },
    }),
  });
  await slack.sim.say('operator', '#ops', '/host dns add');
  await seen(slack.sim, 'Host');
  await slack.sim.closeView('operator');
  await eventually(() => engine.dropped.length === 1);
  await slack.sim.say('operator', '#ops', '/host dns add');
  await eventually(() => engine.dropped.length === 2);
  expect(engine.dropped).toEqual([
    { form: 'form-7', user: 'U0OPERAT01' },
    { form: 'form-7', user: 'U0OPERAT01' },
  ]);
});

it('a button opens its modal at once; after a refused trigger the message has a button to try again', async () => {
  const { slack, outbox, engine } = await connected({
    engine: () => ({ form: async () => ({ view: says('the password is x') }) }),
  });
  const reveal = { label: 'Reveal once', intent: { do: 'reveal', secret: 's-1' }, opens: true } as const;
  outbox.put('card', 'C0OPS00001', says('The new password is ready', [reveal]));
  await slack.sim.waitFor('Reveal once', { channel: '#ops' });
  await slack.sim.click('operator', { channel: '#ops', label: 'Reveal once' });
  await seen(slack.sim, 'the password is x');
  expect(engine.handled).toHaveLength(0);
  slack.sim.fault({ method: 'views.open', errorCode: 'expired_trigger_id', count: 1 });
  await slack.sim.click('lead', { channel: '#ops', label: 'Reveal once' });
  await whispered(slack, 'lead', 'Open the form');
});

it('a click in a modal sends the session of the modal, also after the modal was closed', async () => {
  const button = { label: 'web-1', intent: { do: 'run', line: 'restart web-1' } } as const;
  const acknowledge = ({ ask }: Request) => (ask.kind === 'line' ? 'with-form' : 'when-stored');
  const { slack, engine } = await connected(
    opening({ view: says('Which one?', [button]), session: 'session-7' }, { acknowledge }),
  );
  await slack.sim.say('operator', '#ops', '/host restart web');
  await seen(slack.sim, 'web-1');
  await slack.sim.click('operator', { label: 'web-1' });
  await engine.handledCount(1);
  expect(engine.handled[0]?.place).toEqual({
    channel: '',
    kind: 'modal',
    form: 'session-7',
    dialog: expect.any(String),
  });
  // A click may still be under way when the modal is closed.
  expect(slack.sim.view('operator')).toMatchObject({ isNotifyOnClose: false });
});

it('shortcuts open a modal; that of a message sends its text, and says whether somebody has replied to it', async () => {
  const { slack, engine } = await connected(opening(menu));
  const said = await slack.sim.say('lead', '#ops', 'is <http://example.com|example.com> down?');
  await slack.sim.shortcut('lead', 'hostler_ask');
  await seen(slack.sim, 'the menu', 'lead');
  await slack.sim.closeView('lead');
  const thread = said.ts ?? '';
  const act = (ts: string) => slack.sim.messageShortcut('lead', 'hostler_about', { channel: '#ops', ts });
  await act(thread);
  await seen(slack.sim, 'the menu', 'lead');
  const reply = await slack.sim.say('lead', '#ops', 'it is', { thread_ts: thread });
  await act(thread);
  await act(reply.ts ?? '');
  await eventually(() => engine.received.length === 4);
  const withReply = { channel: 'C0OPS00001', kind: 'channel', thread };
  const about = { kind: 'about', text: 'is example.com down?' };
  expect(engine.received.map((request) => [request.place, request.ask])).toEqual([
    [{ channel: '', kind: 'modal' }, { kind: 'ask' }],
    [{ ...withReply, isThreadEmpty: true }, about],
    [withReply, about],
    [withReply, { kind: 'about', text: 'it is' }],
  ]);
});

it('a shortcut whose trigger Slack refuses is answered with a message that says to use it again', async () => {
  const { slack, engine } = await connected({ engine: () => ({ acknowledge: () => 'with-form' }) });
  const { ts } = await slack.sim.say('lead', '#ops', 'is web-1 down?');
  slack.sim.fault({ method: 'views.open', errorCode: 'expired_trigger_id', count: 2 });
  await slack.sim.messageShortcut('lead', 'hostler_about', { channel: '#ops', ts: ts ?? '' });
  await slack.sim.shortcut('lead', 'hostler_ask');
  const said = 'Slack did not open the form in time. Nothing was started. Use the shortcut again.';
  await slack.sim.waitFor((sim) => sim.ephemerals('lead').some((one) => sim.plainText(one) === said) || undefined);
  await slack.sim.waitFor((sim) => sim.transcript('dm', 'lead').includes(said) || undefined);
  expect(engine.handled).toEqual([]);
});
