import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { timeLimits } from '../../slack/call.ts';

export const slackApi = 'https://slack.com/api/';
const mostTries = 5;

const answer = z.looseObject({
  ok: z.boolean(),
  error: z.string().default(''),
  response_metadata: z.looseObject({ messages: z.array(z.string()).default([]) }).optional(),
});
export type SlackAnswer = z.infer<typeof answer>;

/** Calls a method of Slack's Web API and returns its response, even a refusal; waits and retries when rate-limited. */
export type AskSlack = (method: string, args: Readonly<Record<string, unknown>>) => Promise<SlackAnswer>;

export function createAskSlack(apiUrl: string | undefined, token?: string): AskSlack {
  const base = apiUrl ?? slackApi;
  return async (method, args) => {
    for (let tries = 1; ; tries += 1) {
      const { statusCode, headers, body } = await request(`${base.replace(/\/?$/, '/')}${method}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: new URLSearchParams(
          Object.entries(args).map(([name, value]): [string, string] => [name, asField(value)]),
        ).toString(),
        ...timeLimits(),
      });
      if (statusCode === 200) return answer.parse(await body.json());
      await body.dump();
      if (statusCode !== 429 || tries === mostTries) throw new Error(`Slack answered ${statusCode} to ${method}`);
      await sleep(Math.max(1, Number(headers['retry-after']) || 1) * 1_000);
    }
  };
}

const asField = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
