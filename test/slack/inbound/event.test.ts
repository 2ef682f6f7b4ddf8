import { expect, it } from 'vitest';
import { readEvent } from '../../../src/slack/inbound/event.ts';
import { readClick, readSlash } from '../../../src/slack/inbound/interaction.ts';
import { lineOf, requestId, UnreadablePayload } from '../../../src/slack/inbound/read-payload.ts';
import { plainText } from '../../../src/store/dialect.ts';

const self = { botUserId: 'U0BOT' };
const at = (now: number) => ({ now, slackAheadMs: 0 });
const event = (fields: object) => ({
  event_id: 'Ev1',
  event: { type: 'message', channel_type: 'im', user: 'U1', channel: 'D1', text: 'list', ...fields },
});

it.each([
  ['<@U0BOT> status web-1', 'status web-1'],
  ['status <@U0BOT|hostler> web-1', 'status   web-1'],
  ['/host list', 'list'],
  ['host list', 'list'],
  ['hostname list', 'hostname list'],
  ['<@U0BOT>', ''],
  ['status <http://web-1.example.com|web-1.example.com>', 'status web-1.example.com'],
  ['why &lt;x&gt; &amp; y', 'why <x> & y'],
  ['set TXT "&lt;a&gt;" by <@U0LEAD0001|lead> in <#C0DEV00001|dev>', 'set TXT "<a>" by @U0LEAD0001 in #C0DEV00001'],
  ['grant <@U012AB3CD> read', 'grant @U012AB3CD read'],
])('the message %s is the line %s', (typed, line) => {
  expect(lineOf(typed, 'U0BOT')).toBe(line);
});

it.each([
  ['/host restart web-1', 'restart web-1'],
  ['host restart web-1', 'restart web-1'],
  [' /HOST  restart web-1 ', 'restart web-1'],
  ['/host', ''],
  ['hostname', 'hostname'],
  ['why /host restart', 'why /host restart'],
])('the text "%s" behind /host is the line "%s"', (text, line) => {
  const payload = { text, user_id: 'U1', channel_id: 'C1', trigger_id: 'T1' };
  expect(readSlash(payload, 0).request.ask).toEqual({ kind: 'line', line });
});

it('messages of people are read; those of bots, the bot’s own, edits and other events are not', () => {
  const result = readEvent(event({}), self, at(5));
  expect(result).toMatchObject({ kind: 'said', incoming: { request: { id: 'event:Ev1', actor: 'U1', at: 5 } } });
  const silent = [
    { bot_id: 'B1' },
    { bot_profile: { id: 'B1', name: 'ci' } },
    { app_id: 'A1' },
    { type: 'app_mention', channel: 'C1', bot_profile: { id: 'B1' } },
    { type: 'app_mention', channel: 'C1', app_id: 'A1' },
    { user: 'U0BOT' },
    { user: undefined },
    { subtype: 'message_changed' },
    { subtype: 'bot_message' },
    { subtype: 'channel_join' },
    { edited: { user: 'U1', ts: '1' } },
    { channel_type: 'channel', channel: 'C1' },
  ];
  for (const fields of silent) expect(readEvent(event(fields), self, at(0))).toBeUndefined();
  expect(readEvent({ event_id: 'Ev1', event: { type: 'emoji_changed' } }, self, at(0))).toBeUndefined();
});

it.each(['file_share', 'thread_broadcast'])('a message of subtype %s is a line', (subtype) => {
  expect(readEvent(event({ subtype }), self, at(0))).toMatchObject({
    incoming: { request: { ask: { kind: 'line', line: 'list' } } },
  });
});

it.each([
  ['1000.000100', 1_300_000, undefined],
  ['1000.000100', 1_300_001, 1_000_000],
  ['not a time', 1_300_001, undefined],
  [undefined, 1_300_001, undefined],
])('a message of %s that is read at %d has the time %s', (event_ts, now, saidAt) => {
  for (const fields of [{ event_ts }, { ts: event_ts }]) {
    const happening = readEvent(event(fields), self, at(now));
    expect(happening?.kind === 'said' && happening.incoming.request.saidAt).toBe(saidAt);
  }
});

