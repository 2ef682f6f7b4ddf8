import { expect, it } from 'vitest';
import { storedLate } from '../../../src/core/view/errors.ts';
import { notStored } from '../../../src/slack/flow/context.ts';
import { confirmCard, connected, emptyForm, eventually, says, whispered } from '../support.ts';

it('a command that is not stored within two seconds is answered with: nothing was started', async () => {
  const { promise: stored, reject } = Promise.withResolvers<boolean>();
  const { slack, engine } = await connected({ engine: () => ({ store: () => stored }) });
  const outcome = await slack.sim.say('operator', '#ops', '/host restart web-1');
  expect(outcome.ackedMs).toBeGreaterThan(1_900);
  expect(outcome.ackedMs).toBeLessThan(3_000);
  expect(outcome.ack).toEqual({ text: notStored });
  expect(engine.handled).toHaveLength(0);
  reject(new Error('the database is away'));
  await new Promise((resolve) => setImmediate(resolve));
  expect(engine.handled).toHaveLength(0);
});

it('a command that is stored a moment later runs, and the person reads that it runs', async () => {
  const { promise: stored, resolve } = Promise.withResolvers<boolean>();
  const { slack, engine } = await connected({ engine: () => ({ store: () => stored }) });
  await slack.sim.say('operator', '#ops', '/host restart web-1');
  resolve(true);
  await engine.handledCount(1);
  const said = slack.sim.ephemerals('operator').map((message) => slack.sim.plainText(message));
  expect(said.some((text) => text.includes(storedLate))).toBe(true);
});

it('a click that cannot be stored is answered privately', async () => {
  const { slack, engine, outbox } = await connected({
    engine: () => ({ store: () => Promise.reject(new Error('the database is away')) }),
  });
  outbox.put('card', 'C0OPS00001', confirmCard);
  await slack.sim.waitFor('Confirm', { channel: '#ops' });
  await slack.sim.click('operator', { channel: '#ops', label: 'Confirm' });
  await whispered(slack, 'operator', 'Nothing was started');
  expect(engine.handled).toHaveLength(0);
});

it('a query is answered although it cannot be stored', async () => {
  const { slack, engine } = await connected({
    engine: () => ({ acknowledge: () => 'now', store: () => Promise.reject(new Error('the database is away')) }),
  });
  await slack.sim.say('operator', '#ops', '/host list');
  await engine.handledCount(1);
});

it('a mention that cannot be stored is not acknowledged, so that Slack sends it again, and it runs once', async () => {
  let isAway = true;
  const { slack, engine, side } = await connected({
    slack: { eventRetryMs: [20, 20], ackTimeoutMs: 200 },
    engine: () => ({ store: async () => (isAway ? Promise.reject(new Error('the database is away')) : true) }),
  });
  const saying = slack.sim.say('lead', '#ops', `<@${side.identity.botUserId}> restart web-1`);
  await eventually(() => engine.received.length === 1);
  isAway = false;
  await saying;
  await engine.handledCount(1);
  expect(engine.received.map((request) => request.id)).toEqual([engine.received[0]?.id, engine.received[0]?.id]);
});

it.each(['socket', 'http'] as const)('a mention without a database is acknowledged and answered (%s)', async (mode) => {
  let at = Date.now();
  let isAway = true;
  const { slack, engine, side } = await connected({
    mode,
    now: () => at,
    slack: { eventRetryMs: [], ackTimeoutMs: 1_500 },
    engine: () => ({ store: async () => (isAway ? Promise.reject(new Error('the database is away')) : true) }),
  });
  const say = () => slack.sim.say('lead', '#ops', `<@${side.identity.botUserId}> restart web-1`);
  const notices = () =>
    slack.sim.ephemerals('lead').filter((one) => slack.sim.plainText(one).includes(notStored)).length;
  const isAcked = async () => (await say()).attempts.some(({ ackedMs }) => ackedMs !== null);
  expect(await isAcked()).toBe(false);
  at += 9 * 60_000;
  expect(await isAcked()).toBe(false);
  await eventually(() => notices() === 2);
  at += 60_000;
  expect(await isAcked()).toBe(true);
  await eventually(() => notices() === 3);
  expect(engine.handled).toEqual([]);
  // A stored request ends the outage.
  isAway = false;
  expect(await isAcked()).toBe(true);
  isAway = true;
  expect(await isAcked()).toBe(false);
});

it('a form that cannot be stored stays open with its values, and says so', async () => {
  let isAway = false;
  const { slack } = await connected({
    engine: () => ({
      acknowledge: () => 'with-form',
      store: async () => (isAway ? Promise.reject(new Error('the database is away')) : true),
      form: async () => ({
        form: { ...emptyForm, fields: [{ widget: 'text', name: 'host', label: 'Host', optional: true }] },
      }),
    }),
  });
  await slack.sim.say('operator', '#ops', '/host dns add');
  await slack.sim.waitFor((sim) => sim.viewText('operator').includes('Host') || undefined);
  isAway = true;
  const outcome = await slack.sim.submit('operator');
  expect(outcome.ack).toEqual({ response_action: 'errors', errors: { 'f0:host': notStored } });
});

it('an error of the engine is logged, and the next request is answered', async () => {
  let isBroken = true;
  const { slack, engine, log } = await connected({
    engine: ({ messenger }) => ({
      handle: async ({ place, actor }) => {
        if (isBroken) throw new TypeError('undefined is not a server');
        await messenger.answer(place, actor, says('fine'));
      },
    }),
  });
  await slack.sim.say('operator', '#ops', '/host restart web-1');
  await eventually(() => log.lines.some((line) => line.level === 'error' && line.text.includes('bug in the bot')));
  isBroken = false;
  await slack.sim.say('operator', '#ops', '/host restart web-1');
  await engine.handledCount(1);
});
