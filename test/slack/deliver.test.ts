import { expect, it } from 'vitest';
import type { View } from '../../src/core/view/view.ts';
import type { SlackRefusal } from '../../src/slack/outbound/ladder.ts';
import { confirmCard, connected, delivered, eventually, says, test } from './support.ts';

const ops = 'C0OPS00001';
const dev = 'C0DEV00001';

test('messages of a channel arrive in order, replies in their thread, edits in place', async ({ slack, outbox }) => {
  for (let n = 1; n <= 6; n += 1) outbox.put(`m${n}`, ops, says(`message ${n}`));
  await slack.sim.waitFor('message 6', { channel: '#ops' });
  const texts = slack.sim.messages('#ops').map((message) => message.text);
  expect(texts).toEqual(['message 1', 'message 2', 'message 3', 'message 4', 'message 5', 'message 6']);
  const ts = outbox.row('m1')?.ts ?? '';
  outbox.put('reply', ops, says('a reply'), ts);
  outbox.put('m1', ops, says('message 1, edited'));
  await slack.sim.waitFor((sim) =>
    sim.messages('#ops').some((message) => message.ts === ts && message.text === 'message 1, edited'),
  );
  await eventually(() =>
    slack.sim.messages('#ops').some((message) => message.text === 'a reply' && message.threadTs === ts),
  );
});

