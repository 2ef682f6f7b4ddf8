import { z } from 'zod';
import { firstFew, wordSet } from '../core/text/words.ts';
import { redact } from './slack-log.ts';

/** The kind of a failed call to Slack, which decides about the next attempt. */
export type Fault =
  /** Slack limits the rate of calls. */
  | { readonly kind: 'limited'; readonly retryAfterMs: number }
  /** No response, or an error on Slack's side: it is unknown whether the call took effect. */
  | { readonly kind: 'away'; readonly why: string }
  /** The token is no longer valid; only an admin can change that. */
  | { readonly kind: 'revoked'; readonly code: string }
  /** Slack understood the call and refused it. */
  | { readonly kind: 'refused'; readonly code: string };

const revoked = wordSet(
  'invalid_auth not_authed account_inactive token_revoked token_expired team_disabled user_removed_from_team',
  'accesslimited',
);

const passing = wordSet(
  'internal_error fatal_error service_unavailable request_timeout team_added_to_org update_failed',
  // The workspace or the channel is being moved, and accepts messages again afterward.
  'org_login_required external_channel_migrating',
  // The whole workspace is currently sending too many messages.
  'message_limit_exceeded',
  // The organization has revoked the encryption key of its data; messages wait until the key is back.
  'ekm_access_denied',
);

/** Slack will never accept this message in this place or from this app. */
export const final = wordSet(
  'access_denied cannot_dm_bot channel_not_found is_archived',
  // Slack's code for an edit in a frozen, archived or deleted channel.
  'is_inactive messages_tab_disabled missing_scope no_permission not_allowed_token_type not_in_channel',
  'restricted_action restricted_action_non_threadable_channel restricted_action_read_only_channel',
  'restricted_action_thread_locked restricted_action_thread_only_channel team_access_not_granted',
  'thread_locked user_disabled user_not_found user_not_visible',
  // Slack refused even the plain text, the last rung of the ladder.
  'invalid_arguments invalid_attachments invalid_blocks invalid_blocks_format msg_blocks_too_long',
  'msg_too_long no_text',
);
/** The message was deleted or cannot be edited; the bot posts it again. */
export const gone = wordSet('message_not_found cant_update_message edit_window_closed');
/** The parent accepts no replies. A deleted parent is not an error: Slack posts the reply to the channel. */
export const takesNoReplies = wordSet('thread_not_found cannot_reply_to_message invalid_thread_ts');

/** Our own code, for a response of auth.test without a bot. */
export const tokenOfPerson = 'token_of_person';

const answeredWords = 'Slack answered';

/** A call that failed, or whose result is unknown. */
export class SlackError extends Error {
  readonly fault: Fault;
  /** Slack's messages about single arguments, such as a refused block. */
  readonly details: readonly string[];
  constructor(fault: Fault, details: readonly string[] = []) {
    super(sayFault(fault));
    this.name = 'SlackError';
    this.fault = fault;
    this.details = details;
  }
}

export function faultOfCode(text: string): Fault {
  const code = text.slice(0, 100);
  if (revoked.has(code)) return { kind: 'revoked', code };
  if (code === 'ratelimited' || code === 'rate_limited') return { kind: 'limited', retryAfterMs: 1_000 };
  if (passing.has(code)) return { kind: 'away', why: code };
  // The SDK also reports a response that is not JSON; its text is not a code.
  return /^[a-z][a-z0-9_-]*$/.test(code) ? { kind: 'refused', code } : { kind: 'away', why: 'Slack answered no JSON' };
}

/** The errors of Bolt's client, which opens the sockets. */
const sdkError = z.discriminatedUnion('code', [
  z.object({ code: z.literal('slack_webapi_platform_error'), data: z.object({ error: z.string() }) }),
  z.object({ code: z.literal('slack_webapi_rate_limited_error'), retryAfter: z.number() }),
  z.object({ code: z.literal('slack_webapi_http_error'), statusCode: z.number() }),
]);

export function faultOf(error: unknown): Fault {
  if (error instanceof SlackError) return error.fault;
  const { data: sdk } = sdkError.safeParse(error);
  if (sdk?.code === 'slack_webapi_platform_error') return faultOfCode(sdk.data.error);
  if (sdk?.code === 'slack_webapi_http_error') return { kind: 'away', why: `Slack answered ${sdk.statusCode}` };
  if (sdk !== undefined) return { kind: 'limited', retryAfterMs: Math.max(1, sdk.retryAfter) * 1_000 };
  if (error instanceof z.ZodError) return { kind: 'away', why: `${answeredWords} something else: ${fieldsOf(error)}` };
  if (error instanceof Error && /^(Headers)?TimeoutError$/.test(error.name))
    return { kind: 'away', why: 'it took too long' };
  return { kind: 'away', why: error instanceof Error ? redact(error.message).slice(0, 200) : 'no answer' };
}

/** The fields of a response that are not as documented, without their values. */
function fieldsOf({ issues }: z.ZodError): string {
  return firstFew(issues, 3, ({ path, message }) => `${path.join('.') || 'the answer'} (${message})`);
}

/** Turns Slack's errors into plain errors, so that the engine can log them without knowing Slack. */
export async function explained<T>(doing: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new Error(`${doing} in Slack: ${sayFault(faultOf(error))}`, { cause: error });
  }
}

/** Explains the code that does not tell an admin the remedy. */
export function sayCode(code: string): string {
  return code === 'accesslimited' ? `${code}, the bot's address is not on the app's IP allow-list` : code;
}

export function sayFault(fault: Fault): string {
  if (fault.kind === 'limited') return `Slack asks to wait ${Math.ceil(fault.retryAfterMs / 1_000)} s`;
  if (fault.kind === 'away')
    return fault.why.startsWith(answeredWords) ? fault.why : `Slack did not answer: ${fault.why}`;
  if (fault.kind === 'refused') return `Slack refused: ${fault.code}`;
  return fault.code === tokenOfPerson
    ? 'the token is one of a person, since Slack names no bot for it'
    : `Slack refuses the bot token: ${sayCode(fault.code)}`;
}

export function remedyOf({ kind }: Fault): string {
  if (kind === 'limited') return 'try again after that';
  return kind === 'away'
    ? 'check that this machine reaches Slack; status.slack.com shows whether Slack is down'
    : "compare SLACK_BOT_TOKEN with OAuth & Permissions in Slack's app settings";
}

const longestMs = 60_000;
/** The longest wait while Slack is unavailable, so that messages arrive soon after its return. */
const longestAwayMs = 15_000;

/**
 * The wait before a message is sent again, or a socket opened. Slack says itself how long to wait when it limits the rate (429); other waits
 * double with each attempt.
 */
export function backoffMs(fault: Fault, attempts: number): number {
  if (fault.kind === 'limited') return fault.retryAfterMs;
  if (fault.kind === 'revoked') return longestMs;
  return Math.min(fault.kind === 'away' ? longestAwayMs : longestMs, 1_000 * 2 ** Math.min(attempts, 6));
}
