import { App, HTTPReceiver, type Logger, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { test as base, onTestFinished } from 'vitest';
import { type SimulatedSlack, type SlackOptions, startSlack } from '../../../sandbox/slack/server.ts';

/** The bot of these tests is Bolt itself, whose log does not matter here. */
const silent: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

export async function openSlack(options: SlackOptions = {}): Promise<SimulatedSlack> {
  const slack = await startSlack(options);
  onTestFinished(() => slack.close());
  return slack;
}

const clientOptions = (slack: SimulatedSlack) => ({
  slackApiUrl: slack.apiUrl,
  retryConfig: { retries: 0 },
  timeout: 5_000,
});

interface SocketOptions {
  /**
   * The time before the client reconnects, and for the answer to a ping. On a busy machine that answer may take a
   * while, and a client that reconnects while it is closed rejects a promise that nobody handles.
   */
  readonly reconnectMs?: number;
}

export async function openSocketApp(
  slack: SimulatedSlack,
  prepare: (app: App) => void = () => {},
  { reconnectMs = 5_000 }: SocketOptions = {},
): Promise<void> {
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken,
    logger: silent,
    clientPingTimeout: reconnectMs,
    installerOptions: { clientOptions: clientOptions(slack) },
  });
  const app = new App({ token: slack.botToken, receiver, logger: silent, clientOptions: clientOptions(slack) });
  prepare(app);
  await app.start();
  onTestFinished(async () => void (await app.stop()));
}

/** An app that acknowledges every `/host`: the texts as they reach it. */
export async function hearCommands(slack: SimulatedSlack, options?: SocketOptions): Promise<readonly string[]> {
  const texts: string[] = [];
  const hear = (app: App) =>
    app.command('/host', async ({ command, ack }) => {
      texts.push(command.text);
      await ack();
    });
  await openSocketApp(slack, hear, options);
  return texts;
}

/** HTTP mode: the bot listens, and Slack gets its address. */
export async function openHttpApp(slack: SimulatedSlack, prepare: (app: App) => void): Promise<void> {
  const receiver = new HTTPReceiver({ signingSecret: slack.signingSecret, logger: silent });
  const app = new App({ token: slack.botToken, receiver, logger: silent, clientOptions: clientOptions(slack) });
  prepare(app);
  const server = await receiver.start(0);
  onTestFinished(() => {
    server.closeAllConnections();
    return receiver.stop();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  slack.sim.setRequestUrl(`http://127.0.0.1:${port}/slack/events`);
}

export const clientFor = (slack: SimulatedSlack, token: string = slack.botToken): WebClient =>
  new WebClient(token, { ...clientOptions(slack), logger: silent, rejectRateLimitedCalls: true });

/** The error code of a call that Slack refuses. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ error: string; messages: string[]; data: Record<string, unknown> }> {
  try {
    await call;
  } catch (error) {
    // The SDK's platform error carries Slack's answer; its type does not say so for every method.
    const { data } = error as { data?: { error: string; response_metadata?: { messages?: string[] } } };
    if (data === undefined) throw error;
    return { error: data.error, messages: data.response_metadata?.messages ?? [], data };
  }
  throw new Error('the call was expected to be refused, and it was not');
}

export const section = (text: string) => ({ type: 'section' as const, text: { type: 'mrkdwn' as const, text } });

export const plain = (text: string) => ({ type: 'plain_text' as const, text });

/** Tests that begin with such a Slack, and with a client of its app. */
export const test = base.extend('slack', () => openSlack()).extend('client', ({ slack }) => clientFor(slack));