test('many changes of one message are sent as few edits, and the last state always', async ({ slack, outbox }) => {
  outbox.put('card', ops, says('state 0'));
  await slack.sim.waitFor('state 0', { channel: '#ops' });
  for (let n = 1; n <= 30; n += 1) {
    outbox.put('card', ops, says(`state ${n}`));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await slack.sim.waitFor('state 30', { channel: '#ops' });
  expect(slack.sim.requests('chat.update').length).toBeLessThanOrEqual(2);
  expect(slack.sim.messages('#ops')).toHaveLength(1);
});

test('the longest wait of several edits applies to the channel', async ({ slack, outbox, connection }) => {
  const keys = ['one', 'two', 'three'];
  for (const key of keys) outbox.put(key, ops, says(key));
  await eventually(() => keys.every((key) => outbox.row(key)?.delivered === 1));
  slack.sim.fault({ method: 'chat.update', status: 429, retryAfterS: 60, count: 1 });
  slack.sim.fault({ method: 'chat.update', status: 429, retryAfterS: 1, count: 1 });
  slack.sim.fault({ method: 'chat.update', delayMs: 300, count: 1 });
  // While it is sent the edits gather, and are sent at the same time.
  outbox.put('first', ops, says('first'));
  for (const key of keys) outbox.put(key, ops, says(`${key}, edited`));
  await eventually(() => outbox.postponed.length === 2 && keys.some((key) => outbox.row(key)?.delivered === 2));
  expect(connection.state().waitingChannels).toBe(1);
  outbox.put('new', ops, says('new'));
  await eventually(() => outbox.postponed.some(({ key }) => key === 'new'));
  expect(outbox.postponed.find(({ key }) => key === 'new')?.delayMs).toBeGreaterThan(30_000);
});

test('a channel with many messages keeps neither another channel nor an edit waiting', async ({ slack, outbox }) => {
  await delivered(outbox, 'card', ops, says('a card'));
  slack.sim.fault({ method: 'chat.postMessage', delayMs: 100 });
  for (let n = 1; n <= 60; n += 1) outbox.put(`m${n}`, ops, says(`message ${n}`));
  await slack.sim.waitFor('message 1', { channel: '#ops' });
  outbox.put('other', dev, says('dev goes on'));
  outbox.put('card', ops, says('a card, edited'));
  await slack.sim.waitFor('dev goes on', { channel: '#dev' });
  await eventually(() => outbox.row('card')?.delivered === 2);
  expect(slack.sim.messages('#ops').length).toBeLessThan(20);
  // The bot sends the rest while it stops.
  slack.sim.clearFaults();
});

test('a message whose claim is nearly over is left to the next claim', async () => {
  let skippedMs = 0;
  const { slack, outbox } = await connected({ now: () => Date.now() + skippedMs });
  const { claim } = outbox;
  // The process hangs after it claimed the first message: another process may send that one meanwhile.
  Object.assign(outbox, {
    claim: async (limit: number) => {
      const claimed = await claim(limit);
      if (claimed.length > 0 && skippedMs === 0) skippedMs = 25_000;
      return claimed;
    },
  });
  outbox.put('first', ops, says('claimed before'));
  await eventually(() => skippedMs > 0);
  outbox.put('other', dev, says('dev goes on'));
  await slack.sim.waitFor('dev goes on', { channel: '#dev' });
  expect(slack.sim.messages('#ops')).toEqual([]);
  expect(outbox.row('first')?.claimedUntil).toBeGreaterThan(0);
});

test('a post that cannot be noted is noted again while its claim lasts, posted once', async ({ slack, outbox }) => {
  const { claim, delivered: note } = outbox;
  let failures = 0;
  let claims = 0;
  Object.assign(outbox, {
    claim: async (...given: Parameters<typeof claim>) => {
      const messages = await claim(...given);
      claims += messages.length;
      return messages;
    },
    delivered: async (...given: Parameters<typeof note>) => {
      if (failures < 2) throw new Error(`the database blinks ${++failures}`);
      return note(...given);
    },
  });
  await delivered(outbox, 'card', ops, says('a card'));
  expect([failures, claims]).toEqual([2, 1]);
  expect(slack.sim.messages('#ops')).toHaveLength(1);
});

test('a process that learns that its post is a copy removes it', async ({ slack, outbox }) => {
  const { delivered } = outbox;
  const theirs = await slack.sim.say('lead', '#ops', 'the post of another process');
  Object.assign(outbox, {
    delivered: async (key: string, version: number) => {
      await delivered(key, version, theirs.ts ?? '');
      return false;
    },
  });
  outbox.put('card', ops, says('a card'));
  await eventually(() => slack.sim.requests('chat.delete').length === 1);
  await eventually(() => slack.sim.messages('#ops').length === 1);
  expect(slack.sim.messages('#ops')[0]?.text).toBe('the post of another process');
});

test('a drawing that Slack refuses is drawn plainer, and the refusal is logged and counted', async () => {
  const refusals: SlackRefusal[] = [];
  const { slack, outbox, log } = await connected({ hooks: { onRefusal: (refusal) => refusals.push(refusal) } });
  slack.sim.fault({ method: 'chat.postMessage', errorCode: 'invalid_blocks', count: 1 });
  await delivered(outbox, 'card', ops, {
    ...confirmCard,
    parts: [{ kind: 'heading', text: 'One' }, ...confirmCard.parts],
  });
  expect(slack.sim.messages('#ops')[0]?.blocks.map(({ type }) => type)).toEqual(['section', 'actions']);
  expect(log.lines.some((line) => line.level === 'error' && line.text.includes('Slack refused a drawing'))).toBe(true);
  expect(refusals).toEqual([{ block: 'unnamed', surface: 'message', error: 'invalid_blocks' }]);
});

test('a post without blocks has no list of them, an edit without blocks an empty one', async ({ slack, outbox }) => {
  slack.sim.fault({ method: 'chat.postMessage', errorCode: 'invalid_blocks', count: 3 });
  await delivered(outbox, 'card', ops, says('one *two*'));
  const [post] = slack.sim.requests('chat.postMessage').slice(-1);
  expect(post?.args).not.toHaveProperty('blocks');
  // The text escapes markup itself: `mrkdwn: false` would also remove mentions.
  expect(post?.args).toMatchObject({ text: 'one \u2217two*' });
  expect(post?.args).not.toHaveProperty('mrkdwn');
  slack.sim.fault({ method: 'chat.update', errorCode: 'invalid_blocks', count: 3 });
  await delivered(outbox, 'card', ops, says('three'));
  expect(slack.sim.requests('chat.update').at(-1)?.args).toMatchObject({ blocks: [] });
});

test.each([
  ['invalid_blocks', 4],
  ['thread_locked', 1],
])('a message that Slack refuses with %s is given up at once, and later ones are sent', async (errorCode, count) => {
  const { slack, outbox, connection } = await connected();
  slack.sim.fault({ method: 'chat.postMessage', errorCode, count });
  outbox.put('bad', ops, says('never taken'));
  outbox.put('next', ops, says('the next one'));
  await slack.sim.waitFor('the next one', { channel: '#ops' });
  // Slack would accept another try.
  expect(Object.fromEntries(outbox.dead)).toEqual({ bad: errorCode });
  expect(slack.sim.requests('chat.postMessage')).toHaveLength(count + 1);
  expect(connection.state().waitingChannels).toBe(0);
});

test('a server that is not on the IP allow-list is reported as that, and does not count as silence of Slack', async () => {
  const { slack, outbox, connection, log } = await connected();
  slack.sim.fault({ method: 'chat.postMessage', errorCode: 'accesslimited' });
  outbox.put('card', ops, says('hello'));
  await eventually(() => outbox.postponed.length === 1);
  expect(connection.state()).toMatchObject({ isReady: false, revoked: expect.stringContaining('IP allow-list') });
  expect(outbox.postponed[0]?.why).toContain('IP allow-list');
  expect(log.lines.some(({ level, text }) => level === 'error' && text.includes('IP allow-list'))).toBe(true);
});

test.each([
  ['takes no replies', 'cannot_reply_to_message', 2],
  ['was deleted', undefined, 1],
])('a reply whose parent %s is posted in the channel, and its row says so', async (_, errorCode, posts) => {
  const { slack, outbox } = await connected();
  if (errorCode !== undefined) slack.sim.fault({ method: 'chat.postMessage', errorCode, count: 1 });
  await delivered(outbox, 'reply', ops, says('a reply'), '1700000000.000100');
  expect(outbox.row('reply')?.threadTs).toBeNull();
  expect(slack.sim.requests('chat.postMessage')).toHaveLength(posts);
  expect(slack.sim.messages('#ops')).toMatchObject([{ text: 'a reply' }]);
  const ts = (await slack.sim.say('lead', '#ops', 'hello')).ts ?? '';
  await delivered(outbox, 'second', ops, says('another'), ts);
  expect(outbox.row('second')?.threadTs).toBe(ts);
});

test('a menu gets a new block id with each edit', async ({ slack, outbox }) => {
  const snooze = (text: string): View => ({
    summary: text,
    parts: [{ kind: 'menu', label: 'Snooze', options: [{ label: text, intent: { do: 'run', line: 'list' } }] }],
  });
  const ids = () => slack.sim.messages('#ops')[0]?.blocks.map((block) => block.block_id);
  await delivered(outbox, 'card', ops, snooze('one'));
  const before = ids();
  await delivered(outbox, 'card', ops, snooze('two'));
  expect(ids()).not.toEqual(before);
});

test('a message is given up where its channel lacks the bot or was archived; a deleted message is posted again', async () => {
  const { slack, outbox } = await connected();
  outbox.put('archived', 'C0OLDOPS01', says('hello'));
  outbox.put('outside', 'C0RANDOM01', says('hello'));
  await eventually(() => outbox.dead.size === 2);
  expect(Object.fromEntries(outbox.dead)).toEqual({ archived: 'is_archived', outside: 'not_in_channel' });
  await delivered(outbox, 'card', ops, says('one'));
  slack.sim.fault({ method: 'chat.update', errorCode: 'message_not_found', count: 1 });
  await delivered(outbox, 'card', ops, says('two'));
  expect(slack.sim.messages('#ops').map((message) => message.text)).toEqual(['one', 'two']);
  expect(outbox.row('card')?.ts).toBe(slack.sim.messages('#ops')[1]?.ts);
  const edits = slack.sim.requests('chat.update').length;
  await slack.sim.archive('#ops');
  outbox.put('card', ops, says('three'));
  await eventually(() => outbox.dead.get('card') === 'is_inactive');
  expect(slack.sim.requests('chat.update')).toHaveLength(edits + 1);
});

test('a direct message is posted and edited by the id of its person', async ({ slack, outbox }) => {
  await delivered(outbox, 'dm', 'U0LEAD0001', says('your password is ready'));
  await delivered(outbox, 'dm', 'U0LEAD0001', says('it was shown'));
  const dm = slack.sim.openDm('lead');
  expect(slack.sim.messages(dm.id).map((message) => message.text)).toEqual(['it was shown']);
});

test('a store that is offline for a moment after a post does not cause a second post', async ({ slack, outbox }) => {
  const { delivered: note } = outbox;
  let isAway = true;
  Object.assign(outbox, {
    delivered: async (...given: Parameters<typeof note>) => {
      if (!isAway) return note(...given);
      isAway = false;
      // The lease runs out, and the message is claimed again.
      Object.assign(outbox.row('card') ?? {}, { claimedUntil: 0 });
      throw new Error('the database is away');
    },
  });
  await delivered(outbox, 'card', ops, says('once'));
  expect(slack.sim.messages('#ops')).toHaveLength(1);
});

test('the text of a notification names a user group without a mention or its id', async ({ slack, outbox }) => {
  const groups = [{ group: 'S0OPS00001' }, ' and ', { group: 'S0GONE0001' }];
  const words = ['Asked by ', { user: 'U0LEAD0001' }, ' for ', ...groups];
  await delivered(outbox, 'card', ops, { summary: words, parts: [{ kind: 'text', text: words }] });
  const { text, blocks } = slack.sim.messages('#ops').at(-1) ?? {};
  expect(text).toBe('Asked by <@U0LEAD0001> for @ops and a user group');
  expect(JSON.stringify(blocks)).toContain('"usergroup_id":"S0OPS00001"');
});

test('a message does not wait for the names of groups while Slack cannot be asked', async ({ slack, outbox }) => {
  slack.sim.fault({ method: 'usergroups.list', errorCode: 'internal_error', count: 20 });
  await delivered(outbox, 'card', ops, { summary: ['For ', { group: 'S0OPS00001' }], parts: [] });
  expect(slack.sim.messages('#ops').at(-1)?.text).toBe('For a user group');
});

// The next tests wait for seconds, so they run at the same time.

it.concurrent('a slow edit delays neither other edits of its channel nor new messages', async (its) => {
  const { slack, outbox } = await connected({ atEnd: its.onTestFinished });
  for (const key of ['one', 'two']) outbox.put(key, ops, says(key));
  await eventually(() => outbox.row('two')?.delivered === 1);
  slack.sim.fault({ method: 'chat.update', delayMs: 3_000, count: 1 });
  for (const key of ['one', 'two']) outbox.put(key, ops, says(`${key}, edited`));
  outbox.put('new', ops, says('new'));
  const edited = () => ['one', 'two'].filter((key) => outbox.row(key)?.delivered === 2);
  await eventually(() => edited().length === 1 && outbox.row('new')?.delivered === 1);
  its.expect(slack.sim.messages('#ops').at(-1)?.text).toBe('new');
});

it.concurrent('a channel that has to wait does not delay other channels', async (its) => {
  const { slack, outbox, connection } = await connected({ atEnd: its.onTestFinished });
  slack.sim.fault({ method: 'chat.postMessage', status: 429, retryAfterS: 1, count: 1 });
  outbox.put('first', ops, says('first in ops'));
  await eventually(() => outbox.postponed.length === 1);
  its.expect(outbox.postponed[0]).toEqual({ key: 'first', delayMs: 1_000, why: 'Slack asks to wait 1 s' });
  its.expect(connection.state().waitingChannels).toBe(1);
  outbox.put('second', ops, says('second in ops'));
  outbox.put('other', dev, says('dev goes on'));
  await slack.sim.waitFor('dev goes on', { channel: '#dev' });
  its.expect(slack.sim.messages('#ops')).toHaveLength(0);
  await slack.sim.waitFor('second in ops', { channel: '#ops' });
  its.expect(slack.sim.messages('#ops').map((message) => message.text)).toEqual(['first in ops', 'second in ops']);
});

it.concurrent('while Slack is offline messages are kept, and they are sent in order when it is online again', async (its) => {
  const { slack, outbox } = await connected({ atEnd: its.onTestFinished });
  slack.sim.setDown(true);
  for (let n = 1; n <= 3; n += 1) outbox.put(`m${n}`, ops, says(`message ${n}`));
  await eventually(() => outbox.postponed.length > 0);
  slack.sim.setDown(false);
  await slack.sim.waitFor('message 3', { channel: '#ops' });
  its
    .expect(slack.sim.messages('#ops').map((message) => message.text))
    .toEqual(['message 1', 'message 2', 'message 3']);
});

it.concurrent('an unknown error delays its channel for seconds, not for minutes', async (its) => {
  const { slack, outbox } = await connected({ atEnd: its.onTestFinished });
  slack.sim.fault({ method: 'chat.postMessage', errorCode: 'a_new_kind_of_error', count: 3 });
  outbox.put('bad', ops, says('never taken'));
  outbox.put('next', ops, says('the next one'));
  await slack.sim.waitFor('the next one', { channel: '#ops' });
  its.expect(outbox.dead.get('bad')).toBe('a_new_kind_of_error');
});

it.concurrent('while an error passes a message and an edit wait until Slack takes them', async (its) => {
  const errorCode = 'update_failed';
  const { slack, outbox, connection } = await connected({ atEnd: its.onTestFinished });
  outbox.put('card', ops, says('confirm to run'));
  await slack.sim.waitFor('confirm to run', { channel: '#ops' });
  const passes = slack.sim.fault({ method: '*', errorCode });
  outbox.put('card', ops, says('done'));
  outbox.put('new', 'C0PRIVATE1', says('the next one'));
  const triesOf = (wanted: string) =>
    outbox.postponed.filter(({ key, why }) => key === wanted && why.includes(errorCode));
  await eventually(() => triesOf('card').length >= 2 && triesOf('new').length >= 2, 18_000);
  its.expect(outbox.dead.size).toBe(0);
  its.expect(connection.state().revoked).toBeUndefined();
  passes();
  await slack.sim.waitFor('done', { channel: '#ops', timeoutMs: 18_000 });
  await slack.sim.waitFor('the next one', { channel: '#ops-private', timeoutMs: 18_000 });
});
