/**
 * The errors that people see. A Refusal comes from the bot's rules, a ProviderError from the provider, and
 * StoreUnavailable from the database. Any other error is a bug in the bot: the person gets an incident id, and the log
 * the stack.
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
  'not_for_tokens',
  'frozen',
  'pinned',
  'locked',
  'changed',
  'closed',
  'rate_limited',
  'impossible',
  'unavailable',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** An alternative command, offered as a button. */
export interface Suggestion {
  label: string;
  command: string;
  /** Opens the command's form, filled in from the line, instead of running it. */
  isForm?: boolean;
  /** Requests the missing right from the admins instead of running it. */
  asksAccess?: boolean;
  /** The channel to request access in, if the request did not come from a channel. */
  in?: string;
}

export interface RefusalDetails {
  readonly hint?: string;
  readonly suggestions?: readonly Suggestion[];
  readonly field?: string | undefined;
  readonly otherwise?: string;
  /** The message for the audit, if the text has dates: a stored text has none. */
  readonly stored?: string;
}

export class Refusal extends Error {
  override name = 'Refusal';
  readonly reason: RefusalReason;
  /** The message with formatted dates and names. */
  readonly text: Text;
  /** The remedy, in one sentence. */
  readonly hint: string | undefined;
  readonly suggestions: readonly Suggestion[];
  /** The remedy if no suggestion remains, for a hint that lists the suggested lines. */
  readonly otherwise: string | undefined;
  /** The wrong argument, so that a form can show the refusal at its field. */
  field: string | undefined;

  constructor(reason: RefusalReason, text: Text, more: RefusalDetails = {}) {
    super(more.stored ?? plain(text));
    this.text = text;
    this.reason = reason;
    this.hint = more.hint;
    this.suggestions = more.suggestions ?? [];
    this.field = more.field;
    this.otherwise = more.otherwise;
  }
}

/** Refuses the value of an argument: what is wrong with it, and the remedy, also as lines. */
export function badValue(text: Text, hint: string, field?: string, ...suggestions: readonly Suggestion[]): Refusal {
  return new Refusal('bad_value', text, { hint, field, suggestions });
}

/** Refuses what cannot be done: why not, and the remedy, also as lines. */
export function impossible(text: Text, hint: string, field?: string, ...suggestions: readonly Suggestion[]): Refusal {
  return new Refusal('impossible', text, { hint, field, suggestions });
}

/** Refuses for now, since another service did not answer: its words, and when to try again. */
export function unavailable(text: Text, hint: string, field?: string): Refusal {
  return new Refusal('unavailable', text, { hint, field });
}

/** Refuses a name that nothing has, with the list of the names that there are, also as a line. */
export function notFound(text: Text, hint: string, field?: string, ...suggestions: readonly Suggestion[]): Refusal {
  return new Refusal('not_found', text, { hint, field, suggestions });
}

/** Reads a value for an argument. A refusal names it, for the form: instead of another one, unless `keepsOther`. */
export function atField<T>(field: string, read: () => T, keepsOther = false): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal && !(keepsOther && error.field !== undefined)) error.field = field;
    throw error;
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
 * `lost` is a write without a response: whether it took effect is unknown. `rejected` is any other 4xx. `absent` is a
 * 404 for a whole list, which some providers of this API lack. `unavailable` means that the request had no effect: it
 * was never sent, or it was a read.
 */
export type ProviderErrorKind = (typeof providerErrorKinds)[number];

/** The words of an error that is not the provider's: another process may have reported the write as not sent. */
export const suspendedWords = 'not sent, because the bot was suspended for too long';

export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  /** The route as in the endpoint table: `POST /vps/{order_id}/restart/`. */
  readonly endpoint: string;
  readonly status: number | undefined;
  /** The provider's own words in one line; empty only if it returned none. */
  readonly words: string;
  /** Validation messages by field, for `invalid`. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ProviderErrorKind,
    endpoint: string,
    more: Partial<Pick<ProviderError, 'fields' | 'retryAfterMs' | 'status' | 'words'>> & ErrorOptions = {},
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

/** The response of a read; undefined where the provider gives none, or fails in this one way. */
export function ifReadable<T>(read: Promise<T>, only?: ProviderErrorKind): Promise<T | undefined> {
  return readOr(read, only, () => undefined);
}

/** The response of a read, or what stands for it where the provider gives none, or fails in this one way. */
export async function readOr<T, I>(
  read: Promise<T>,
  only: ProviderErrorKind | undefined,
  instead: (error: ProviderError) => I,
): Promise<T | I> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ProviderError && (only === undefined || error.kind === only)) return instead(error);
    throw error;
  }
}

/**
 * True if a write with this error certainly changed nothing. False for `lost`, for `shape` (the provider accepted with
 * an unreadable response), and for other errors, which prove nothing.
 */
export function hadNoEffect(error: unknown): boolean {
  return error instanceof ProviderError && error.kind !== 'lost' && error.kind !== 'shape';
}

/**
 * The database is unavailable or misconfigured. The message is one line for people: the attempted action, the
 * database's error, and the remedy. It never contains credentials.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';

  constructor(text: string, more: { cause?: unknown } = {}) {
    super(text.replace(/\s+/g, ' ').trim(), more);
  }
}

/** An error that the person at the terminal can fix, printed without a stack. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: number;

  constructor(text: string, { exitCode = 1 }: { exitCode?: number } = {}) {
    super(text);
    this.exitCode = exitCode;
  }
}

/** The code of a system error, such as ENOENT; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Corrects the earlier message that a request could not be stored. */
export const storedLate = 'Your request was stored after a delay and is running now.';
