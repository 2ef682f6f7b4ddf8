import { expect, test } from 'vitest';
import { noiseOf } from '../../../sandbox/page-server/noise.ts';
import { clientFor, plain, section } from '../slack/bolt.ts';
import { act, entriesFor, open } from './open.ts';

const ops = 'C0OPS00001';

test('a posted message counts as a ping for each person whom Slack notifies, and an edit does not', async () => {
  const { slack, url } = await open();
  const { chat, conversations } = clientFor(slack);
  const { ts = '' } = await chat.postMessage({ channel: ops, text: 'plain' });
  await chat.update({ channel: ops, ts, text: 'now for <@U0OPERAT01>' });
  const rich = [{ type: 'rich_text_section' as const, elements: [{ type: 'user' as const, user_id: 'U0LEAD0001' }] }];
  await chat.postMessage({ channel: ops, text: 'group', blocks: [section('for <!subteam^S0OPS00001>')] });
  const blocks = [{ type: 'rich_text' as const, elements: rich }];
  await chat.postMessage({ channel: ops, thread_ts: ts, text: 'rich', blocks });
  // Plain text is never read as markup, and a person who is not in the channel is not notified.
  const header = { type: 'header' as const, text: plain('<@U0READER01>') };
  await chat.postMessage({ channel: ops, text: 'partner <@U0STRANGE1>', blocks: [header] });
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
