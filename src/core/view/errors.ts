/**
 * The two errors that people see. A Refusal comes from the bot's rules; a ProviderError comes from the provider.
 * Anything else that is thrown is a bug of ours: the person gets an incident id, the log the stack.
 */

import { plain, type Text } from './view.ts';

export const refusalReasons = [
  'not_understood',
  'bad_value',
  'not_found',
  'ambiguous',
  'no_policy',
  'not_granted',
  'not_admin',
  'posture',
  'not_yours',
  'frozen',
  'locked',
  'changed',
  'closed',
  'rate_limited',
  'impossible',
  'unavailable',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** A command that can be typed instead, offered as a button. */
export interface Suggestion {
  label: string;
  command: string;
  /** Opens the command's form with what the line gives filled in, instead of running it. */
  isForm?: boolean;
  /** Asks the admins for the right to it, instead of running it. */
  asksAccess?: boolean;
  /** The channel in which it asks for that, where the place is none. */
  in?: string;
}

export class Refusal extends Error {
  override name = 'Refusal';
  readonly reason: RefusalReason;
  /** The message with its dates and names as people read them. */
  readonly text: Text;
  /** The remedy, in one sentence. */
  readonly hint: string | undefined;
  readonly suggestions: readonly Suggestion[];
  /** The remedy if no suggestion is right, for a hint that names the suggested lines. */
  readonly otherwise: string | undefined;
  /** The argument that is wrong, so that a form can show it at its field. */
  field: string | undefined;

  constructor(
    reason: RefusalReason,
    text: Text,
    more: { hint?: string; suggestions?: readonly Suggestion[]; field?: string; otherwise?: string } = {},
  ) {
    super(plain(text));
    this.text = text;
    this.reason = reason;
    this.hint = more.hint;
    this.suggestions = more.suggestions ?? [];
    this.field = more.field;
    this.otherwise = more.otherwise;
  }
}

export const providerErrorKinds = [
  'auth',
  'forbidden',
  'not_found',
  'absent',
  'invalid',
  'throttled',
  'unavailable',
  'shape',
  'lost',
  'rejected',
] as const;
/**
 * `lost` is a write whose answer never came: whether it took effect is unknown. `rejected` is any other 4xx.
 * `absent` is a 404 of a whole list, which some providers of this API do not have.
 * `unavailable` means the request had no effect (it was never sent, or it was a read).
 */
export type ProviderErrorKind = (typeof providerErrorKinds)[number];

export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  /** `POST /vps/{order_id}/restart/`, the route as the endpoint table spells it. */
  readonly endpoint: string;
  readonly status: number | undefined;
  /** The provider's own words, one line, never empty when it said anything. */
  readonly words: string;
  /** Validation messages by field, for `invalid`. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ProviderErrorKind,
    endpoint: string,
    more: {
      status?: number;
      words?: string;
      fields?: Record<string, readonly string[]>;
      retryAfterMs?: number;
      cause?: unknown;
    } = {},
  ) {
    const words = more.words ?? '';
    super(`${endpoint}: ${more.status ?? kind}${words === '' ? '' : `: ${words}`}`, { cause: more.cause });
    this.kind = kind;
    this.endpoint = endpoint;
    this.status = more.status;
    this.words = words;
    this.fields = more.fields ?? {};
    this.retryAfterMs = more.retryAfterMs;
  }
}

/**
 * Whether a write that ended in this certainly changed nothing. Not so for `lost`, and not for `shape`: there the
 * provider accepted, in words we cannot read. Anything that is not a ProviderError says nothing either way.
 */
export function hadNoEffect(error: unknown): boolean {
  return error instanceof ProviderError && error.kind !== 'lost' && error.kind !== 'shape';
}

/**
 * The database cannot be used now, or not at all as configured. The message is one line for a person: what was
 * happening, what the database said, what to do. It never holds credentials.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';

  constructor(text: string, more: { cause?: unknown } = {}) {
    super(text.replace(/\s+/g, ' ').trim(), more);
  }
}

/** Corrects what a person was told when the database seemed not to have stored a request. */
export const storedLate = 'Your request was stored after a delay and is running now.';
