import { expect, test } from 'vitest';
import { ops, opsGroup, people } from '../support/fake-slack.ts';
import { usualPolicy } from '../support/policy.ts';
import { startTestBot } from '../support/test-bot.ts';
import { buttonsIn } from '../support/view-text.ts';

// Slack's own menus: "Act on this" of a message, and the shortcut that belongs to no channel.

const elsewhere = 'C0WEB';

/** Two channels that allow the same, so that a guess could be wrong. */
async function openChannels() {
  const bot = await startTestBot({ replicas: 1 });
  const known = bot.channels.get(ops);
  if (known !== undefined) bot.channels.set(elsewhere, { ...known, id: elsewhere, name: 'web' });
  await bot.savePolicy(elsewhere, usualPolicy(opsGroup));
  return bot;
}

test.each([
  ['in that thread', 'somebody has replied', {}, '0.1'],
  ['in the channel', 'nobody has replied', { isThreadEmpty: true } as const, null],
])(
  'a click under "Act on this" is answered %s when %s, and its card is in the thread, whichever process gets it',
  async (_where, _when, emptiness, answeredIn) => {
    const bot = await openChannels();
    const place = { channel: elsewhere, kind: 'channel', thread: '0.1', ...emptiness } as const;
    const shown = await bot.shortcut('operator', { kind: 'about', text: 'slow: web-1' }, { place });
    if (shown === undefined || 'form' in shown) throw new Error('no modal with buttons');
    const { view, session = '' } = shown;
    await bot.restart();
    for (const button of view.parts.flatMap(buttonsIn))
      await bot.click('operator', button, { place: { channel: '', kind: 'modal', form: session } });
    await bot.settle();
    expect(bot.posted.map(({ view: { summary }, channel, threadTs }) => [summary, channel, threadTs])).toEqual([
      [expect.stringContaining('web-1'), elsewhere, answeredIn],
      ['Restart web-1: confirm to run', elsewhere, '0.1'],
    ]);
  },
);

test('a click by another person does not reveal where the modal was opened', async () => {
  const bot = await openChannels();
  const place = { channel: elsewhere, kind: 'channel', thread: '0.1' } as const;
  const shown = await bot.shortcut('operator', { kind: 'about', text: 'slow: web-1' }, { place });
  if (shown === undefined || 'form' in shown) throw new Error('no modal with buttons');
  const [status] = shown.view.parts.flatMap(buttonsIn);
  if (status === undefined) throw new Error('no button');
  await bot.click('reader', status, { place: { channel: '', kind: 'modal', form: shown.session ?? '' } });
  expect(bot.posted.map(({ channel }) => channel)).toEqual(['']);
});

test('the global shortcut asks for a channel, and a form asks for the missing arguments of its line', async () => {
  const bot = await openChannels();
  const shown = await bot.shortcut('operator', { kind: 'ask' });
  if (shown === undefined || 'view' in shown) throw new Error('no form');
  const [channel] = shown.form.fields;
  expect(channel).toMatchObject({ options: [{ label: '#ops' }, { value: elsewhere, label: '#web' }] });
  expect(channel).toMatchObject({ hint: 'The answer, or the card of the request, appears in this channel.' });
  expect(channel).not.toHaveProperty('initial');
  const wrong = await bot.submit('operator', shown.form, { channel: elsewhere, line: 'restrat web-1' });
  expect(wrong).toMatchObject({ kind: 'errors', errors: { line: expect.stringContaining('restart') } });
  const next = await bot.submit('operator', shown.form, { channel: elsewhere, line: '/host restart' });
  if (next.kind !== 'next') throw new Error(`no next form: ${next.kind}`);
  expect(await bot.submit('operator', next.form, { servers: 'web-1' })).toEqual({ kind: 'accepted' });
  await bot.settle();
  expect(bot.posted.map(({ view, channel }) => [view.summary, channel])).toEqual([
    ['Restart web-1: confirm to run', elsewhere],
  ]);
});

test('the global shortcut has the channel filled in for a person with one channel', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  const shown = await bot.shortcut('operator', { kind: 'ask' });
  if (shown === undefined || 'view' in shown) throw new Error('no form');
  expect(shown.form.fields[0]).toMatchObject({ options: [{ label: '#ops' }], initial: ops });
});

test('a line of the global shortcut is handled after a crash, and a button replaces the form that it would open', async () => {
  const bot = await openChannels();
  const shown = await bot.shortcut('operator', { kind: 'ask' });
  if (shown === undefined || 'view' in shown) throw new Error('no form');
  const { id } = shown.form;
  const accepted = bot.replicas[0]?.engine.accept({
    id: 'stored and no more',
    actor: people.operator ?? '',
    place: { channel: '', kind: 'modal', form: id },
    at: bot.now(),
    ask: { kind: 'submit', form: id, values: { channel: elsewhere, line: 'restart' } },
  });
  await accepted?.stored;
  await bot.restart();
  bot.skip(61_000);
  await bot.replicas[0]?.sweep();
  await bot.until(() => bot.story(elsewhere).includes('[Fill in]'), 'the button');
  expect(bot.story(elsewhere)).toMatchInlineSnapshot(`
    "(only @operator) restart also needs servers: /host restart <servers…> [parallel=…]
    [Fill in]"
  `);
  const form = await bot.open('operator', { button: 'Fill in' });
  expect(form).toMatchObject({ title: 'Restart servers' });
});
