import { expect, test } from 'vitest';
import { openHttpApp, openSlack, plain } from '../bolt.ts';

test('commands, clicks and events arrive signed, and the body of the response is used', async () => {
  const seen: string[] = [];
  const slack = await openSlack();
  await openHttpApp(slack, (app) => {
    app.command('/host', async ({ command, ack }) => {
      seen.push(`command ${command.text} from ${command.user_name}`);
      await ack({
        response_type: 'in_channel',
        blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: plain('Go') }] }],
      });
    });
    app.action('go', async ({ ack, body, client }) => {
      seen.push(`click by ${body.user.id}`);
      await ack();
      await client.chat.postMessage({ channel: 'C0OPS00001', text: 'gone' });
    });
    app.event('app_mention', async ({ event }) => {
      seen.push(`mention ${event.text}`);
    });
  });
  expect(await slack.sim.verifyRequestUrl()).toBe(true);
  expect((await slack.sim.say('lead', '#ops', '/host list ü & more')).error).toBeNull();
  expect((await slack.sim.click('lead', { channel: '#ops', label: 'Go' })).error).toBeNull();
  expect((await slack.sim.say('lead', '#ops', '@hostler hi')).error).toBeNull();
  await slack.sim.waitFor('gone', { channel: '#ops' });
  expect(seen).toEqual(['command list ü & more from lead', 'click by U0LEAD0001', 'mention <@U0HOSTLER1> hi']);
  expect(slack.sim.transcript('#ops')).toMatchInlineSnapshot(`
    "@hostler: [Go]
    @lead: @hostler hi
    @hostler: gone"
  `);
});

test('a signature older than five minutes is refused, and a replay within five minutes is accepted', async () => {
  let skewMs = 0;
  let count = 0;
  const slack = await openSlack({ clock: () => Date.now() + skewMs });
  await openHttpApp(slack, (app) => {
    app.command('/host', async ({ ack }) => {
      count += 1;
      await ack();
    });
  });
  const first = await slack.sim.say('lead', '#ops', '/host list');
  expect(await slack.sim.replay(first.payloadId ?? '')).toMatchObject({ ok: true });
  expect(count).toBe(2);
  skewMs = -6 * 60_000;
  expect((await slack.sim.say('lead', '#ops', '/host list')).error).toBe('http_status_401');
  expect(count).toBe(2);
});

test('an event with a failed response is delivered again, with its retry number and reason', async () => {
  const retries: unknown[] = [];
  const slack = await openSlack({ eventRetryMs: [5] });
  await openHttpApp(slack, (app) => {
    app.event('app_mention', async ({ context }) => {
      retries.push([context.retryNum, context.retryReason]);
    });
  });
  slack.sim.deliveryFaults({ acksToLose: 1 });
  const outcome = await slack.sim.say('lead', '#ops', '@hostler hi');
  await slack.sim.waitFor(() => outcome.error === null);
  expect(retries).toEqual([
    [undefined, undefined],
    [1, 'http_timeout'],
  ]);
});
