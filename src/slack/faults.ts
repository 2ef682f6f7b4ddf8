import { z } from 'zod';
import { firstFew } from '../core/text/words.ts';
import { redact } from './log.ts';

/** The meaning of a failed call to Slack for what comes next. */
export type Fault =
  /** Slack asks to wait. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number }
  /** No answer, or one that says it is Slack's own trouble: whether it was done is not known. */
  | { readonly kind: 'away'; readonly why: string }
  /** Our token counts no more; only an admin can change that. */
  | { readonly kind: 'revoked'; readonly code: string }
  /** Slack understood and said no. */
  | { readonly kind: 'refused'; readonly code: string };

const revoked: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'team_disabled',
  'user_removed_from_team',
  'accesslimited',
]);

const passing: ReadonlySet<string> = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'update_failed',
  // The workspace, or the channel, is being moved, and takes messages again when it has moved.
  'org_login_required',
  'external_channel_migrating',
  // Everybody in the workspace sends too many messages at the moment.
  'message_limit_exceeded',
  // The owner of an organization took the key of its data away; what is to be said waits until it is back.
  'ekm_access_denied',
]);

/** Not a code of Slack: what stands for an answer without a bot. */
export const tokenOfPerson = 'token_of_person';

const answeredWords = 'Slack answered';

/** Explanations for codes that alone do not say what an admin has to do. */
const ofToken: Readonly<Record<string, string>> = {
  accesslimited: "the bot's address is not on the app's IP allow-list",
};

/** A call that Slack did not do, or that it did not say it has done. */
export class SlackError extends Error {
  readonly fault: Fault;
  /** Slack's messages about single arguments, such as a block that it refuses. */
  readonly details: readonly string[];
  constructor(fault: Fault, details: readonly string[] = []) {
    super(sayFault(fault));
    this.name = 'SlackError';
    this.fault = fault;
    this.details = details;
  }
}

/** Translates the `error` of a response. */
export function faultOfCode(given: string): Fault {
  const code = given.slice(0, 100);
  if (revoked.has(code)) return { kind: 'revoked', code };
  if (code === 'ratelimited' || code === 'rate_limited') return { kind: 'limited', retryAfterMs: 1_000 };
  if (passing.has(code)) return { kind: 'away', why: code };
  // The SDK calls an answer that is no JSON an error too; its text is not a code.
  return /^[a-z][a-z0-9_-]*$/.test(code) ? { kind: 'refused', code } : { kind: 'away', why: 'Slack answered no JSON' };
}

/** The errors of Bolt's own client, which opens the sockets. */
const ofSdk = {
  platform: z.object({ code: z.literal('slack_webapi_platform_error'), data: z.object({ error: z.string() }) }),
  limited: z.object({ code: z.literal('slack_webapi_rate_limited_error'), retryAfter: z.number() }),
  http: z.object({ code: z.literal('slack_webapi_http_error'), statusCode: z.number() }),
};

export function faultOf(error: unknown): Fault {
  if (error instanceof SlackError) return error.fault;
  const wait = ofSdk.limited.safeParse(error);
  if (wait.success) return { kind: 'limited', retryAfterMs: Math.max(1, wait.data.retryAfter) * 1_000 };
  const said = ofSdk.platform.safeParse(error);
  if (said.success) return faultOfCode(said.data.data.error);
  const status = ofSdk.http.safeParse(error);
  if (status.success) return { kind: 'away', why: `Slack answered ${status.data.statusCode}` };
  if (error instanceof z.ZodError) return { kind: 'away', why: `${answeredWords} something else: ${fieldsOf(error)}` };
  return { kind: 'away', why: error instanceof Error ? redact(error.message).slice(0, 200) : 'no answer' };
}

/** The fields of an answer that are not as documented, and nothing of what they say. */
function fieldsOf({ issues }: z.ZodError): string {
  return firstFew(
    issues.map(({ path, message }) => `${path.join('.') || 'the answer'} (${message})`),
    3,
  );
}

export function sayCode(code: string): string {
  const words = ofToken[code];
  return words === undefined ? code : `${code}, ${words}`;
}

export function sayFault(fault: Fault): string {
  switch (fault.kind) {
    case 'limited':
      return `Slack asks to wait ${Math.ceil(fault.retryAfterMs / 1_000)} s`;
    case 'away':
      return fault.why.startsWith(answeredWords) ? fault.why : `Slack did not answer: ${fault.why}`;
    case 'revoked':
      return fault.code === tokenOfPerson
        ? 'the token is one of a person, since Slack names no bot for it'
        : `Slack refuses the bot token: ${sayCode(fault.code)}`;
    case 'refused':
      return `Slack refused: ${fault.code}`;
  }
}

/** The remedy of the person who runs the bot. */
export function remedyOf({ kind }: Fault): string {
  if (kind === 'limited') return 'try again after that';
  return kind === 'away'
    ? 'check that this machine reaches Slack; status.slack.com shows whether Slack is down'
    : "compare SLACK_BOT_TOKEN with OAuth & Permissions in Slack's app settings";
}
