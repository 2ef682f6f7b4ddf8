import { expect, test } from 'vitest';
import { connected, signed } from '../slack/support.ts';

// In HTTP mode the address for Slack's requests is open to everybody. Operators see forged requests in a metric.

const command = new URLSearchParams({ command: '/host', text: 'restart web-1', user_id: 'U0OPERAT01' }).toString();

const sent = (body: string, type?: string) => signed(body, 'guessed', type === undefined ? {} : { type });

test.each([
  ['signed with a guessed secret', () => sent(command), 401],
  ['malformed: no object', () => sent(new URLSearchParams({ payload: 'null' }).toString()), 400],
  ['malformed: a number as JSON', () => sent('7', 'json'), 400],
  ['too large', () => sent(`text=${'x'.repeat(1_100_000)}`), 413],
] as const)('a forged request is refused and counted: %s', async (_, request, refusal) => {
  let counted = 0;
  const { connection, engine } = await connected({ mode: 'http', hooks: { onSignatureFailure: () => counted++ } });
  const { status } = await fetch(`http://127.0.0.1:${connection.port}/slack/events`, request());
  expect(status).toBe(refusal);
  expect(counted).toBe(1);
  expect(engine.received).toEqual([]);
});
