import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { connected } from '../slack/support.ts';

// In HTTP mode the address for Slack's requests is open to everybody. Operators see forged requests in a metric.

const command = new URLSearchParams({ command: '/host', text: 'restart web-1', user_id: 'U0OPERAT01' }).toString();

function sent(
  body: string,
  { secret = 'guessed', at = Math.floor(Date.now() / 1_000), type = 'x-www-form-urlencoded' },
) {
  const mac = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': `application/${type}`,
      'x-slack-request-timestamp': String(at),
      'x-slack-signature': `v0=${mac}`,
    },
  };
}

test.each([
  ['signed with a guessed secret', () => sent(command, {}), 401],
  ['malformed: no object', () => sent(new URLSearchParams({ payload: 'null' }).toString(), {}), 400],
  ['malformed: a number as JSON', () => sent('7', { type: 'json' }), 400],
  ['too large', () => sent(`text=${'x'.repeat(1_100_000)}`, {}), 413],
] as const)('a forged request is refused and counted: %s', async (_, request, refusal) => {
  let counted = 0;
  const { connection, engine } = await connected({ mode: 'http', hooks: { onSignatureFailure: () => counted++ } });
  const { status } = await fetch(`http://127.0.0.1:${connection.port}/slack/events`, request());
  expect(status).toBe(refusal);
  expect(counted).toBe(1);
  expect(engine.received).toEqual([]);
});
