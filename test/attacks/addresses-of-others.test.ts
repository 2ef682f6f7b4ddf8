import { expect, test } from 'vitest';
import { uploadFiles } from '../../src/slack/outbound/upload.ts';
import { createSlackAddresses } from '../../src/slack/slack-addresses.ts';
import { createWeb } from '../../src/slack/web.ts';
import { connected, createFakeLog, listening, says, signed } from '../slack/support.ts';

// Slack's payloads and answers name addresses that the bot then calls. A leaked signing secret can write payloads, and
// the bot reaches hosts that others do not.

async function elsewhere() {
  const heard: string[] = [];
  const origin = await listening((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    request.resume();
    response.end('ok');
  });
  return { heard, origin };
}

const channel = { id: 'D0ELSE0001', name: 'directmessage' };
const user = { id: 'U0OPERAT01', username: 'operator' };
const common = { trigger_id: 'trigger-1', team: { id: 'T0HOSTLER1' }, user };
const payloads = {
  'a command': (address: string) => ({
    ...{ command: '/host', text: 'balance', user_id: user.id, channel_id: channel.id, team_id: common.team.id },
    ...{ trigger_id: common.trigger_id, response_url: address },
  }),
  'a click': (address: string) => ({
    payload: JSON.stringify({
      ...common,
      type: 'block_actions',
      channel,
      message: { ts: '1.1' },
      container: { type: 'message', message_ts: '1.1', channel_id: channel.id, is_ephemeral: true },
      actions: [
        { type: 'button', action_id: 'go:1', action_ts: '2.1', block_id: 'b', value: '{"do":"run","line":"balance"}' },
      ],
      response_url: address,
    }),
  }),
};

test.each(Object.entries(payloads))(
  'the answer to %s is not posted to a response_url of somebody else, and the log does not name it',
  async (_, payload) => {
    const { heard, origin } = await elsewhere();
    const { slack, connection, engine, log } = await connected({
      mode: 'http',
      engine: ({ messenger }) => ({
        handle: async (request) => {
          await messenger.postEphemeral(request.place, request.actor, says('€ 84.20')).catch(() => undefined);
          await messenger.replace(request, says('€ 84.20'));
        },
      }),
    });
    const body = new URLSearchParams(payload(`${origin}/latest/meta-data/`)).toString();
    const url = `http://127.0.0.1:${connection.port}/slack/events`;
    const { status } = await fetch(url, signed(body, slack.signingSecret));
    expect(status).toBe(200);
    await engine.handledCount(1);
    expect(heard).toEqual([]);
    expect(log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', text: expect.stringContaining('response_url') }),
    );
    expect(JSON.stringify(log.lines)).not.toContain('meta-data');
  },
);

test('a file is not sent to an address that is not of Slack', async () => {
  const { heard, origin } = await elsewhere();
  const api = await listening((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, upload_url: `${origin}/upload`, file_id: 'F0FILE0001' }));
  });
  const web = createWeb('xoxb-1', createFakeLog(), `${api}/api/`);
  const file = { name: 'zone.txt', title: 'Zone', alt: 'Zone', bytes: Buffer.from('www A 192.0.2.1') };
  const upload = (apiUrl: string) =>
    uploadFiles({ web, addresses: createSlackAddresses(`${apiUrl}/api/`) }, { channel: 'C0OPS00001' }, [file]);
  await expect(upload(api)).rejects.toThrow('sending a file to Slack: it gave an address that is elsewhere');
  expect(heard).toEqual([]);
  await upload(origin);
  expect(heard).toEqual(['POST /upload']);
});

const answers = 'https://hooks.slack.com/commands/T0/1/x';
const files = 'https://files.slack.com/files-pri/T0-F0/zone.txt';
const ofNobody = { isForAnswers: false, isOfFiles: false };

test.each([
  [answers, { isForAnswers: true, isOfFiles: true }],
  ['https://hooks.slack-gov.com/commands/T0/1/x', { isForAnswers: true, isOfFiles: true }],
  [files, { isForAnswers: false, isOfFiles: true }],
  ['https://files.slack-gov.com/files-pri/T0-F0/zone.txt', { isForAnswers: false, isOfFiles: true }],
  ['http://hooks.slack.com/x', ofNobody],
  ['https://hooks.slack.com:8443/x', { isForAnswers: false, isOfFiles: true }],
  ['https://hooks.slack.com.example.com/x', ofNobody],
  ['https://hooks.slack.com@example.com/x', ofNobody],
  ['https://somebody@hooks.slack.com/x', ofNobody],
  ['https://evilslack.com/x', ofNobody],
  ['https://hooks.slack.com./x', ofNobody],
  ['http://169.254.169.254/latest/meta-data/', ofNobody],
  ['file:///etc/passwd', ofNobody],
  ['no address', ofNobody],
])('an address is of Slack only as a whole: %s', (address, expected) => {
  const { isForAnswers, isOfFiles } = createSlackAddresses();
  expect({ isForAnswers: isForAnswers(address), isOfFiles: isOfFiles(address) }).toEqual(expected);
});

test('with SLACK_API_URL its origin counts like Slack, and no other port of the same host', () => {
  const { isForAnswers, isOfFiles } = createSlackAddresses('http://127.0.0.1:3001/api/');
  for (const is of [isForAnswers, isOfFiles]) {
    expect(is('http://127.0.0.1:3001/response/x')).toBe(true);
    expect(is('http://127.0.0.1:3002/response/x')).toBe(false);
    expect(is('http://127.0.0.1/response/x')).toBe(false);
  }
  expect(isForAnswers(answers)).toBe(true);
});
