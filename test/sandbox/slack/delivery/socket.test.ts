import type { App } from '@slack/bolt';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { asDict } from '../../../../sandbox/slack/dict.ts';
import { clientFor, hearCommands, openSlack, openSocketApp, refusal, test } from '../bolt.ts';

test('a command reaches Bolt as Slack sends it, and its answers reach the person', async ({ slack }) => {
  const seen: Record<string, unknown>[] = [];
  await openSocketApp(slack, (app) => {
    app.command('/host', async ({ command, ack, respond, client }) => {
      seen.push(command);
      await ack({ text: 'looking…' });
      await respond({ text: 'found *web-1*' });
      await client.chat.postMessage({ channel: command.channel_id, text: `for <@${command.user_id}>` });
    });
  });
  const outcome = await slack.sim.say('lead', '#ops', '/host status web-1.example.com for @operator in #dev & <b>');
  expect(outcome).toMatchObject({ name: '/host', error: null, attempts: [{ reason: 'first', error: null }] });
  expect(outcome.ackedMs).toBeLessThan(3000);
  await slack.sim.waitFor('for @lead', { channel: '#ops' });
  expect(slack.sim.transcript('#ops')).toMatchInlineSnapshot(`
    "(only visible to @lead) @hostler: looking…
    (only visible to @lead) @hostler: found web-1
    @hostler: for @lead"
  `);
  const sent = {
    ...{
      team_id: slack.teamId,
      channel_id: 'C0OPS00001',
      channel_name: 'ops',
      user_id: 'U0LEAD0001',
      user_name: 'lead',
    },
    ...{ command: '/host', api_app_id: slack.appId, is_enterprise_install: 'false' },
    text: 'status <http://web-1.example.com|web-1.example.com> for <@U0OPERAT01|operator> in <#C0DEV00001|dev> & <b>',
  };
  expect(seen[0]).toMatchObject(sent);
  const others = ['response_url', 'team_domain', 'token', 'trigger_id'];
  expect(Object.keys(seen[0] ?? {}).sort()).toEqual([...Object.keys(sent), ...others].sort());
});

test('a command without an answer shows an error after three seconds, or at once without a socket', async () => {
  const slack = await openSlack({ ackTimeoutMs: 60 });
  const alone = await slack.sim.say('lead', '#ops', '/host list');
  expect(alone).toMatchObject({ error: 'dispatch_failed', shown: '/host failed with the error "dispatch_failed"' });
  await openSocketApp(slack, (app) => app.command('/host', async () => {}));
  const unanswered = await slack.sim.say('lead', '#ops', '/host list');
  expect(unanswered.error).toBe('operation_timeout');
  expect(slack.sim.transcript('#ops', 'lead')).toContain('@slackbot: /host failed with the error "operation_timeout"');
});

test('commands are refused in threads, and private channels keep their names', async ({ slack }) => {
  await hearCommands(slack);
  const said = await slack.sim.say('lead', '#ops', 'hello');
  const refused = await slack.sim.say('lead', '#ops', '/host list', { thread_ts: said.ts ?? '' });
  expect(refused).toMatchObject({ payloadId: null, shown: '/host is not supported in threads. Sorry!' });
  const nameIn = async (where: string) => {
    const { payloadId } = await slack.sim.say('lead', where, '/host list');
    return slack.sim.payload(payloadId ?? '')?.body.channel_name;
  };
  expect([await nameIn('#ops-private'), await nameIn('dm')]).toEqual(['privategroup', 'directmessage']);
});

test('a payload that was not acknowledged is delivered again on the next connection, unchanged', async ({ slack }) => {
  const triggers: string[] = [];
  const dropFirst = (app: App) =>
    app.command('/host', async ({ command, ack }) => {
      triggers.push(command.trigger_id);
      if (triggers.length === 1) slack.sim.dropSockets();
      else await ack();
    });
  await openSocketApp(slack, dropFirst, { reconnectMs: 300 });
  const outcome = await slack.sim.say('lead', '#ops', '/host list');
  expect(outcome.error).toBeNull();
  expect(outcome.attempts.map((attempt) => [attempt.reason, attempt.error])).toEqual([
    ['first', 'connection_closed'],
    ['redelivered', null],
  ]);
  expect(triggers[0]).toBe(triggers[1]);
});

