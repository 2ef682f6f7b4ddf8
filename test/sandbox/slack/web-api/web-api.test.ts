import { expect } from 'vitest';
import { asDict, asDicts, asText } from '../../../../sandbox/slack/dict.ts';
import { clientFor, openSlack, refusal, test } from '../bolt.ts';

const ops = 'C0OPS00001';

test('tokens and scopes are checked before anything else', async () => {
  const slack = await openSlack({ seed: { scopes: ['chat:write'] } });
  const client = clientFor(slack);
  const who = await client.auth.test();
  expect(who).toMatchObject({ user_id: slack.botUserId, bot_id: 'B0HOSTLER1', team_id: slack.teamId });
  expect(who.response_metadata?.scopes).toEqual(['chat:write']);
  const missing = await refusal(client.users.info({ user: 'U0LEAD0001' }));
  expect(missing.data).toMatchObject({ error: 'missing_scope', needed: 'users:read', provided: 'chat:write' });
  expect((await refusal(clientFor(slack, 'xoxb-wrong').auth.test())).error).toBe('invalid_auth');
  expect((await refusal(client.apiCall('chat.explode'))).error).toBe('unknown_method');
  const bare = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST' });
  expect([bare.status, await bare.json()]).toEqual([200, { ok: false, error: 'not_authed' }]);
  await slack.sim.revokeToken();
  expect((await refusal(client.auth.test())).error).toBe('token_revoked');
});

test('the bot may post only to its channels, and change only its own messages', async ({ slack, client }) => {
  const post = (channel: string) => client.chat.postMessage({ channel, text: 'hi' });
  const refused = async (sent: Promise<unknown>) => (await refusal(sent)).error;
  expect(await refused(post('C0RANDOM01'))).toBe('not_in_channel');
  expect(await refused(post('C0OLDOPS01'))).toBe('is_archived');
  expect(await refused(post('C0NOWHERE1'))).toBe('channel_not_found');
  await slack.sim.kick('#ops-private', 'hostler');
  expect(await refused(post('C0PRIVATE1'))).toBe('channel_not_found');
  expect(await refused(client.chat.postMessage({ channel: ops, text: '' }))).toBe('no_text');
  const { ts = '' } = await post(ops);
  const update = (of: string, text = 'x') => client.chat.update({ channel: ops, ts: of, text });
  expect((await update(ts, 'ho')).text).toBe('ho');
  const { ts: said } = await slack.sim.say('lead', '#ops', 'mine');
  expect(await refused(update(said ?? ''))).toBe('cant_update_message');
  expect(await refused(client.chat.delete({ channel: ops, ts: said ?? '' }))).toBe('cant_delete_message');
  expect(await refused(update('1.000001'))).toBe('message_not_found');
  const whisper = client.chat.postEphemeral({ channel: ops, user: 'U0STRANGE1', text: 'x' });
  expect(await refused(whisper)).toBe('user_not_in_channel');
  const { permalink } = await client.chat.getPermalink({ channel: ops, message_ts: ts });
  expect(permalink).toContain(`/archives/${ops}/p${ts.replace('.', '')}`);
  await client.chat.delete({ channel: ops, ts });
  expect(slack.sim.transcript('#ops')).toBe('@lead: mine');
  const { ts: kept = '' } = await post(ops);
  await slack.sim.archive('#ops');
  expect(await refused(update(kept))).toBe('is_inactive');
});

test('a text of more than 40,000 characters is cut', async ({ slack }) => {
  const long = await clientFor(slack).chat.postMessage({ channel: ops, text: 'x'.repeat(40_001) });
  expect(long.message?.text).toHaveLength(40_000);
});

test('the bot can look up people, groups and conversations', async ({ client }) => {
  const user = async (id: string) => (await client.users.info({ user: id })).user;
  expect(await user('U0GUEST001')).toMatchObject({ is_restricted: true, deleted: false });
  expect(await user('U0STRANGE1')).toMatchObject({ is_stranger: true, team_id: 'T0PARTNER1' });
  expect(await user('U0GONE0001')).toMatchObject({ deleted: true });
  expect((await refusal(client.users.info({ user: 'U0NOBODY01' }))).error).toBe('user_not_found');
  expect((await client.usergroups.users.list({ usergroup: 'S0OPS00001' })).users).toEqual(['U0OPERAT01', 'U0LEAD0001']);
  expect((await refusal(client.usergroups.users.list({ usergroup: 'S0NONE' }))).error).toBe('no_such_subteam');
  expect((await client.conversations.info({ channel: 'C0SHARED01' })).channel).toMatchObject({
    is_ext_shared: true,
    is_member: true,
  });
  const opened = await client.conversations.open({ users: 'U0LEAD0001', return_im: true });
  expect(opened.channel).toMatchObject({ is_im: true, user: 'U0LEAD0001' });
  expect((await client.conversations.open({ users: 'U0LEAD0001' })).channel?.id).toBe(opened.channel?.id);
  expect((await refusal(client.conversations.open({ users: 'U0GONE0001' }))).error).toBe('user_disabled');
  const present = { types: 'public_channel,private_channel', exclude_archived: true };
  const pages = await Array.fromAsync(client.paginate('conversations.list', { ...present, limit: 4 }));
  const names = pages.flatMap((page) => asDicts(asDict(page).channels).map(({ name }) => asText(name)));
  expect([pages.length, names]).toEqual([2, ['general', 'ops', 'dev', 'ops-private', 'partner-shared', 'random']]);
  expect((await client.conversations.members({ channel: ops, limit: 2 })).members).toHaveLength(2);
  const joined = await client.users.conversations(present);
  const shown = asDicts(asDict(joined).channels);
  expect(shown.map(({ name }) => name)).toEqual(names.filter((name) => name !== 'random'));
  expect(shown[0]).not.toHaveProperty('is_member');
});

