import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, SocketModeReceiver } from '@slack/bolt';

/**
 * Bolt without changes, in a separate process, because it ends the process: `socket` keeps up one connection, `http`
 * takes requests. Says "ready" with its port when it is.
 */

const [mode, apiUrl = '', secret = ''] = process.argv.slice(2);
const authorize = async () => ({ botToken: 'xoxb-bare', botId: 'B0', botUserId: 'U0', teamId: 'T0' });

if (mode === 'socket') {
  const receiver = new SocketModeReceiver({
    appToken: secret,
    clientPingTimeout: 50,
    installerOptions: { clientOptions: { slackApiUrl: apiUrl, retryConfig: { retries: 0 } } },
  });
  await new App({ receiver, authorize }).start();
  process.stdout.write('ready 0\n');
} else {
  const receiver = new HTTPReceiver({ signingSecret: secret, endpoints: '/slack/events' });
  new App({ receiver, authorize }).use(async ({ next }) => next());
  const server = createServer((request, response) => receiver.requestListener(request, response));
  server.listen(0, '127.0.0.1', () => {
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`ready ${port}\n`);
  });
}
