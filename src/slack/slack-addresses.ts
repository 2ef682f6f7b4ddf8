/** One rule for each address that Slack sends and the bot then asks: the bot's network and its token are for Slack only. */

const answerOrigins = ['https://hooks.slack.com', 'https://hooks.slack-gov.com'];
const slackHosts = ['slack.com', 'slack-gov.com'];

export interface SlackAddresses {
  /** A `response_url`, to which the bot posts answers. The signing secret is enough to send one. */
  readonly isForAnswers: (address: string) => boolean;
  /** The address of an uploaded file, or the one to upload a file to. Anybody may link a file that is stored elsewhere. */
  readonly isOfFiles: (address: string) => boolean;
}

export function createSlackAddresses(apiUrl = 'https://slack.com/api/'): SlackAddresses {
  const api = new URL(apiUrl);
  const read = (address: string): URL | undefined => {
    const url = URL.parse(address);
    return url === null || url.username + url.password !== '' ? undefined : url;
  };
  return {
    isForAnswers: (address) => [...answerOrigins, api.origin].includes(read(address)?.origin ?? ''),
    isOfFiles: (address) => {
      const url = read(address);
      if (url === undefined || url.origin === api.origin) return url !== undefined;
      const hosts = [...slackHosts, api.hostname];
      return url.protocol === 'https:' && hosts.some((host) => `.${url.hostname}`.endsWith(`.${host}`));
    },
  };
}