test('a file is uploaded, shared in a thread and downloaded', async ({ slack, client }) => {
  const { ts = '' } = await client.chat.postMessage({ channel: ops, text: 'stats' });
  const png = Buffer.from([137, 80, 78, 71, 1, 2, 3]);
  await client.filesUploadV2({
    channel_id: ops,
    thread_ts: ts,
    initial_comment: 'CPU of *web-1*',
    file: png,
    filename: 'cpu.png',
    title: 'CPU',
  });
  expect(slack.sim.transcript('#ops')).toMatchInlineSnapshot(`
    "@hostler: stats
        @hostler: CPU of web-1
          (file: CPU)"
  `);
  const [stored] = slack.sim.files();
  const { file } = await client.files.info({ file: stored?.id ?? '' });
  expect(file).toMatchObject({ name: 'cpu.png', mimetype: 'image/png', size: 7, channels: [ops] });
  const get = (token: string) =>
    fetch(file?.url_private ?? '', { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' });
  expect(Buffer.from(await (await get(slack.botToken)).arrayBuffer())).toEqual(png);
  expect((await get('xoxb-wrong')).status).toBe(302);
  const picture = { type: 'image' as const, alt_text: 'curve', slack_file: { id: stored?.id ?? '' } };
  expect((await client.chat.postMessage({ channel: ops, text: 'again', blocks: [picture] })).ok).toBe(true);

  const url = await client.files.getUploadURLExternal({ filename: 'zone.txt', length: 3 });
  const early = client.files.completeUploadExternal({ files: [{ id: url.file_id ?? '' }], channel_id: ops });
  expect((await refusal(early)).error).toBe('file_not_found');
  const short = await fetch(url.upload_url ?? '', { method: 'POST', body: 'ab' });
  expect(short.status).toBe(400);
});

test('each channel takes a burst, and then one message a second', async () => {
  let nowMs = Date.now();
  const slack = await openSlack({ strictRates: true, clock: () => nowMs });
  const client = clientFor(slack);
  const post = (channel: string) => client.chat.postMessage({ channel, text: 'hi' });
  for (let n = 0; n < 5; n += 1) await post(ops);
  await expect(post(ops)).rejects.toMatchObject({ code: 'slack_webapi_rate_limited_error', retryAfter: 1 });
  expect((await post('C0DEV00001')).ok).toBe(true);
  nowMs += 1_000;
  expect((await post(ops)).ok).toBe(true);
  await expect(post(ops)).rejects.toMatchObject({ retryAfter: 1 });
});

test('a fault refuses, breaks, delays or loses a response', async ({ slack, client }) => {
  const post = () => client.chat.postMessage({ channel: ops, text: 'hi' });
  slack.sim.fault({ method: 'chat.postMessage', status: 429, retryAfterS: 7, count: 1 });
  await expect(post()).rejects.toMatchObject({ retryAfter: 7 });
  slack.sim.fault({ method: '*', status: 503, count: 1 });
  await expect(post()).rejects.toMatchObject({ code: 'slack_webapi_http_error', statusCode: 503 });
  slack.sim.fault({ method: 'chat.postMessage', errorCode: 'fatal_error', count: 1 });
  expect((await refusal(post())).error).toBe('fatal_error');
  expect(slack.sim.messages('#ops')).toHaveLength(0);
  slack.sim.fault({ method: 'chat.postMessage', isAnswerLost: true, count: 1 });
  await expect(post()).rejects.toMatchObject({ code: 'slack_webapi_request_error' });
  expect(slack.sim.messages('#ops')).toHaveLength(1);
  slack.sim.setDown(true);
  await expect(post()).rejects.toMatchObject({ code: 'slack_webapi_request_error' });
  slack.sim.setDown(false);
  expect((await post()).ok).toBe(true);
  expect(slack.sim.requests('chat.postMessage').map((request) => request.status)).toEqual([429, 503, 200, 200, 200]);
  expect(JSON.stringify(slack.sim.requests())).not.toContain(slack.botToken);
});
