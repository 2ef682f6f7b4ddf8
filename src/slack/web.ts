import { z } from 'zod';
import { defined } from '../core/text/defined.ts';
import type { Log } from '../engine/context/dependencies.ts';
import { callTimeoutMs, createCall } from './call.ts';
import { type Fault, faultOf, sayCode } from './faults.ts';
import { boltLogger } from './slack-log.ts';

/** All Web API methods that the bot calls, with their scopes. A test compares the manifest with this table. */
export const methods = {
  'auth.test': [],
  'chat.delete': ['chat:write'],
  'chat.getPermalink': [],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.members': ['channels:read', 'groups:read'],
  'conversations.open': ['im:write'],
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'files.info': ['files:read'],
  'usergroups.list': ['usergroups:read'],
  'users.conversations': ['channels:read', 'groups:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
} as const satisfies Record<string, readonly string[]>;
export type WebMethod = keyof typeof methods;

/** Scopes that a workspace may decline (`bot_optional` in the manifest): the bot works without them. */
export const optionalScopes: readonly string[] = ['files:read'];

/** The scopes that the bot needs: for the methods above, commands, mentions and direct messages. */
export const neededScopes: readonly string[] = [
  ...new Set<string>([...Object.values(methods).flat(), 'commands', 'app_mentions:read', 'im:history']),
].filter((scope) => !optionalScopes.includes(scope));

export type Web = ReturnType<typeof createWeb>;

export interface CallHooks {
  /** Called with `ok` or the kind of fault, for metrics. */
  readonly onCall?: (method: WebMethod, outcome: 'ok' | Fault['kind'], ms: number) => void;
}

/** Options for the clients in Bolt, which by default retry a hundred times and never time out. */
export function clientOptions(log: Log, apiUrl: string | undefined) {
  return {
    retryConfig: { retries: 0 },
    timeout: callTimeoutMs,
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger: boltLogger(log),
    ...defined({ slackApiUrl: apiUrl }),
  };
}

export function createWeb(token: string, log: Log, apiUrl: string | undefined, hooks: CallHooks = {}, now = Date.now) {
  let aheadMs = 0;
  const send = createCall(token, apiUrl, (slackMs) => {
    aheadMs = slackMs - now();
  });
  let revoked: string | undefined;
  const revoke = (why: string) => {
    if (revoked === undefined) {
      log.error(
        { why: sayCode(why) },
        why === 'accesslimited'
          ? 'Slack takes no call from this address: nothing can be said or read until an admin puts it on the IP allow-list of the app'
          : 'Slack refuses the bot token: nothing can be said or read until an admin installs the app again and sets SLACK_BOT_TOKEN',
      );
    }
    revoked = why;
  };
  return {
    /** Rejects with an error that faultOf reads. */
    async call<S extends z.ZodType>(method: WebMethod, args: Record<string, unknown>, answer: S): Promise<z.output<S>> {
      const startedAt = performance.now();
      const done = (outcome: 'ok' | Fault['kind']) => hooks.onCall?.(method, outcome, performance.now() - startedAt);
      try {
        const result = await send(method, wellFormed(args));
        if (revoked !== undefined) log.info({ method }, 'Slack takes the bot token again');
        revoked = undefined;
        done('ok');
        return answer.parse(result);
      } catch (error) {
        const fault = faultOf(error);
        if (!(error instanceof z.ZodError)) done(fault.kind);
        if (fault.kind === 'revoked') revoke(fault.code);
        throw error;
      }
    },
    /** Undefined while the token works. */
    revoked: () => revoked,
    revoke,
    /** How far Slack's clock is ahead of the machine's, by the last response. */
    aheadMs: () => aheadMs,
  };
}

/** Replaces lone surrogates, which cannot be sent, in ids from outside and in cut texts. */
function wellFormed(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : value]),
  );
}

const cursors = z.object({
  response_metadata: z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' }),
});

/** Reads the pages of a list, at most this many; `isCut` if Slack has more. */
export async function readPages<S extends z.ZodObject>(
  web: Web,
  method: WebMethod,
  args: Readonly<Record<string, unknown>>,
  page: S,
  most: number,
): Promise<{ readonly pages: readonly z.output<S>[]; readonly isCut: boolean }> {
  const pages: z.output<S>[] = [];
  let cursor = '';
  do {
    const answer = await web.call(method, { ...args, ...(cursor === '' ? {} : { cursor }) }, z.looseObject({}));
    pages.push(page.parse(answer));
    cursor = cursors.parse(answer).response_metadata.next_cursor;
  } while (cursor !== '' && pages.length < most);
  return { pages, isCut: cursor !== '' };
}
