import { slackApi } from './call.ts';

/** Checks the addresses in Slack's payloads before the bot requests them: its network and token are for Slack only. */

const answerOrigins = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];
const slackHosts = ['slack.com', 'slack-gov.com'];

export type SlackAddresses = ReturnType<typeof createSlackAddresses>;

export function createSlackAddresses(apiUrl = slackApi) {
  const api = new URL(apiUrl);
  const read = (address: string): URL | undefined => {
    const url = URL.parse(address);
    return url === null || url.username + url.password !== '' ? undefined : url;
  };
  return {
    /** Checks a `response_url`, to which the bot posts answers. The signing secret is enough to forge one. */
    isForAnswers: (address: string) => [...answerOrigins, api.origin].includes(read(address)?.origin ?? ''),
    /** Checks the address of an uploaded file, or of an upload. Anyone can link a file that is stored elsewhere. */
    isOfFiles: (address: string) => {
      const url = read(address);
      if (url === undefined || url.origin === api.origin) return url !== undefined;
      const hosts = [...slackHosts, api.hostname];
      return url.protocol === 'https:' && hosts.some((host) => `.${url.hostname}`.endsWith(`.${host}`));
    },
  };
}
