import { randomBytes } from 'node:crypto';
import { defined } from '../../core/defined.ts';
import {
  ProviderError,
  type ProviderErrorKind,
  Refusal,
  StoreUnavailable,
  type Suggestion,
} from '../../core/errors.ts';
import type { Button, Text, View, ViewPart } from '../../core/view.ts';
import { notice } from '../../core/view.ts';
import type { Log } from '../context/dependencies.ts';

/** Errors as people read them: what was happening, the provider's own words, and what to do. */

const remedies: Readonly<Record<ProviderErrorKind, string>> = {
  auth: 'The provider refuses our API key. An admin has to check HOST_API_KEY.',
  forbidden: 'The provider has not enabled this for the account; their support can.',
  not_found: 'It may have been removed meanwhile; see /host list.',
  invalid: 'Nothing was changed. Correct the value and ask again.',
  throttled: 'The provider asks us to slow down. Nothing was changed; try again in a minute.',
  unavailable: 'Nothing was changed. Try again when the provider answers.',
  shape: 'The answer was not as the provider documents it; it is in the log.',
  lost: 'It is not known whether it was applied. It was not retried.',
  rejected: 'Nothing was changed.',
};

/** `restarting web-1: the provider answered 409: Another operation is in progress. Nothing was changed.` */
export function sayProviderError(doing: string, error: ProviderError): string {
  const answered =
    error.status === undefined
      ? error.kind === 'unavailable' || error.kind === 'lost'
        ? 'the provider did not answer'
        : 'the provider answered something unexpected'
      : `the provider answered ${error.status}`;
  const words = error.words === '' ? '' : `: ${endSentence(error.words)}`;
  return `${doing}: ${answered}${words === '' ? '.' : words} ${remedies[error.kind]}`;
}

export function endSentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** For the person who asked: a refusal, an error of the provider, a database that is away, or an incident id with the stack in the log. */
export function errorView(error: unknown, doing: string, log: Log): View {
  if (error instanceof Refusal) return refusalView(error);
  if (error instanceof ProviderError) {
    return notice('error', sayProviderError(doing, error));
  }
  if (error instanceof StoreUnavailable) {
    // The log leaves out what was being done: it may quote what somebody typed.
    log.error({ err: error }, 'a request stopped: the database takes nothing');
    return notice(
      'error',
      `${doing}: the bot's database is unavailable, so this was stopped. Check /host requests before you try again; details are in the log.`,
    );
  }
  const incident = randomBytes(4).toString('hex');
  log.error({ err: error, incident }, 'a request stopped: a bug of ours');
  return notice(
    'error',
    `${doing}: something is wrong with the bot. Nothing more was sent. An admin finds the cause in the log under incident ${incident}.`,
  );
}

export function refusalView(refusal: Refusal): View {
  const buttons = refusal.suggestions.slice(0, 5).map(suggestionButton);
  const words = [refusal.message, refusal.hint].filter(Boolean).join(' ');
  const parts: ViewPart[] = [{ kind: 'text', text: withCode(words) }];
  if (buttons.length > 0) parts.push({ kind: 'buttons', buttons });
  return { summary: refusal.message, parts };
}

function suggestionButton({ label, command, isForm, asksAccess, in: channel }: Suggestion): Button {
  if (asksAccess === true) return { label, intent: { do: 'ask-access', line: command, ...defined({ in: channel }) } };
  if (isForm === true) return { label, intent: { do: 'form', line: command }, opens: true };
  return { label, intent: { do: 'run', line: command } };
}

/** Shows text between backticks as code. */
export function withCode(text: string): Text {
  const pieces = text.split(/`([^`\n]+)`/);
  return pieces.length === 1 ? text : pieces.map((piece, at) => (at % 2 === 1 ? { code: piece } : piece));
}
