import { expect } from 'vitest';
import { openSlack } from '../../../src/slack/open-slack.ts';
import { connected, createFakeEngine, createFakeLog, createFakeOutbox, signed, test } from '../support.ts';

const command = new URLSearchParams({
  command: '/host',
  text: 'restart web-1',
  user_id: 'U0OPERAT01',
  channel_id: 'C0OPS00001',
  team_id: 'T0HOSTLER1',
  trigger_id: 'trigger-1',
}).toString();

test('HTTP mode accepts what Slack signed in the last five minutes, and counts everything else', async () => {
  let failures = 0;
  const hooks = { onSignatureFailure: () => failures++ };
  const { slack, engine, connection } = await connected({ mode: 'http', hooks });
  const url = `http://127.0.0.1:${connection.port}/slack/events`;
  const nowS = Math.floor(Date.now() / 1_000);
  const wrong = [
    signed(command, 'another secret'),
    signed(command, slack.signingSecret, { at: nowS - 301 }),
    signed(command, slack.signingSecret, { at: nowS + 310 }),
    { ...signed(command, slack.signingSecret), body: command.replace('web-1', 'web-2') },
    { method: 'POST', body: command, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ];
  for (const request of wrong) expect((await fetch(url, request)).status).toBe(401);
  expect(failures).toBe(wrong.length);
  expect(engine.received).toHaveLength(0);
  const right = signed(command, slack.signingSecret);
  expect((await fetch(url, right)).status).toBe(200);
  expect((await fetch(url, right)).status).toBe(200);
  await engine.handledCount(1);
  expect(engine.received.map((request) => request.id)).toEqual(['slash:trigger-1', 'slash:trigger-1']);
  expect(engine.handled).toHaveLength(1);
  expect(failures).toBe(wrong.length);
});

test('the challenge of the request URL is answered', async () => {
  const { slack } = await connected({ mode: 'http' });
  expect(await slack.sim.verifyRequestUrl()).toBe(true);
});

test.each(['socket', 'http'] as const)('the bot’s own routes are served beside those of Slack (%s)', async (mode) => {
  const { connection, log } = await connected({
    mode,
    routes: [
      { method: 'GET', path: '/healthz', handler: (_, response) => void response.end('well') },
      { method: 'POST', path: '/hooks/*', handler: (request, response) => void response.end(request.url) },
      { method: 'GET', path: '/broken', handler: () => Promise.reject(new Error('broken')) },
    ],
  });
  const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${connection.port}${path}`, init);
  expect(await (await at('/healthz?x=1')).text()).toBe('well');
  expect(await (await at('/hooks/alertmanager', { method: 'POST' })).text()).toBe('/hooks/alertmanager');
  expect((await at('/hooks/alertmanager')).status).toBe(405);
  expect((await at('/elsewhere')).status).toBe(404);
  expect((await at('/slack/events', { method: 'POST' })).status).toBe(mode === 'http' ? 401 : 404);
  expect((await at('/broken')).status).toBe(500);
  expect(log.lines.some((line) => line.level === 'error')).toBe(true);
});

test('HTTP mode needs a signing secret', async ({ slack }) => {
  const side = await openSlack({ botToken: slack.botToken, apiUrl: slack.apiUrl, port: 0 }, createFakeLog());
  await expect(side.connect(createFakeEngine(), createFakeOutbox())).rejects.toThrow('SLACK_SIGNING_SECRET');
});

test('a signed payload that is no object, or is too large, is refused and does not end the process', async () => {
  const { slack, connection, engine } = await connected({ mode: 'http' });
  const url = `http://127.0.0.1:${connection.port}/slack/events`;
  for (const payload of ['null', '7', '"words"']) {
    const { status } = await fetch(url, signed(new URLSearchParams({ payload }).toString(), slack.signingSecret));
    expect(status, payload).toBe(400);
  }
  // Bolt throws at this payload, and it is acknowledged like any unreadable one.
  const event = signed('{"type":"event_callback","event":"words"}', slack.signingSecret, { type: 'json' });
  expect((await fetch(url, event)).status).toBe(200);
  const large = signed(`text=${'x'.repeat(1_100_000)}`, slack.signingSecret);
  expect((await fetch(url, large)).status).toBe(413);
  expect((await fetch(url, signed(command, slack.signingSecret))).status).toBe(200);
  await engine.handledCount(1);
});
