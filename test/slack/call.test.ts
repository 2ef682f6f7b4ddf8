import { expect, test } from 'vitest';
import { createCall } from '../../src/slack/call.ts';
import { faultOf, sayFault } from '../../src/slack/faults.ts';
import { listening } from './support.ts';

test('an answer of Slack that trickles ends the call after the time for the whole answer', async () => {
  const origin = await listening((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drip));
  });
  const call = createCall('xoxb-1', `${origin}/api/`, undefined, 100);
  const error = await call('chat.postMessage', { channel: 'C1', text: 'web-1 restarted.' }).catch((thrown) => thrown);
  expect(sayFault(faultOf(error))).toBe('Slack did not answer: it took too long');
});
