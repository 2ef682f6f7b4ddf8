import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { noiseOf } from '../../../sandbox/page-server/noise.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { clientFor } from '../slack/bolt.ts';

async function open(): Promise<Sandbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hostler-noise-'));
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir });
  onTestFinished(async () => {
    await sandbox.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return sandbox;
}

const act = (url: string, name: string, as: string, input: unknown) =>
  fetch(`${url}/act/${name}?as=${as}`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });

/** The first entries that the page of this person gets. */
async function entriesFor(url: string, as: string): Promise<Map<string, unknown>> {
  const stop = new AbortController();
  const response = await fetch(`${url}/live?as=${as}`, { signal: stop.signal });
  let text = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const line = /^data: (.*)\n\n/m.exec(text)?.[1];
    if (line === undefined) continue;
    stop.abort();
    return new Map<string, unknown>(JSON.parse(line).set);
  }
  throw new Error('the stream ended before it began');
}

const ops = 'C0OPS00001';

test('a posted message counts as a ping for each person whom Slack notifies, and an edit does not', async () => {
  const { slack, url } = await open();
  const { chat, conversations } = clientFor(slack);
  const { ts = '' } = await chat.postMessage({ channel: ops, text: 'plain' });
  await chat.update({ channel: ops, ts, text: 'now for <@U0OPERAT01>' });
  const section = (text: string) => [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text } }];
  await chat.postMessage({ channel: ops, text: 'group', blocks: section('for <!subteam^S0OPS00001>') });
  await chat.postMessage({
    channel: ops,
    thread_ts: ts,
    text: 'rich',
    blocks: [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U0LEAD0001' }] }],
      },
    ],
  });
  // Plain text is never read as markup, and a person who is not in the channel is not notified.
  await chat.postMessage({
    channel: ops,
    text: 'partner <@U0STRANGE1>',
    blocks: [{ type: 'header', text: { type: 'plain_text', text: '<@U0READER01>' } }],
  });
  await chat.postEphemeral({ channel: ops, user: 'U0OPERAT01', text: 'for <@U0OPERAT01>' });
  const { channel } = await conversations.open({ users: 'U0LEAD0001' });
  await chat.postMessage({ channel: channel?.id ?? '', text: 'direct' });

  const counts = () => {
    const { posts, replies, people } = noiseOf(slack.sim.state(), {});
    return { posts, replies, ...Object.fromEntries(people.map(({ id, ...more }) => [id, more])) };
  };
  expect(counts()).toMatchObject({
    posts: 3,
    replies: 1,
    U0OPERAT01: { pings: 1, direct: 0, answers: 1 },
    U0LEAD0001: { pings: 2, direct: 1, answers: 0 },
    U0READER01: { pings: 0, direct: 0 },
    U0STRANGE1: { pings: 0, direct: 0, unread: 0 },
  });
  await chat.postMessage({ channel: ops, text: '<!here>' });
  expect(counts()).toMatchObject({ U0READER01: { pings: 1 }, U0GUEST001: { pings: 1 }, U0STRANGE1: { pings: 0 } });

  const unread = (entries: Map<string, unknown>, id: string) =>
    (entries.get('noise') as ReturnType<typeof noiseOf>).people.find((one) => one.id === id)?.unread;
  const before = unread(await entriesFor(url, 'operator'), 'U0OPERAT01') ?? 0;
  const last = slack.sim.messages('#ops').at(-1)?.ts ?? '';
  await act(url, 'read', 'operator', { where: ops, ts: last });
  // The reply in the thread is not seen yet, nor the messages of other channels.
  const inOps = slack.sim.messages('#ops').filter(({ threadTs }) => threadTs === undefined).length;
  expect(unread(await entriesFor(url, 'operator'), 'U0OPERAT01')).toBe(before - inOps);
});

test('the 429 of Slack can be switched on and off, and starting over ends it', async () => {
  const { slack, url } = await open();
  const { chat } = clientFor(slack);
  const status = () =>
    chat.postMessage({ channel: ops, text: 'x' }).then(
      () => 200,
      (error: { retryAfter?: number }) => error.retryAfter,
    );
  const flip = (isOn: boolean) => act(url, 'switch', 'operator', { name: 'slackThrottled', isOn });
  await flip(true);
  expect(await status()).toBe(3);
  expect((await entriesFor(url, 'operator')).get('switches')).toContainEqual(
    expect.objectContaining({ name: 'slackThrottled', isOn: true }),
  );
  await flip(false);
  expect(await status()).toBe(200);
  await flip(true);
  await fetch(`${url}/start-over`, { method: 'POST', headers: { origin: url } });
  expect(await status()).toBe(200);
});

test('the page offers the command and the shortcuts of the manifest, but no arguments of the command', async () => {
  const { url } = await open();
  const { features } = parse(await readFile('manifest.yml', 'utf8'));
  const [{ command, usage_hint, description }] = features.slash_commands;
  const entries = await entriesFor(url, 'operator');
  expect(entries.get('command')).toEqual({ name: command, hint: usage_hint, description });
  const ofType = (type: string) =>
    features.shortcuts
      .filter((one: { type: string }) => one.type === type)
      .map(({ callback_id, name }: { callback_id: string; name: string }) => ({ id: callback_id, name }));
  expect(entries.get('shortcuts')).toEqual({ global: ofType('global'), message: ofType('message') });
  expect(JSON.stringify([...entries])).not.toContain('hard-reset');
});
