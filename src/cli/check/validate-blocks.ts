import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { timeLimits } from '../../slack/call.ts';

export const slackApi = 'https://slack.com/api/';
const mostTries = 5;

const validation = z.looseObject({ ok: z.boolean(), error: z.string().default('') });

/** Calls Slack's blocks.validate and returns its response, even a refusal; waits and retries when rate-limited. */
export async function validateBlocks(
  apiUrl: string,
  field: 'message' | 'view',
  payload: unknown,
): Promise<z.infer<typeof validation>> {
  for (let tries = 1; ; tries += 1) {
    const { statusCode, headers, body } = await request(`${apiUrl.replace(/\/?$/, '/')}blocks.validate`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ [field]: JSON.stringify(payload) }).toString(),
      ...timeLimits(),
    });
    if (statusCode === 200) return validation.parse(await body.json());
    await body.dump();
    if (statusCode !== 429 || tries === mostTries) throw new Error(`Slack answered ${statusCode} to blocks.validate`);
    await sleep(Math.max(1, Number(headers['retry-after']) || 1) * 1_000);
  }
}
