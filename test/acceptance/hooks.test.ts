import { createHmac, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { ticketPolicy } from '../support/bot/policy.ts';
import { textOf, troubles } from '../support/process/bot-process.ts';
import { opsGroup, patientSlack, startSystem, type TestSystem } from '../support/process/test-system.ts';

// Posts of monitoring and of the provider to the running bot. Groups of Alertmanager and of Grafana are in
// test/engine/hooks/receive-webhook.test.ts.

let system: TestSystem;
let port: number;

beforeAll(async () => {
  port = await freePort();
  system = await startSystem({
    slack: patientSlack,
    env: { PORT: String(port), HOSTLER_PUBLIC_URL: `http://127.0.0.1:${port}` },
  });
});
afterAll(async () => {
  const logs = system.bots.flatMap(({ log }) => log);
  await system.close();
  expect(troubles(logs)).toEqual([]);
});

/** An admin makes a hook in the channel, as people do; resolves with the path that only the admin sees. */
async function makeHook(channel: string, kind: string): Promise<string> {
  const { sim } = system.slack;
  await decided(channel, `alerts hook add ${kind} ours`, 'admin', 'is created');
  await system.settle();
  await sim.click('admin', { channel: 'dm', label: 'Reveal once' });
  const shown = await sim.waitFor((s) => s.viewText('admin').match(new RegExp(`http://\\S+/hooks/${kind}/\\S+`))?.[0]);
  await sim.closeView('admin');
  return new URL(shown).pathname;
}

/** A person asks in the channel, and confirms it or lets another one approve it. */
async function decided(channel: string, line: string, who = 'operator', end = 'done in'): Promise<void> {
  const { sim } = system.slack;
  await sim.say(who === 'lead' ? 'operator' : who, channel, `/host ${line}`);
  await sim.waitFor(who === 'lead' ? '[Approve ' : '[Cancel]', { channel });
  await sim.click(who, { channel, isMain: true });
  await sim.waitFor(end, { channel });
}

async function post(
  path: string,
  body: object | string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body: isRaw ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: answer.status, text: (await answer.text()).trim() };
}

const alertsIn = (channel: string) => {
  const { sim } = system.slack;
  return sim
    .messages(channel)
    .filter((message) => message.threadTs === null || message.threadTs === undefined)
    .map((message) => sim.plainText(message))
    .filter((text) => /^(🔴|🟡|⚪|✅)/.test(text) && !/^Asked /m.test(text));
};

test('a forged, oversized, malformed, compressed or revoked post is refused, and its body is not in the log', async () => {
  const ops = await system.channel('refused');
  const path = await makeHook(ops, 'alertmanager');
  const canary = `CANARY-${randomBytes(8).toString('hex')}`;
  const body = JSON.stringify({ alerts: [{ labels: { alertname: canary } }] });
  for (const one of [`${path}x`, path.replace('alertmanager', 'json')])
    expect((await post(one, body)).status, one).toBe(401);
  expect(await post(path, JSON.stringify({ canary, pad: 'x'.repeat(256 * 1024) }))).toEqual({
    status: 413,
    text: '{"error":"The body is larger than 262144 bytes. Let the sender group less into one message."}',
  });
  for (const one of ['{', `"${canary}"`, body]) expect((await post(path, one)).status, one).toBe(400);
  expect((await post(path, gzipSync(body), { 'content-encoding': 'gzip' })).status).toBe(415);
  expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(405);
  const id = /([a-z2-9]{8})\./.exec(path)?.[1];
  await decided(ops, `alerts hook revoke ${id}`, 'admin', 'The hook is revoked');
  expect((await post(path, body)).status).toBe(401);
  expect(alertsIn(ops)).toEqual([]);
  const log = system.bots.map((bot) => textOf(bot.log)).join('\n');
  for (const secret of [canary, path.split('.').at(-1) ?? '']) expect(log.includes(secret), secret).toBe(false);
});

