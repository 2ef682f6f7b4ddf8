import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { asDict, asText } from '../../../../sandbox/slack/dict.ts';
import { clientFor, closeAll, hearCommands, openSlack, openSocketApp, plain } from '../bolt.ts';

afterEach(closeAll);

test('isReordering delivers payloads in another order', async () => {
  const slack = await openSlack();
  const texts = await hearCommands(slack);
  slack.sim.deliveryFaults({ isReordering: true });
  await Promise.all(['first', 'second'].map((text) => slack.sim.say('lead', '#ops', `/host ${text}`)));
  expect(texts).toEqual(['second', 'first']);
});

test('acksToLose shows an error to the person, though the app did its work', async () => {
  const slack = await openSlack({ ackTimeoutMs: 60 });
  const texts = await hearCommands(slack, { reconnectMs: 300 });
  slack.sim.deliveryFaults({ acksToLose: 1 });
  expect((await slack.sim.say('lead', '#ops', '/host list')).error).toBe('operation_timeout');
  slack.sim.dropSockets();
  await expect.poll(() => texts).toEqual(['list', 'list']);
});

test('ten connections are accepted, and the eleventh gets a disconnect message', async () => {
  const slack = await openSlack();
  const client = clientFor(slack, slack.appToken);
  const messages: Promise<unknown>[] = [];
  for (let n = 0; n < 11; n += 1) {
    const { url = '' } = await client.apps.connections.open();
    const socket = new WebSocket(url);
    messages.push(new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(data.toString())))));
    await messages.at(-1);
  }
  const first = asDict(await messages[0]);
  expect(first).toMatchObject({ type: 'hello', num_connections: 1, connection_info: { app_id: slack.appId } });
  expect(asDict(await messages[10])).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' });
  expect(slack.sim.connections()).toBe(10);
});

test('the URL of a socket can be used for one connection', async () => {
  const slack = await openSlack();
  const { url = '' } = await clientFor(slack, slack.appToken).apps.connections.open();
  const status = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(url);
      socket.once('open', () => resolve('open'));
      socket.once('error', (error) => resolve(error.message));
    });
  expect(await status()).toBe('open');
  expect(await status()).toBe('Unexpected server response: 401');
});

test('a message shortcut sends the message and its place', async () => {
  const slack = await openSlack();
  const seen: unknown[] = [];
  await openSocketApp(slack, (app) =>
    app.shortcut({ type: 'message_action', callback_id: 'explain' }, async ({ ack, shortcut }) => {
      seen.push(shortcut);
      await ack();
    }),
  );
  const { ts } = await slack.sim.say('reader', '#ops', 'web-1 is slow');
  await slack.sim.messageShortcut('lead', 'explain', { channel: '#ops', ts: ts ?? '' });
  expect(seen[0]).toMatchObject({
    type: 'message_action',
    message_ts: ts,
    channel: { id: 'C0OPS00001', name: 'ops' },
    message: { text: 'web-1 is slow', user: 'U0READER01' },
    user: { id: 'U0LEAD0001', team_id: slack.teamId },
  });
});

test('an uploaded file is sent through a file input', async () => {
  const slack = await openSlack();
  const names: string[] = [];
  await openSocketApp(slack, (app) => {
    app.shortcut('start', async ({ ack, shortcut, client }) => {
      await ack();
      const element = { type: 'file_input' as const, action_id: 'zone' };
      await client.views.open({
        trigger_id: shortcut.trigger_id,
        view: {
          type: 'modal',
          title: plain('Zone'),
          submit: plain('Plan'),
          blocks: [{ type: 'input', block_id: 'zone', label: plain('Zone'), element }],
        },
      });
    });
    app.view(/.*/, async ({ ack, view }) => {
      for (const file of view.state.values.zone?.zone?.files ?? []) {
        const response = await fetch(file.url_private, { headers: { authorization: `Bearer ${slack.botToken}` } });
        names.push(`${file.name}: ${await response.text()}`);
      }
      await ack();
    });
  });
  const id = slack.sim.upload('lead', '#ops', 'example.zone', '@ IN A 192.0.2.1');
  await slack.sim.shortcut('lead', 'start');
  await slack.sim.waitFor((sim) => sim.view('lead'));
  await slack.sim.fill('lead', { zone: [id] });
  expect((await slack.sim.submit('lead')).error).toBeNull();
  expect(names).toEqual(['example.zone: @ IN A 192.0.2.1']);
});

test('typed commands reach the app with Slack’s markup', async () => {
  const slack = await openSlack({ ackTimeoutMs: 10 });
  const typed: [string, string][] = [
    ['see https://example.com/a?b=1&c=2', 'see <https://example.com/a?b=1&amp;c=2>'],
    ['mail ops@example.com.', 'mail <mailto:ops@example.com|ops@example.com>.'],
    ['ns1.example.com. 192.0.2.1', '<http://ns1.example.com|ns1.example.com>. 192.0.2.1'],
    ['@ops @nobody #general #nowhere', '@ops @nobody <#C0GENERAL1|general> #nowhere'],
    ['@here <!channel> a<b', '<!here> <!channel> a<b'],
  ];
  for (const [text, arrives] of typed) {
    const outcome = await slack.sim.say('lead', '#general', `/host ${text}`);
    expect(asText(slack.sim.payload(outcome.payloadId ?? '')?.body.text)).toBe(arrives);
  }
});
