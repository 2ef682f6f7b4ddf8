import { createHash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type ProviderOptions, type SimulatedProvider, startProvider } from '../../../sandbox/provider/server.ts';
import { type SimulatedSlack, startSlack } from '../../../sandbox/slack/server.ts';

/** The simulators a bot is connected to, and the settings that connect it. */

export const adminId = 'U0ADMIN001';
export const secretKey = createHash('sha256').update('the key of these tests').digest('base64');

/** The settings that lead a bot to a Slack and a provider, with Socket Mode. */
export const settingsOf = (slack: SimulatedSlack, provider: SimulatedProvider) => ({
  SLACK_BOT_TOKEN: slack.botToken,
  SLACK_APP_TOKEN: slack.appToken,
  SLACK_API_URL: slack.apiUrl,
  HOST_API_URL: provider.url,
  HOST_API_KEY: provider.key,
  HOSTLER_ADMINS: adminId,
  HOSTLER_SECRET_KEY: secretKey,
  HOSTLER_DNS_PROPAGATION: 'off',
});

/** A workspace and an account that are there as long as the test. */
export async function openSimulators(options: ProviderOptions = {}) {
  const slack = await startSlack();
  const provider = await startProvider(options);
  onTestFinished(async () => {
    await slack.close();
    await provider.close();
  });
  return { slack, provider, settings: settingsOf(slack, provider) };
}
