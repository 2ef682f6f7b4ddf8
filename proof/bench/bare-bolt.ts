import { App, SocketModeReceiver } from '@slack/bolt';

/** The reference app: it only acknowledges and posts one message. */
const { SLACK_API_URL = '', SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN, SLACK_SIGNING_SECRET = '', PORT } = process.env;
const clientOptions = { slackApiUrl: SLACK_API_URL };

const app =
  SLACK_APP_TOKEN === undefined
    ? new App({ token: SLACK_BOT_TOKEN, signingSecret: SLACK_SIGNING_SECRET, clientOptions })
    : new App({
        token: SLACK_BOT_TOKEN,
        receiver: new SocketModeReceiver({ appToken: SLACK_APP_TOKEN, installerOptions: { clientOptions } }),
        clientOptions,
      });

app.command('/host', async ({ ack, client, command }) => {
  await ack();
  await client.chat.postMessage({ channel: command.channel_id, text: 'done' });
});

await app.start(Number(PORT));
console.error('bare Bolt is ready');
