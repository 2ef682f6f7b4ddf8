import { expect, it } from 'vitest';
import { connected, eventually, says } from './support.ts';

const ops = 'C0OPS00001';
const dev = 'C0DEV00001';

it('messages of a channel arrive in order, replies in their thread, and edits in place', async () => {
  const { slack, outbox } = await connected();
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

it('many changes of one message become few edits, and the last state is always sent', async () => {
  const { slack, outbox } = await connected();
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

it('a channel that has to wait holds up no other', async () => {
  const { slack, outbox, connection } = await connected();
  slack.sim.fault({ method: 'chat.postMessage', status: 429, retryAfterS: 1, count: 1 });
  outbox.put('first', ops, says('first in ops'));
  await eventually(() => outbox.postponed.length === 1);
  expect(connection.state().waitingChannels).toBe(1);
  outbox.put('second', ops, says('second in ops'));
  outbox.put('other', dev, says('dev goes on'));
  await slack.sim.waitFor('dev goes on', { channel: '#dev' });
  expect(slack.sim.messages('#ops')).toHaveLength(0);
  await slack.sim.waitFor('second in ops', { channel: '#ops' });
  expect(slack.sim.messages('#ops').map((message) => message.text)).toEqual(['first in ops', 'second in ops']);
});

it('a wait of a minute is written down at once and stops nothing else', async () => {
  const { slack, outbox } = await connected();
  slack.sim.fault({ method: 'chat.postMessage', status: 429, retryAfterS: 60, count: 1 });
  outbox.put('first', ops, says('first in ops'));
  await eventually(() => outbox.postponed.length === 1);
  expect(outbox.postponed[0]).toEqual({ key: 'first', delayMs: 60_000, why: 'Slack asks to wait 60 s' });
  outbox.put('other', dev, says('dev goes on'));
  await slack.sim.waitFor('dev goes on', { channel: '#dev' });
});

it('while Slack is away messages are kept, and arrive in order when it is back', async () => {
  const { slack, outbox } = await connected();
  slack.sim.setDown(true);
  for (let n = 1; n <= 3; n += 1) outbox.put(`m${n}`, ops, says(`message ${n}`));
  await eventually(() => outbox.postponed.length > 0);
  slack.sim.setDown(false);
  await slack.sim.waitFor('message 3', { channel: '#ops', timeoutMs: 10_000 });
  expect(slack.sim.messages('#ops').map((message) => message.text)).toEqual(['message 1', 'message 2', 'message 3']);
});

it('blocks that Slack refuses are sent as words, once, and logged', async () => {
  const { slack, outbox, log } = await connected();
  slack.sim.fault({ method: 'chat.postMessage', errorCode: 'invalid_blocks', count: 1 });
  outbox.put('card', ops, {
    summary: 'Restart web-1',
    parts: [
      { kind: 'heading', text: 'Restart web-1' },
      { kind: 'fields', fields: [['Effect', 'it goes <away>']] },
      { kind: 'buttons', buttons: [{ label: 'Status', intent: { do: 'run', line: 'status web-1' } }] },
    ],
  });
  const message = await slack.sim.waitFor((sim) => sim.messages('#ops')[0]);
  expect(message.text).toBe('Restart web-1\nEffect: it goes &lt;away&gt;\nStatus: /host status web-1');
  expect(slack.sim.requests('chat.postMessage')).toHaveLength(2);
  expect(log.lines.some((line) => line.level === 'error' && line.text.includes('refused the blocks'))).toBe(true);
  await eventually(() => outbox.row('card')?.ts === message.ts);
});

it('a message that can never arrive is said to be so; one that was deleted is posted anew', async () => {
  const { slack, outbox } = await connected();
  outbox.put('archived', 'C0OLDOPS01', says('hello'));
  outbox.put('outside', 'C0RANDOM01', says('hello'));
  await eventually(() => outbox.dead.size === 2);
  expect(Object.fromEntries(outbox.dead)).toEqual({ archived: 'is_archived', outside: 'not_in_channel' });

  outbox.put('card', ops, says('one'));
  await slack.sim.waitFor('one', { channel: '#ops' });
  slack.sim.fault({ method: 'chat.update', errorCode: 'message_not_found', count: 1 });
  outbox.put('card', ops, says('two'));
  await slack.sim.waitFor('two', { channel: '#ops' });
  await eventually(() => outbox.row('card')?.delivered === 2);
  expect(slack.sim.messages('#ops').map((message) => message.text)).toEqual(['one', 'two']);
  expect(outbox.row('card')?.ts).toBe(slack.sim.messages('#ops')[1]?.ts);
});

it('a direct message is posted and edited by the id of its person', async () => {
  const { slack, outbox } = await connected();
  outbox.put('dm', 'U0LEAD0001', says('your password is ready'));
  await eventually(() => outbox.row('dm')?.delivered === 1);
  outbox.put('dm', 'U0LEAD0001', says('it was shown'));
  await eventually(() => outbox.row('dm')?.delivered === 2);
  const dm = slack.sim.openDm('lead');
  expect(slack.sim.messages(dm.id).map((message) => message.text)).toEqual(['it was shown']);
});

it('a store that is away for a moment after a post does not make it two', async () => {
  const { slack, outbox } = await connected();
  const { delivered } = outbox;
  let isAway = true;
  Object.assign(outbox, {
    delivered: async (...note: Parameters<typeof delivered>) => {
      if (!isAway) return delivered(...note);
      isAway = false;
      // The lease runs out, and the message is claimed again.
      Object.assign(outbox.row('card') ?? {}, { claimedUntil: 0 });
      throw new Error('the database is away');
    },
  });
  outbox.put('card', ops, says('once'));
  await eventually(() => outbox.row('card')?.delivered === 1);
  expect(slack.sim.messages('#ops')).toHaveLength(1);
});
