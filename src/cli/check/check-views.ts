import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { loadCommands } from '../../commands/load-commands.ts';
import { jsonIn } from '../../core/text/json.ts';
import { count } from '../../core/text/words.ts';
import { CliError } from '../../core/view/errors.ts';
import { slackApi, timeLimits } from '../../slack/call.ts';
import { reasonOf } from '../cli.ts';
import type { CheckResult } from './check-result.ts';
import { type NamedView, namedView, ownViews } from './own-views.ts';

/** Sends views to Slack's blocks.validate, which needs no token, and reports the refusals. */

const mostTries = 5;

const validation = z.looseObject({ ok: z.boolean(), error: z.string().default('') });

const refusals = z.array(
  z.looseObject({ pointer: z.string().default(''), code: z.string().default(''), message: z.string().default('') }),
);

export async function* checkViews(apiUrl = slackApi, folder?: string): AsyncGenerator<CheckResult> {
  const own = ownViews(await loadCommands());
  const kept = folder === undefined ? [] : await readViews(folder);
  let refused = 0;
  for (const view of [...own, ...kept]) {
    const refusals = await refusalsOf(apiUrl, view).catch((error: unknown) => {
      throw new CliError(`asking ${apiUrl}blocks.validate: ${reasonOf(error)}`);
    });
    if (refusals.length > 0) refused += 1;
    for (const text of refusals) yield { is: 'bad', about: view.surface, text: `${view.command}: ${text}` };
  }
  const ofFolder = folder === undefined ? '' : ` and ${count(kept.length, 'view')} of ${folder}`;
  const all = `${count(own.length, 'view')} of the code${ofFolder}`;
  yield refused === 0
    ? { is: 'good', about: 'views', text: `Slack takes all: ${all}` }
    : { is: 'bad', about: 'views', text: `Slack refuses ${refused} of ${own.length + kept.length}: ${all}` };
}

async function refusalsOf(apiUrl: string, { surface, payload }: NamedView): Promise<string[]> {
  const answer = await validateBlocks(apiUrl, surface === 'message' ? 'message' : 'view', payload);
  if (answer.ok) return [];
  if (answer.errors === undefined) return [answer.error];
  return refusals.parse(answer.errors).map(({ pointer, code, message }) => `${pointer} ${message} (${code})`);
}

async function readViews(folder: string): Promise<NamedView[]> {
  const names = await readdir(folder).catch(() => {
    throw new CliError(`There is no folder ${folder}. npm --prefix proof run views makes one in the source tree.`);
  });
  const files = names.filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const view = namedView.safeParse(jsonIn(text));
      if (view.success) return view.data;
      throw new CliError(`${join(folder, name)} is not a view from npm --prefix proof run views.`);
    }),
  );
}

/** Calls Slack's blocks.validate and returns its response, even a refusal; waits and retries when rate-limited. */
async function validateBlocks(apiUrl: string, field: 'message' | 'view', payload: unknown) {
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
