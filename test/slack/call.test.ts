import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createCall } from '../../src/slack/call.ts';
import { faultOf, sayFault } from '../../src/slack/faults.ts';

test('an answer of Slack that trickles ends the call after the time for the whole answer', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const call = createCall('xoxb-1', `http://127.0.0.1:${port}/api/`, undefined, 100);
  const error = await call('chat.postMessage', { channel: 'C1', text: 'web-1 restarted.' }).catch((thrown) => thrown);
  expect(sayFault(faultOf(error))).toBe('Slack did not answer: it took too long');
});
