import { expect, onTestFinished } from 'vitest';
import { startSlack } from '../../../sandbox/slack/server.ts';
import { openSlack } from '../../../src/slack/open-slack.ts';
import {
  confirmCard,
  connected,
  createFakeEngine,
  createFakeLog,
  createFakeOutbox,
  eventually,
  test,
} from '../support.ts';

test('a click during a disconnect is delivered again and works once, and both sockets reconnect', async () => {
  const { promise: stored, resolve } = Promise.withResolvers<void>();
  const seen = new Set<string>();
  const { slack, engine, outbox } = await connected({
    engine: () => ({
      store: async ({ id }) => {
        const isNew = !seen.has(id);
        seen.add(id);
        await stored;
        return isNew;
      },
    }),
  });
  outbox.put('card', 'C0OPS00001', confirmCard);
  await slack.sim.waitFor('Confirm', { channel: '#ops' });
  const clicking = slack.sim.click('operator', { channel: '#ops', label: 'Confirm' });
  await eventually(() => engine.received.length === 1);
  slack.sim.dropSockets();
  resolve();
  const outcome = await clicking;
  expect(outcome.error).toBeNull();
  expect(outcome.attempts.map((attempt) => attempt.reason)).toContain('redelivered');
  await engine.handledCount(1);
  await eventually(() => slack.sim.connections() === 2);
  expect(engine.handled).toHaveLength(1);
});

test('every command is answered once while the sockets are refreshed', async ({ slack, engine }) => {
  const outcomes = [];
  for (let round = 0; round < 5; round += 1) {
    slack.sim.refreshSockets({ isWarned: round % 2 === 0 });
    outcomes.push(slack.sim.say('operator', '#ops', `/host restart web-${round}`));
    await eventually(() => slack.sim.connections() === 2);
  }
  for (const outcome of await Promise.all(outcomes)) expect(outcome.error).toBeNull();
  await engine.handledCount(5);
  expect(new Set(engine.handled.map((request) => request.id)).size).toBe(5);
});

test('when the app-level token is refused, the bot keeps running, the state is red, the log has the remedy, and it recovers', async () => {
  const { slack, connection, log } = await connected();
  expect(connection.state()).toMatchObject({ mode: 'socket', isReady: true, sockets: { connected: 2, wanted: 2 } });
  slack.sim.fault({ method: 'apps.connections.open', errorCode: 'invalid_auth' });
  slack.sim.dropSockets();
  await eventually(() => !connection.state().isReady);
  await eventually(() => connection.state().lastError !== undefined);
  expect(connection.state().lastError).toBe('Slack refuses the app-level token: invalid_auth');
  const said = log.lines.filter((line) => line.level === 'error' && line.text.includes('SLACK_APP_TOKEN'));
  expect(said).toHaveLength(1);
  expect(JSON.stringify(log.lines)).not.toContain(slack.appToken);
});

test('the sockets reconnect when Slack was offline for a while', async ({ slack, connection }) => {
  slack.sim.setDown(true);
  await eventually(() => connection.state().sockets.connected === 0);
  expect(connection.state().isReady).toBe(false);
  slack.sim.setDown(false);
  await eventually(() => slack.sim.connections() === 2, 10_000);
  await eventually(() => connection.state().isReady);
});

test('a revoked bot token turns the state red, and it is green when Slack accepts the token again', async () => {
  const { slack, connection, side, log } = await connected();
  await slack.sim.revokeToken();
  await eventually(() => connection.state().revoked !== undefined);
  expect((await side.directory.person('U0LEAD0001')).membership).toBe('unknown');
  expect(connection.state()).toMatchObject({ isReady: false });
  expect(log.lines.some((line) => line.text.includes('SLACK_BOT_TOKEN'))).toBe(true);
  slack.sim.restoreToken();
  expect((await side.directory.person('U0LEAD0001')).membership).toBe('member');
  expect(connection.state()).toMatchObject({ isReady: true, revoked: undefined });
});

test('starting with a wrong token names the token, and leaves no socket open', async () => {
  const slack = await startSlack();
  onTestFinished(() => slack.close());
  const open = (botToken: string) =>
    openSlack({ botToken, appToken: 'xapp-wrong', apiUrl: slack.apiUrl, port: 0 }, createFakeLog());
  await expect(open('xoxb-wrong')).rejects.toThrow('Slack refuses the bot token: invalid_auth');
  const side = await open(slack.botToken);
  await expect(side.connect(createFakeEngine(), createFakeOutbox())).rejects.toThrow('app-level token: invalid_auth');
  expect(slack.sim.connections()).toBe(0);
});

test('stopping finishes and delivers requests under way', async () => {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  const { slack, engine, outbox, connection } = await connected({
    engine: () => ({
      handle: async () => {
        await released;
        outbox.put('end', 'C0OPS00001', { summary: 'done', parts: [{ kind: 'text', text: 'web-1 restarted' }] });
      },
    }),
  });
  await slack.sim.say('operator', '#ops', '/host restart web-1');
  const stopping = connection.stop();
  resolve();
  await stopping;
  expect(engine.handled).toHaveLength(1);
  expect(slack.sim.transcript('#ops')).toContain('web-1 restarted');
  await eventually(() => slack.sim.connections() === 0);
});

test('a payload that was being stored at the stop is acknowledged over its own socket', async () => {
  const { promise: stored, resolve } = Promise.withResolvers<boolean>();
  const { slack, engine, connection } = await connected({ engine: () => ({ store: () => stored }) });
  const saying = slack.sim.say('operator', '#ops', '/host restart web-1');
  await eventually(() => engine.received.length === 1);
  const stopping = connection.stop();
  // The bot refuses a payload after a stop, and Slack gives it to another replica.
  await new Promise((done) => setTimeout(done, 50));
  resolve(true);
  const outcome = await saying;
  await stopping;
  expect(outcome).toMatchObject({ error: null, duplicates: 0 });
  expect(engine.handled).toHaveLength(1);
});
