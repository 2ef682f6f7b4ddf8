import { requestPath } from '../../slack/manifest.ts';
import { CliError } from '../cli.ts';
import type { SettingsDraft } from './draft.ts';

/** The settings of HTTP mode: a signing secret, no app-level token, and the address that Slack posts to. */

export const isHttpMode = (draft: SettingsDraft): boolean =>
  draft.of('SLACK_APP_TOKEN') === '' && draft.of('SLACK_SIGNING_SECRET') !== '';

/** Writes the address and removes the app-level token, which would take precedence over the signing secret. */
export function chooseHttp(draft: SettingsDraft, requestUrl: string): void {
  const fixed = (['SLACK_APP_TOKEN', 'HOSTLER_PUBLIC_URL'] as const).find((name) => draft.fixedBy(name) !== undefined);
  if (fixed !== undefined) throw new CliError(`${fixed} is set in the environment. Leave it out for --request-url.`);
  if (draft.of('SLACK_APP_TOKEN') !== '') draft.save({ SLACK_APP_TOKEN: '' });
  draft.save({ HOSTLER_PUBLIC_URL: requestUrl });
}

/** The address that Slack posts to. */
export function addressOf(draft: SettingsDraft): string {
  const { publicUrl } = draft.config();
  if (publicUrl !== undefined) return publicUrl;
  throw new CliError('Give the address that Slack posts to: hostler setup --request-url https://hostler.example.com.');
}

/** Advice to retry: Slack sent its challenge when the app was created, before the bot could answer it. */
export function sayVerify(address: string): string {
  return `Slack posts to ${new URL(requestPath, address).href}: click Retry beside it under Event Subscriptions in Slack's app settings.`;
}
