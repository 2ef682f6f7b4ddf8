import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { day, hour, minute, second } from '../../../src/core/text/words.ts';
import { makeHookAlone, openHooks } from '../../alerts/support.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { machineOf } from '../../support/bot/machine.ts';
import { startTestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';

/** Events of a channel, posted to an address of others. */

const address = 'https://siem.example.net/in?key=s3cret';

interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly event: Readonly<Record<string, unknown>>;
  readonly body: string;
}

async function open(options: TestBotOptions = {}) {
  const posts: Posted[] = [];
  const answer = { status: 200 };
  /** The request that adds the address, whose last event may come later than its end. */
  let adding: string | undefined;
  const eventPoster = {
    whyNot: (url: string) => (url.startsWith('https:') ? undefined : 'It is not an https address.'),
    post: async (url: string, headers: Readonly<Record<string, string>>, body: string) => {
      const event = JSON.parse(body);
      if (answer.status < 300 && event.request !== adding) posts.push({ url, headers, event, body });
      return answer.status;
    },
  };
  const bot = await startTestBot({ ...options, process: { ...options.process, eventPoster } });
  await bot.say('admin', `events add ${address}`);
  await bot.press('admin', 'Post the events of this channel');
  await bot.settle();
  const secret = /whsec_([\w+/=]+)/.exec(JSON.stringify(await bot.open('admin', { button: 'Reveal once' })))?.[1] ?? '';
  adding = (await bot.store.operations.list({ limit: 1 }))[0]?.id;
  await drain();
  posts.length = 0;
  async function drain() {
    // The round of the bot itself may hold the lease.
    await bot.until(async () => {
      for (const replica of bot.replicas) await replica.postEvents();
      return (await bot.store.events.due(1)).length === 0;
    }, 'the events to be posted');
  }
  const typesSince = async () => {
    await drain();
    return posts.splice(0).map(({ event }) => event.type);
  };
  return { bot, posts, answer, secret, drain, typesSince };
}

test('a request makes an event when it is asked, decided, begun and ended, with its text and link', async () => {
  const { bot, posts, drain } = await open();
  const machine = await machineOf(bot);
  const { body } = await machine.run('restart web-2');
  await bot.press('lead', 'Restart web-2');
  await bot.settle();
  await drain();
  expect(posts.map(({ event }) => [event.type, event.state])).toEqual([
    ['request.asked', 'waiting'],
    ['request.decided', 'approved'],
    ['request.begun', 'running'],
    ['request.ended', 'done'],
  ]);
  expect(posts.at(-1)?.event).toMatchObject({
    request: body.id,
    what: 'Restart web-2',
    who: '@operator',
    token: 'ci',
    channel: ops,
    text: 'web-2 restarted; the power is on.',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    link: expect.stringContaining('slack.com'),
  });
  expect(new Set(posts.map(({ url }) => url))).toEqual(new Set([address]));
});

test('rounds of one process at the same time post each event once', async () => {
  const { bot, posts } = await open();
  await bot.say('operator', 'restart web-2');
  await bot.press('operator', 'Restart web-2');
  await bot.settle();
  await Promise.all([1, 2, 3].flatMap(() => bot.replicas.map((replica) => replica.postEvents())));
  const ids = posts.map(({ event }) => event.id);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
});

