import { hash, randomBytes } from 'node:crypto';
import { tokenPrefix } from '../../../src/engine/alerts/make-hook.ts';
import { shortId } from '../../../src/engine/context/request.ts';
import { ops, people } from './fake-slack.ts';
import type { TestBot } from './test-bot.ts';

/** A machine with a token, and its calls to a replica. */

interface TokenOptions {
  readonly maker?: string;
  readonly channel?: string;
  readonly name?: string;
  readonly mayWrite?: boolean;
  readonly expiresAt?: number;
}

export async function machineOf(bot: TestBot, options: TokenOptions = {}) {
  const { maker = 'operator', channel = ops, name = 'ci', mayWrite = true } = options;
  const secret = randomBytes(32).toString('base64url');
  const id = shortId(secret);
  const times = { expiresAt: options.expiresAt ?? bot.now() + 90 * 86_400_000, mayWrite: mayWrite ? 1 : 0 };
  const createdBy = people[maker] ?? maker;
  await bot.store.hooks.add({
    id,
    kind: 'token',
    name,
    channel,
    tokenHash: hash('sha256', secret),
    createdBy,
    ...times,
  });
  return { id, ...callerOf(bot, `${tokenPrefix}${id}.${secret}`) };
}

/** The calls with a token, such as one that the bot has made. */
export function callerOf(bot: TestBot, token: string) {
  let calls = 0;
  // Answers are what a machine reads, of any shape.
  // biome-ignore lint/suspicious/noExplicitAny: the tests read their fields.
  async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const replica = bot.replicas[calls++ % bot.replicas.length];
    const answer = await replica?.receiveCall({
      method,
      path,
      headers: { authorization: `Bearer ${token}` },
      encoding: undefined,
      isGone: () => false,
      read: async () => Buffer.from(JSON.stringify(body)),
    });
    return { status: answer?.status ?? 0, body: answer?.body };
  }
  return {
    token,
    call,
    run: (line: string | readonly string[], more: object = {}) =>
      call('POST', '/api/run', { line, key: `k${calls}`, ...more }),
    follow: (request: string, wait = 0) => call('GET', `/api/requests/${request}?wait=${wait}`),
    withdraw: (request: string) => call('DELETE', `/api/requests/${request}`),
  };
}