it.each([
  [1_300_000, 0, undefined],
  [1_300_001, 0, 1_000_000],
  [8_500_000, -7_200_000, undefined],
  [8_500_001, -7_200_000, 8_200_000],
  [1_000_000, 300_000, undefined],
])('a click of second 1000 that is read at %d, Slack %d ms ahead, has the time %s', (now, slackAheadMs, saidAt) => {
  const value = '{"do":"run","line":"restart web-1"}';
  const actions = [{ type: 'button', action_id: 'act:0', action_ts: '1000.000100', value }];
  const container = { type: 'message', message_ts: '1.2', channel_id: 'C1' };
  expect(readClick({ user: { id: 'U1' }, container, actions }, { now, slackAheadMs })?.request.saidAt).toBe(saidAt);
});

it('a channel stays shared when one of several organizations leaves, and a revoked user token is ignored', () => {
  const happened = (fields: object) => readEvent({ event_id: 'Ev1', event: fields }, self, at(0));
  const unshared = (is_ext_shared: boolean) => happened({ type: 'channel_unshared', channel: 'C1', is_ext_shared });
  expect([unshared(true), unshared(false)]).toMatchObject([{ change: 'shared' }, { change: 'unshared' }]);
  const who = { channel: 'C1', connected_team_id: 'T2', previously_connected_team_id: 'T2' };
  expect(happened({ type: 'channel_shared', ...who })).toMatchObject({ change: 'shared', joined: 'T2' });
  expect(happened({ type: 'channel_unshared', ...who })).toMatchObject({ change: 'unshared', left: 'T2' });
  expect(happened({ type: 'tokens_revoked', tokens: { oauth: ['U1'] } })).toBeUndefined();
  expect(happened({ type: 'tokens_revoked', tokens: { bot: ['U0BOT'] } })).toMatchObject({ kind: 'revoked' });
  const joined = { type: 'member_joined_channel', user: 'U0BOT', channel: 'C1' };
  expect(happened({ ...joined, user: 'U1' })).toEqual({ kind: 'outdated', channel: 'C1' });
  const botJoined = { kind: 'channel', id: 'C1', change: 'bot_joined' };
  expect(happened(joined)).toEqual(botJoined);
  const invitation = { by: 'U1', event: 'Ev1' };
  expect(happened({ ...joined, inviter: 'U1' })).toEqual({ ...botJoined, invitation });
  const seen = happened({ type: 'group_rename', channel: { id: 'G1', name: 'x' } });
  expect(seen).toEqual({ kind: 'outdated', channel: 'G1' });
});

it('an unreadable payload is reported by its field, without its values', () => {
  const reading = () => readSlash({ text: 'password hunter2', user_id: 'U1', channel_id: 'C1' }, 0);
  expect(reading).toThrow(UnreadablePayload);
  expect(reading).toThrow('reading a command from Slack: not as documented at trigger_id (invalid_type)');
});

it('a value whose length cannot be read is an unreadable payload, and no error of the bot', () => {
  const channel = { length: { toString: 1, valueOf: 1 } };
  expect(() => readEvent(event({ channel }), self, at(0))).toThrow(UnreadablePayload);
});

it('a mention has the id of its message, for its thread; a direct message is no mention', () => {
  const mention = (fields: object) =>
    readEvent(event({ type: 'app_mention', channel: 'C1', ts: '5.1', text: '<@U0BOT> list', ...fields }), self, at(0));
  expect(mention({})).toMatchObject({
    incoming: { request: { place: { channel: 'C1', message: '5.1' }, ask: { line: 'list', isMention: true } } },
  });
  expect(mention({ thread_ts: '4.0' })).toMatchObject({
    incoming: { request: { place: { thread: '4.0', message: '5.1' } } },
  });
  expect(JSON.stringify(readEvent(event({ ts: '5.1' }), self, at(0)))).not.toMatch(/isMention|5\.1/);
  expect(mention({ channel: 'D1' })).toBeUndefined();
});

const texts = ['click:1.2:a\0b', 'click:1.2:\ud800', `click:${'a'.repeat(193)}😀 and more`, 'slash:1.2.3'];
it.each(texts)('the store keeps the id of %j unchanged', (text) => {
  const id = requestId(text);
  expect(plainText(id)).toBe(id);
  expect(id.length).toBeLessThanOrEqual(200);
});