test('each post is signed as Standard Webhooks defines it', async () => {
  const { bot, posts, secret, drain } = await open();
  await bot.say('operator', 'restart web-2');
  await drain();
  const [post] = posts;
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = post?.headers ?? {};
  const own = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${at}.${post?.body}`).digest('base64');
  expect(signature).toBe(`v1,${own}`);
  expect(id).toBe(post?.event.id);
});

test('a declined request is decided and ended, and a withdrawn one only ended', async () => {
  const { bot, typesSince } = await open();
  await bot.say('operator', 'reinstall web-2 template=1');
  const form = await bot.open('lead', { button: 'Decline…' });
  await bot.submit('lead', form, { words: 'not today' });
  await bot.settle();
  expect(await typesSince()).toEqual(['request.asked', 'request.decided', 'request.ended']);
  await bot.say('operator', 'restart web-2');
  await bot.press('operator', 'Cancel');
  await bot.settle();
  expect(await typesSince()).toEqual(['request.asked', 'request.ended']);
});

test('an address that refuses gets each event later, in order and once', async () => {
  const { bot, posts, answer, drain } = await open();
  answer.status = 503;
  await bot.say('operator', 'restart web-2');
  await drain();
  await bot.press('operator', 'Restart web-2');
  await bot.settle();
  await drain();
  expect(posts).toEqual([]);
  answer.status = 204;
  await drain();
  expect(posts).toEqual([]);
  bot.skip(10 * second);
  await drain();
  const types = posts.map(({ event }) => event.type);
  expect(types).toEqual(['request.asked', 'request.decided', 'request.begun', 'request.ended']);
});

test('an address that is silent for a day is off, and the channel reads it', async () => {
  const { bot, answer, drain } = await open();
  answer.status = 500;
  await bot.say('operator', 'restart web-2');
  await drain();
  bot.skip(day - minute);
  await drain();
  expect(await bot.store.hooks.listAll('events')).toHaveLength(1);
  bot.skip(hour);
  await drain();
  expect(await bot.store.hooks.listAll('events')).toEqual([]);
  await bot.until(() => bot.transcript().includes('are off: nothing arrived for a day (status 500)'), 'the word');
  expect(bot.transcript()).not.toContain('s3cret');
});

test('an address that is removed gets no event', async () => {
  const { bot, posts, drain } = await open();
  await bot.say('admin', 'events');
  const [, id = ''] = /events remove (\w+)/.exec(JSON.stringify(bot.posted)) ?? [];
  await bot.say('admin', `events remove ${id}`);
  await bot.press('admin', 'Stop posting events');
  await bot.settle();
  await drain();
  posts.length = 0;
  await bot.say('operator', 'restart web-2');
  await drain();
  expect(posts).toEqual([]);
});

test.for(['http://siem.example.net', 'ftp://x', 'siem'])('the address %s is refused with the reason', async (wrong) => {
  const { bot } = await open();
  await bot.say('admin', `events add ${wrong}`);
  expect(bot.transcript()).toContain('It is not an https address.');
});

test('only an admin adds an address, and a token never does', async () => {
  const { bot } = await open();
  await bot.say('operator', 'events add https://other.example.net');
  expect(bot.transcript()).toContain('You may not use /host events add here');
  const machine = await machineOf(bot, { maker: 'admin' });
  expect((await machine.run('events add https://other.example.net')).body.reason).toBe('not_for_tokens');
});

test('an alert makes one event when it opens and one when it ends', async () => {
  const { bot, posts, drain } = await open();
  const firing = { id: 'disk', title: 'The disk is full', status: 'firing' };
  const { post } = await openHooks(bot);
  const { url } = await makeHookAlone(bot, 'json');
  for (const status of ['firing', 'firing', 'resolved']) {
    await post(url, JSON.stringify({ ...firing, status }));
    await bot.until(async () => (await bot.store.alerts.undrawn(ops)).length === 0, 'the message');
    await drain();
  }
  expect(posts.map(({ event }) => [event.type, event.what, event.state])).toEqual([
    ['alert.opened', 'The disk is full', 'open'],
    ['alert.ended', 'The disk is full', 'resolved'],
  ]);
});

test('a hook is revoked by its name, too', async () => {
  const { bot } = await open();
  await makeHookAlone(bot, 'json');
  await bot.say('admin', 'alerts hook revoke json');
  await bot.press('admin', 'Revoke the hook json');
  await bot.settle();
  expect(await bot.store.hooks.list(ops, ['json'])).toEqual([]);
});
