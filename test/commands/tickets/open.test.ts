import { expect } from 'vitest';
import type { Form, FormValues } from '../../../src/core/view/form.ts';
import type { View } from '../../../src/core/view/view.ts';
import { mostOpenOfHook } from '../../../src/engine/hooks/reported-alerts.ts';
import { confirmed, openHooks, openWatch, tidy } from '../../alerts/support.ts';
import { decide } from '../../engine/asked.ts';
import { pressAndSettle, setChannel } from '../../engine/told.ts';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import { ticketPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { textOf } from '../../support/bot/view-text.ts';
import { answer } from '../answer.ts';

// Support tickets through the whole engine: from a card or an alert to the provider, and its comments back.

/** The fields as a person would leave them. */
function filled(form: Form | View): FormValues {
  if (!('fields' in form)) throw new Error(`not a form: ${textOf(form.summary)}`);
  return Object.fromEntries(
    form.fields.flatMap((field): [string, string | string[]][] => {
      if (!('initial' in field) || field.initial === undefined) return [];
      if (typeof field.initial === 'boolean' || typeof field.initial === 'number') return [];
      if (typeof field.initial === 'string') return [[field.name, field.initial]];
      return [[field.name, field.initial.map((one) => (typeof one === 'string' ? one : one.value))]];
    }),
  );
}

const sentTo = (bot: TestBot) =>
  bot.sim.state().tickets.filter(({ subject }) => subject !== 'ci-1: hard reset ended in error');

async function failedRestart(bot: TestBot) {
  const detail = 'The node is locked. password: hunter22';
  bot.sim.fault(answer('POST /vps/{order_id}/restart/', 409, { detail }));
  await confirmed(bot, 'restart web-1');
}

test('the ticket form from the card of a failed request holds its facts; the card shows the message, and that message is sent', async () => {
  const bot = await startTestBot({ policy: ticketPolicy(opsGroup) });
  await failedRestart(bot);
  const form = await bot.open('operator', { button: 'Open a ticket…' });
  const values = filled(form);
  expect(values).toMatchObject({ subject: 'Restart web-1: failed', order: ['34-12345'], priority: '1' });
  expect(values.about).toMatch(/^request:[a-z0-9]+$/);
  expect(String(values.message)).toMatch(
    /^Help is needed with this\.\nOrder: 34-12345 \(web-1\)\nRequest: Restart web-1\nAsked: 20\S+ \S+ UTC\nEnded: 20\S+ \S+ UTC, failed\nResult: .*The node is locked\. password: \[removed\]/,
  );
  // A person rewrites the first line and deletes a fact.
  const message = String(values.message)
    .replace('Help is needed with this.', 'Please look at the node.')
    .replace(/\nResult: .*/s, '');
  expect(await bot.submit('operator', form, { ...values, message })).toMatchObject({ kind: 'accepted' });
  await bot.until(() => bot.transcript().includes('Open a support ticket: Restart web-1: failed'));
  // The card shows the message in full, before anything is sent.
  expect(bot.transcript()).toContain('Please look at the node.');
  expect(sentTo(bot)).toEqual([]);
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(sentTo(bot)).toMatchObject([{ subject: 'Restart web-1: failed', order: '34-12345', message, priority: 1 }]);
  const shown = bot.posted.flatMap(({ view }) => view.parts).filter((part) => part.kind === 'code');
  expect(shown.map(({ text }) => text)).toContain(message);
  expect(
    JSON.stringify(await bot.database.run(`select * from operations where command = 'ticket open'`)),
  ).not.toContain('hunter22');
});

test('a request with an unknown result offers a ticket; a request that ended well, or that opened a ticket, does not', async () => {
  const bot = await startTestBot({ policy: ticketPolicy(opsGroup), process: { timeScale: 0.0001 } });
  const hasButton = () => JSON.stringify(bot.posted.map(({ view }) => view)).includes('Open a ticket…');
  await confirmed(bot, 'rename web-2 web-two');
  expect(bot.transcript()).toContain('web-2 renamed');
  bot.sim.fault({ kind: 'lose', match: 'POST /tickets/ticket/' });
  await confirmed(bot, 'ticket open "A subject" "A message."');
  expect(bot.transcript()).toContain('A subject  [result unknown]');
  expect(hasButton()).toBe(false);
  bot.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/hard_reset/' });
  await decide(bot, 'hard-reset web-1', 'lead', 'Approve');
  expect(bot.transcript()).toMatch(/Hard reset .* {2}\[(result unknown|not verified)/);
  expect(filled(await bot.open('operator', { button: 'Open a ticket…' }))).toMatchObject({ order: ['34-12345'] });
});

test('a person who may not open tickets gets no form and no facts', async ({ bot }) => {
  await failedRestart(bot);
  const view = await bot.open('operator', { button: 'Open a ticket…' });
  expect(JSON.stringify(view)).toContain('You may not use `/host ticket open` here');
  expect(JSON.stringify(view)).not.toContain('The node is locked');
});

test('the ticket form from an alert holds its facts; the alert about the API itself offers no ticket', async () => {
  const bot = await openWatch({ 's3-space': { at: [80] } }, { policy: ticketPolicy(opsGroup) });
  await bot.sweep();
  const values = filled(await bot.open('operator', { button: 'Ticket…' }));
  expect(values).toMatchObject({ subject: 'Media bucket is 92 % full', order: ['664-2041'] });
  expect(String(values.message)).toContain('Order: 664-2041 (Media bucket)\nNoticed: Media bucket is 92 % full\n');
  const about = String(values.about);
  await bot.say('operator', `alerts show ${about.slice('alert:'.length)}`);
  expect(textOf(bot.posted.at(-1)?.view.summary ?? '')).toBe('Media bucket is 92 % full');
  expect(JSON.stringify(bot.posted.at(-1)?.view)).toContain(`ticket open about=${about}`);
  const away = await openWatch({ 'api-key': {} }, { policy: ticketPolicy(opsGroup) });
  away.sim.fault({ kind: 'answer', status: 401, body: {} });
  await away.sweep();
  expect(away.story()).toContain('The provider refuses the API key');
  expect(away.story()).not.toContain('[Ticket…]');
});

async function withWebhook() {
  const bot = await openWatch({}, { policy: ticketPolicy(opsGroup) });
  const other = 'C0OTHER';
  setChannel(bot, { name: 'other' }, other);
  await bot.savePolicy(other, ticketPolicy(opsGroup));
  const hooks = await openHooks(bot);
  await confirmed(bot, 'ticket webhook set');
  const { pathname } = new URL(bot.sim.state().ticketWebhook.url);
  return { bot, other, pathname, ...hooks };
}

const alertsOf = (bot: TestBot, channel: string) =>
  bot.posted.filter((message) => message.key.startsWith('alert:') && message.channel === channel);

test('the webhook’s address is random and in no message, row or log, and a post to a part of it is refused', async () => {
  const { bot, pathname, post } = await withWebhook();
  expect(pathname).toMatch(/^\/hooks\/ticket\/[a-z2-9]{8}\.[\w-]{43}$/);
  const token = pathname.split('.').at(-1) ?? '';
  const rows = await bot.database.run('select * from hooks');
  expect(JSON.stringify([rows, bot.posted, bot.log])).not.toContain(token);
  const good = JSON.stringify({ text: 'Hello' });
  for (const wrong of [pathname.slice(0, -1), `${pathname}x`, pathname.replace('/ticket/', '/json/'), '/hooks/ticket/'])
    expect((await post(wrong, good)).status, wrong).toBe(401);
  expect(alertsOf(bot, ops)).toEqual([]);
  // After the webhook is switched off, its address is gone.
  await confirmed(bot, 'ticket webhook off');
  expect((await post(pathname, good)).status).toBe(401);
});

test('a comment is posted to the channel that opened the ticket, any other comment to the channel that subscribed', async () => {
  const { bot, other, pathname, post } = await withWebhook();
  await bot.say('operator', 'ticket open "web-1 hangs" "Since 06:10." order=web-1', {
    place: { channel: other, kind: 'channel' },
  });
  await pressAndSettle(bot, 'operator', 'Confirm');
  const [ticket] = sentTo(bot);
  const text = `New comment in ticket ${ticket?.id}: We have moved it.`;
  expect(await post(pathname, JSON.stringify({ text }))).toMatchObject({ status: 200, body: { raised: 1 } });
  // The provider may repeat a post.
  expect(await post(pathname, JSON.stringify({ text }))).toMatchObject({ status: 200, body: { known: 1 } });
  await bot.until(() => alertsOf(bot, other).length === 1);
  expect(tidy(JSON.stringify(alertsOf(bot, other)[0]?.view))).toMatch(
    /New comment in the ticket “web-1 hangs”.*We have moved it\..*\/my\/tickets\//,
  );
  expect(alertsOf(bot, ops)).toEqual([]);
  await post(pathname, JSON.stringify({ text: 'A comment in a ticket that somebody opened in the customer area.' }));
  await bot.until(() => alertsOf(bot, ops).length === 1);
  expect(JSON.stringify(alertsOf(bot, ops))).toContain('A support ticket has a new comment');
  expect(alertsOf(bot, other)).toHaveLength(1);
});

test('the form, length, markup and secrets of a posted comment are checked', async () => {
  const { bot, pathname, post } = await withWebhook();
  for (const body of ['', '[]', '{}', '{"text":""}', '{"text":{"a":1}}', `{"text":"${'x'.repeat(50_001)}"}`])
    expect((await post(pathname, body)).status, body.slice(0, 20)).toBe(400);
  const evil = `<!channel> <https://evil.example|click> *bold* The new root password is hunter22. ${'long '.repeat(5_000)}`;
  expect(
    await post(pathname, JSON.stringify({ text: evil, blocks: [{ type: 'actions' }], channel: 'C0OTHER' })),
  ).toMatchObject({
    status: 200,
  });
  await bot.until(() => alertsOf(bot, ops).length === 1);
  const parts = alertsOf(bot, ops)[0]?.view.parts ?? [];
  const words = parts.find((part) => part.kind === 'text' && textOf(part.text).includes('evil.example'));
  // A plain string is escaped on its way out; only an object would be a link or a mention.
  expect(words).toMatchObject({ text: expect.stringContaining('<!channel> <https://evil.example|click> *bold*') });
  expect(words?.kind === 'text' ? words.text.length : 0).toBeLessThan(1_600);
  expect(JSON.stringify([bot.posted, bot.log, await bot.database.run('select * from alerts')])).not.toContain(
    'hunter22',
  );
  expect(parts.flatMap((part) => (part.kind === 'buttons' ? part.buttons : [])).map(({ label }) => label)).toEqual([
    "I'm on it",
  ]);
});

test('a person who has the webhook’s address cannot fill the database', async () => {
  const { bot, pathname, post } = await withWebhook();
  const [hook] = await bot.store.hooks.list(ops, ['ticket']);
  const finding = { target: { kind: 'channel', id: ops, name: '', tags: [], project: null }, title: '', lines: [] };
  await bot.store.alerts.insertAll(
    Array.from({ length: mostOpenOfHook }, (_, n) => ({
      id: `a${n}`,
      channel: ops,
      rule: `hook:${hook?.id}`,
      cause: `c${n}`,
      groupKey: null,
      startsAt: null,
      endsAt: null,
      severity: 'info',
      level: 0,
      peak: 0,
      finding: JSON.parse(JSON.stringify({ ...finding, cause: `c${n}`, severity: 'info', level: 0, offers: [] })),
      state: 'open',
    })) as Parameters<typeof bot.store.alerts.insertAll>[0],
  );
  expect((await post(pathname, JSON.stringify({ text: 'One more.' }))).status).toBe(429);
});
