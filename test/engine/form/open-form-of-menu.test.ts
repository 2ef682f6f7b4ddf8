import { expect } from 'vitest';
import type { Form } from '../../../src/core/view/form.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { buttonsIn, viewText } from '../../support/bot/view-text.ts';
import { clickAndSettle, nextPage, setChannel } from '../told.ts';

// Slack's own menus: "Act on this" of a message, and the shortcut that belongs to no channel.

const elsewhere = 'C0WEB';

/** Two channels that allow the same, so that a guess could be wrong. */
async function openChannels() {
  const bot = await startTestBot();
  setChannel(bot, { name: 'web' }, elsewhere);
  await bot.savePolicy(elsewhere, usualPolicy(opsGroup));
  return bot;
}

/** "Act on this" on the message `slow: web-1`: the buttons in its dialog. */
async function actOn(bot: TestBot) {
  const place = { channel: elsewhere, kind: 'channel', thread: '0.1', isThreadEmpty: true } as const;
  const shown = await bot.shortcut('operator', { kind: 'about', text: 'slow: web-1' }, { place });
  if (shown === undefined || 'form' in shown) throw new Error('no modal with buttons');
  const [status, restart] = shown.view.parts.flatMap(buttonsIn);
  if (status === undefined || restart === undefined) throw new Error('no buttons');
  return { status, restart, session: shown.session ?? '' };
}

/** The form of the global shortcut. */
async function askForm(bot: TestBot, user = 'operator'): Promise<Form> {
  const shown = await bot.shortcut(user, { kind: 'ask' });
  if (shown === undefined || 'view' in shown) throw new Error('no form');
  return shown.form;
}

test('"Act on this" answers in its own dialog: the request with its card, a read, and every refusal', async () => {
  const bot = await openChannels();
  const { status, restart, session } = await actOn(bot);
  // Any process may get the click.
  await bot.restart();
  const inDialog = { place: { channel: '', kind: 'modal', form: session, dialog: 'V1' } } as const;
  const words = () => bot.posted.filter(({ dialog }) => dialog === 'V1').map(({ view: answer }) => viewText(answer));
  const toPeople = () => bot.posted.filter(({ dialog }) => dialog === undefined);
  await bot.click('operator', restart, inDialog);
  await bot.until(() => words().length === 1, 'the answer in the dialog');
  expect(words()).toEqual(['Requested in #C0WEB: Restart web-1.\n[Show it]']);
  expect(toPeople().map(({ view: { summary }, channel, threadTs }) => [summary, channel, threadTs])).toEqual([
    ['Restart web-1: confirm to run', elsewhere, '0.1'],
  ]);

  // The same request again is refused there, with a button that continues in the same place.
  await bot.click('operator', restart, inDialog);
  await bot.until(() => words().length === 2, 'the refusal in the dialog');
  expect(words()[1]).toContain('already requested');
  await bot.click('reader', restart, inDialog);
  await bot.until(() => words().length === 3, 'the refusal of another person in the dialog');
  expect(toPeople()).toHaveLength(1);
  expect(status).toMatchObject({ opens: true });
  const read = await bot.open('operator', { intent: status.intent }, inDialog.place);
  expect(read).toMatchObject({ summary: expect.stringContaining('web-1') });
  expect(toPeople()).toHaveLength(1);
});

test('a click by another person does not reveal where the modal was opened', async () => {
  const bot = await openChannels();
  const { status, session } = await actOn(bot);
  await bot.click('reader', status, { place: { channel: '', kind: 'modal', form: session } });
  expect(bot.posted.map(({ channel }) => channel)).toEqual(['']);
});

test('the global shortcut asks for a channel, and a form asks for the missing arguments of its line', async () => {
  const bot = await openChannels();
  const shown = await askForm(bot);
  const [channel] = shown.fields;
  expect(channel).toMatchObject({ options: [{ label: '#ops' }, { value: elsewhere, label: '#web' }] });
  expect(channel).toMatchObject({ hint: 'The answer, or the card of the request, appears in this channel.' });
  expect(channel).not.toHaveProperty('initial');
  const wrong = await bot.submit('operator', shown, { channel: elsewhere, line: 'restrat web-1' });
  expect(wrong).toMatchObject({ kind: 'errors', errors: { line: expect.stringContaining('restart') } });
  const next = await nextPage(bot, 'operator', shown, { channel: elsewhere, line: '/host restart' });
  const asked = await bot.submit('operator', next, { servers: 'web-1' });
  if (asked.kind !== 'said') throw new Error(`no answer in the dialog: ${asked.kind}`);
  expect(viewText(asked.view)).toBe('Requested in #C0WEB: Restart web-1.\n[Show it]');
  await bot.settle();
  expect(bot.posted.map(({ view, channel }) => [view.summary, channel])).toEqual([
    ['Restart web-1: confirm to run', elsewhere],
  ]);
});

test('the form of a line of the global shortcut has the names and the reason of the line, and opens where one is missing', async () => {
  const bot = await openChannels();
  const line = 'reinstall web-1 because it was broken into';
  const form = await nextPage(bot, 'operator', await askForm(bot), { channel: elsewhere, line });
  expect(form.notes).toContain('For web-1 (34-12345)');
  expect(form.fields.find(({ name }) => name === '@reason')).toMatchObject({ initial: 'it was broken into' });
});

test('the dialog shows each refusal of the global shortcut and its forms, with buttons that continue in that channel', async () => {
  const bot = await openChannels();
  const submitLine = async (who: string, line: string) =>
    bot.submit(who, await askForm(bot, who), { channel: elsewhere, line });
  expect(await submitLine('operator', 'restart web-1')).toMatchObject({ kind: 'said' });
  const again = await submitLine('operator', 'restart web-1');
  if (again.kind !== 'said') throw new Error(`no answer in the dialog: ${again.kind}`);
  expect(viewText(again.view)).toContain('already requested');
  const anyway = again.view.parts.flatMap(buttonsIn).find(({ label }) => label === 'Ask anyway');
  if (anyway === undefined) throw new Error('no button');
  const form = again.session;
  await clickAndSettle(bot, 'operator', anyway, { place: { channel: '', kind: 'modal', form, dialog: 'V1' } });
  expect(
    bot.posted.filter(({ dialog }) => dialog === undefined).map(({ view, channel }) => [view.summary, channel]),
  ).toEqual([
    ['Restart web-1: confirm to run', elsewhere],
    ['Restart web-1: confirm to run', elsewhere],
  ]);

  const refused = await submitLine('reader', 'restart web-1');
  if (refused.kind !== 'said') throw new Error(`no answer in the dialog: ${refused.kind}`);
  expect(viewText(refused.view)).toContain('You may not use');
  // A read is answered in the channel that was chosen.
  expect(await submitLine('operator', 'status web-1')).toEqual({ kind: 'accepted' });
  expect(bot.posted.at(-1)).toMatchObject({ channel: elsewhere });
});

test('the global shortcut has the channel filled in for a person with one channel', async ({ bot }) => {
  const shown = await askForm(bot);
  expect(shown.fields[0]).toMatchObject({ options: [{ label: '#ops' }], initial: ops });
});

test('a line of the global shortcut is handled after a crash, and a button replaces the form that it would open', async () => {
  const bot = await openChannels();
  const shown = await askForm(bot);
  const { id } = shown;
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
  expect(bot.story(elsewhere)).toMatch(/^\(only @operator\) restart also needs servers: /);
  const form = await bot.open('operator', { button: 'Fill in' });
  expect(form).toMatchObject({ title: 'Restart servers' });
});
