import { expect } from 'vitest';
import { clientFor, openSlack, plain, section, test } from '../bolt.ts';

const ops = 'C0OPS00001';
const raw = (text: string) => ({ type: 'raw_text' as const, text });
const options = [{ text: plain('a'), value: 'a' }];

test('a message is written as a person reads it', async () => {
  const slack = await openSlack({ clock: () => Date.UTC(2026, 4, 10, 12) });
  const noonS = Date.UTC(2026, 4, 10, 12) / 1000;
  await clientFor(slack).chat.postMessage({
    channel: ops,
    text: 'fallback',
    blocks: [
      { type: 'header', text: plain('Restart web-1?') },
      {
        ...section(
          '*Asked* by <@U0LEAD0001> in <#C0DEV00001> for <!subteam^S0OPS00001>, snake_case_name stays, 2 * 3 * 4 too',
        ),
        fields: [
          { type: 'mrkdwn', text: '_Plan:_ `vps-2`' },
          { type: 'mrkdwn', text: `<!date^${noonS}^{date_short_pretty} {time}|noon>` },
        ],
        accessory: { type: 'button', action_id: 'help', text: plain('Help') },
      },
      { type: 'divider' },
      {
        type: 'context',
        elements: [{ type: 'mrkdwn', text: '<https://example.com/?a=1&amp;b=2|docs> &lt;!channel&gt; ~old~' }],
      },
      { type: 'table', rows: ['name state', 'web-1 on'].map((row) => row.split(' ').map(raw)) },
      {
        type: 'actions',
        elements: [
          { type: 'button', action_id: 'yes', text: plain('Confirm'), style: 'primary' },
          { type: 'static_select', action_id: 'pick', placeholder: plain('Server'), options },
        ],
      },
    ],
  });
  expect(slack.sim.transcript('#ops', 'lead')).toMatchInlineSnapshot(`
    "@hostler: Restart web-1?
      Asked by @lead in #dev for @ops, snake_case_name stays, 2 * 3 * 4 too
      Plan: \`vps-2\`
      today 8:00 AM
      [Help]
      ---
      docs <!channel> old
      name | state
      web-1 | on
      [Confirm] [Server ▾]"
  `);
});

test('text that is not escaped is interpreted, in code too', async ({ slack, client }) => {
  await client.chat.postMessage({
    channel: ops,
    text: 'bad: <!channel> `<!here>` good: &lt;!channel&gt; `&lt;@U0LEAD0001&gt;`',
  });
  expect(slack.sim.transcript('#ops')).toBe('@hostler: bad: @channel `@here` good: <!channel> `<@U0LEAD0001>`');
});

test('threads are indented, edits have the latest text, private messages a reader', async ({ slack, client }) => {
  const { ts = '' } = await client.chat.postMessage({ channel: ops, text: 'running' });
  await slack.sim.say('reader', '#ops', 'unrelated');
  await client.chat.postMessage({ channel: ops, thread_ts: ts, text: 'line one\nline two' });
  await client.chat.postEphemeral({ channel: ops, user: 'U0LEAD0001', text: 'only you' });
  await client.chat.update({ channel: ops, ts, text: 'done' });
  expect(slack.sim.transcript('#ops')).toMatchInlineSnapshot(`
    "@hostler: done
        @hostler: line one
          line two
    @reader: unrelated
    (only visible to @lead) @hostler: only you"
  `);
  expect(slack.sim.transcript('#ops', 'reader')).not.toContain('only you');
});

test('waitFor ends with the change that brings the text, and its error shows what was there', async ({ slack }) => {
  const waiting = slack.sim.waitFor(/he(l+)o/, { channel: '#ops' });
  await slack.sim.say('lead', '#ops', 'hello');
  expect(await waiting).toBe('@lead: hello');
  await expect(slack.sim.waitFor('goodbye', { channel: '#ops', timeoutMs: 20 })).rejects.toThrow(
    'waited 20 ms for goodbye in #ops; this is what there is:\n#ops:\n@lead: hello',
  );
});