test('Slack asks for a new connection, and the other connection works meanwhile', async ({ slack }) => {
  const answered: string[] = [];
  for (const name of ['one', 'two']) {
    const answer = (app: App) =>
      app.command('/host', async ({ ack }) => {
        answered.push(name);
        await ack();
      });
    await openSocketApp(slack, answer, { reconnectMs: 300 });
  }
  expect(slack.sim.connections()).toBe(2);
  await slack.sim.say('lead', '#ops', '/host list');
  await slack.sim.say('lead', '#ops', '/host list');
  expect(answered.sort()).toEqual(['one', 'two']);
  const opened = slack.sim.requests('apps.connections.open').length;
  slack.sim.refreshSockets();
  await expect.poll(() => slack.sim.requests('apps.connections.open').length).toBe(opened + 2);
  await expect.poll(() => slack.sim.connections()).toBe(2);
  expect((await slack.sim.say('lead', '#ops', '/host list')).error).toBeNull();
});

test('Bolt acknowledges events, and an event whose acknowledgement was lost is delivered again as a retry', async () => {
  const slack = await openSlack({ ackTimeoutMs: 300, eventRetryMs: [10, 10] });
  const events: unknown[] = [];
  await openSocketApp(slack, (app) =>
    app.event('app_mention', async ({ event, body, context }) => {
      events.push({ id: body.event_id, text: event.text, retry: context.retryNum });
    }),
  );
  slack.sim.deliveryFaults({ acksToLose: 1 });
  const outcome = await slack.sim.say('lead', '#ops', '@hostler status web-1');
  await slack.sim.waitFor(() => outcome.attempts.length === 2 && outcome.error === null);
  expect(events).toEqual([
    { id: outcome.payloadId, text: '<@U0HOSTLER1> status web-1', retry: 0 },
    { id: outcome.payloadId, text: '<@U0HOSTLER1> status web-1', retry: 1 },
  ]);
  expect(outcome.attempts.map((attempt) => attempt.reason)).toEqual(['first', 'retry']);
});

test('direct messages arrive as message.im, also those of the bot itself, as in Slack', async ({ slack }) => {
  const heard: unknown[] = [];
  await openSocketApp(slack, (app) =>
    app.message(async ({ message, client }) => {
      heard.push((message.subtype ?? 'text' in message) ? message : undefined);
      if (message.subtype === undefined)
        await client.chat.postMessage({ channel: message.channel, text: 'hello back' });
    }),
  );
  await slack.sim.say('reader', 'dm', 'hello');
  await slack.sim.waitFor('hello back', { channel: '@reader' });
  await expect.poll(() => slack.sim.outcomes().filter((outcome) => outcome.ackedMs !== null).length).toBe(2);
  expect(heard).toHaveLength(1);
  expect(slack.sim.transcript('@reader')).toBe('@reader: hello\n@hostler: hello back');
});

test('changes of people, groups and channels arrive as events', async ({ slack }) => {
  const types: string[] = [];
  await openSocketApp(slack, (app) => {
    app.event(/.*/, async ({ event }) => {
      types.push(event.type);
    });
  });
  await slack.sim.deactivate('operator');
  await slack.sim.setMembers('dev', ['reader']);
  await slack.sim.share('#ops');
  await slack.sim.unshare('#ops');
  await slack.sim.rename('#ops', 'operations');
  await slack.sim.archive('#operations');
  await slack.sim.unarchive('#operations');
  await slack.sim.kick('#dev', 'hostler');
  await slack.sim.invite('#dev', 'hostler');
  // The manifest does not subscribe to new members.
  await slack.sim.addPerson({ name: 'newbie' });
  await slack.sim.revokeToken();
  expect(types).toEqual([
    'subteam_members_changed',
    'user_change',
    'subteam_members_changed',
    'channel_shared',
    'channel_unshared',
    'channel_rename',
    'channel_archive',
    'channel_unarchive',
    'channel_left',
    'member_joined_channel',
    'tokens_revoked',
  ]);
});

test('no socket opens with Socket Mode off, with Slack down, or with a wrong token', async ({ slack }) => {
  const open = (token = slack.appToken) => clientFor(slack, token).apps.connections.open();
  const refused = async (token?: string) => (await refusal(open(token))).error;
  expect(await refused('xapp-wrong')).toBe('invalid_auth');
  expect(await refused(slack.botToken)).toBe('not_allowed_token_type');
  slack.sim.setSocketMode(false);
  expect(await refused()).toBe('socket_mode_not_enabled');
  slack.sim.setSocketMode(true);
  expect((await open()).url).toMatch(/^ws:.*\/link\/\?ticket=/);
  slack.sim.setDown(true);
  await expect(open()).rejects.toMatchObject({ code: 'slack_webapi_request_error' });
  slack.sim.setDown(false);
  expect(await open()).toMatchObject({ ok: true });
});

test('isReordering delivers payloads in another order', async ({ slack }) => {
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

test('ten connections are accepted, and the eleventh gets a disconnect message', async ({ slack }) => {
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

test('the URL of a socket can be used for one connection', async ({ slack }) => {
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