test('alerts with long names are messages that Slack accepts, and their names are plain words', async () => {
  const ops = await system.channel('storm');
  const path = await makeHook(ops, 'json');
  const { sim } = system.slack;
  const long = '<!channel> *&* '.repeat(30);
  const alerts = Array.from({ length: 50 }, (_, n) => ({ id: `disk-${n}`, title: `Disk ${n} ${long}` }));
  expect((await post(path, { alerts })).text).toBe('{"raised":50,"resolved":0,"known":0}');
  await sim.waitFor(/and [\d,]+ more; \/host alerts list shows all that are open/, { channel: ops });
  await system.settle();
  await sim.say('operator', ops, '/host alerts list page=3');
  await sim.waitFor('50 alerts open · page 3 of 3', { channel: ops });
  expect(sim.requests().filter(({ ok }) => !ok)).toEqual([]);
  expect(sim.transcript(ops)).toContain('Disk 0 <!channel> *&* <!channel>');
  expect(JSON.stringify(sim.messages(ops))).not.toMatch(/<!channel>[^{}]*"mrkdwn"|"mrkdwn"[^{}]*<!channel>/);
});

test('the provider reports an ordered server with a signature, and its login is shown only to the person who ordered it', async () => {
  const ops = await system.channel('created');
  const { sim } = system.slack;
  await decided(ops, 'alerts on new-server');
  await decided(ops, 'create name=web-9 plan="Cloud NVMe 2" template="Debian 13" location=de', 'lead', 'web-9 is new');
  await system.settle();
  const [delivery] = system.provider.sim.state().deliveries;
  expect(delivery).toMatchObject({ status: 200 });
  const path = new URL(delivery?.url ?? '').pathname;
  expect(path).toMatch(/^\/hooks\/created\/[a-z2-9]{10}$/);
  // A caller who knows the address, but not the secret.
  const signature = createHmac('sha256', 'guess').update('{}').digest('hex');
  expect((await post(path, '{}', { 'fornex-signature': signature })).status).toBe(401);
  await sim.click('operator', { channel: 'dm', label: 'Reveal once' });
  const login = await sim.waitFor((s) => /```\n(\S+)\nroot\n(\S+)\n```/.exec(s.viewText('operator')));
  await sim.closeView('operator');
  const password = login[2] ?? 'none';
  expect(JSON.stringify(sim.state().messages)).not.toContain(password);
  expect(system.bots.map((bot) => textOf(bot.log)).join('\n')).not.toContain(password);
  const news = sim.messages(ops).filter((message) => sim.plainText(message).startsWith('web-9 is new'));
  expect(news).toHaveLength(1);
});

test('the provider posts a comment of a ticket, and the channel that opened the ticket reads it as plain text', async () => {
  const { sim } = system.slack;
  const policy = ticketPolicy(opsGroup);
  const subscribed = await system.channel('ticket-answers', policy);
  const opener = await system.channel('ticket-opener', policy);
  await decided(subscribed, 'ticket webhook set');
  await sim.say(
    'operator',
    opener,
    '/host ticket open "web-1 hangs" "Since 06:10. The token is CANARY-77." order=web-1',
  );
  await sim.waitFor('Since 06:10. The token is [removed]', { channel: opener });
  await sim.click('operator', { channel: opener, isMain: true });
  await sim.waitFor('done in', { channel: opener });
  const { tickets, ticketWebhook } = system.provider.sim.state();
  const ticket = tickets.find(({ subject }) => subject === 'web-1 hangs');
  expect(ticket).toMatchObject({ order: '34-12345', message: expect.stringContaining('The token is [removed]') });
  const path = new URL(ticketWebhook.url).pathname;
  expect(path).toMatch(/^\/hooks\/ticket\/[a-z2-9]{8}\.[\w-]{43}$/);
  const words = '<!channel> We have moved it to <https://evil.example|another node>.';
  await system.provider.sim.ticket({ id: ticket?.id ?? '', text: words });
  await sim.waitFor('⚪ New comment in the ticket “web-1 hangs”', { channel: opener });
  await system.settle();
  expect(system.provider.sim.state().deliveries.at(-1)).toMatchObject({ status: 200 });
  expect(alertsIn(opener).join('\n')).toContain(words);
  expect(JSON.stringify(sim.messages(opener))).not.toMatch(/<!channel>[^{}]*"mrkdwn"|"mrkdwn"[^{}]*<!channel>/);
  expect(alertsIn(subscribed)).toEqual([]);
  // A ticket that nobody opened here goes to the channel that subscribed to comments.
  await post(path, { text: 'A comment in another ticket.' });
  await sim.waitFor('A comment in another ticket.', { channel: subscribed });
  const log = system.bots.map((bot) => textOf(bot.log)).join('\n');
  for (const secret of [path.split('.').at(-1) ?? '', 'CANARY-77', 'another node'])
    expect(log.includes(secret), secret).toBe(false);
  expect(JSON.stringify(sim.state().messages)).not.toContain(path.split('.').at(-1));
});
