import { randomBytes } from 'node:crypto';
import { shorten } from '../../core/grammar/tokens.ts';
import { defined } from '../../core/text/defined.ts';
import {
  ProviderError,
  type ProviderErrorKind,
  Refusal,
  StoreUnavailable,
  type Suggestion,
  suspendedWords,
} from '../../core/view/errors.ts';
import { type Button, notice, type Span, type Text, text, type View, withCode } from '../../core/view/view.ts';
import type { Log } from './dependencies.ts';
import { hasSecret, type Refused, remedyFor, remedyForBug, remedyForError, remedyForStore } from './remedies.ts';

/** Words errors for people: the attempted action, the provider's own words, and the next step. */

const remedies: Readonly<Record<ProviderErrorKind, string>> = {
  auth: 'The provider refuses the API key. An admin has to check HOST_API_KEY.',
  forbidden: 'The provider has not enabled this for the account; its support can.',
  not_found: 'It may have been removed meanwhile.',
  absent: 'This provider does not have this operation.',
  invalid: 'Nothing was changed. Correct the value and try again.',
  throttled: 'The provider asks the bot to slow down. Nothing was changed. Try again in a minute.',
  unavailable: 'Nothing was changed. Try again when the provider answers.',
  shape: 'The response was not as the provider documents it; it is in the log.',
  lost: 'It is not known whether it was applied. It was not retried.',
  rejected: 'Nothing was changed.',
};

/** `restarting web-1: the provider answered 409: Another operation is in progress. Nothing was changed.` */
export function sayProviderError(doing: string, error: ProviderError): string {
  if (error.words === suspendedWords) {
    return `${doing}: ${suspendedWords}. Nothing was changed. Ask again if you still want it.`;
  }
  const answered =
    error.status === undefined
      ? error.kind === 'unavailable' || error.kind === 'lost'
        ? 'the provider did not answer'
        : 'the provider gave an unexpected response'
      : `the provider answered ${error.status}`;
  const words = error.words === '' ? '' : `: ${endSentence(error.words)}`;
  return `${doing}: ${answered}${words === '' ? '.' : words} ${remedies[error.kind]}`;
}

export function endSentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/**
 * Shows the requester a refusal, an error of the provider, an unavailable database, or an incident id whose stack is in
 * the log.
 */
export function errorView(error: unknown, doing: string, log: Log, refused: Refused = {}): View {
  const what = refused.line === undefined ? doing : `\`/host ${shorten(refused.line)}\``;
  if (error instanceof Refusal) return refusalView(error, refused);
  if (error instanceof ProviderError) {
    return notice('error', withCode(sayProviderError(what, error)), [remedyForError(error.kind, refused)]);
  }
  if (error instanceof StoreUnavailable) {
    // The log omits the attempted action, which may quote a typed line.
    log.error({ err: error }, 'a request stopped: the database is unavailable');
    return notice(
      'error',
      withCode(
        refused.isRead === true
          ? `${what}: the bot's database does not answer, so nothing was read. Nothing was changed at the provider. Try again in a minute.`
          : `${what}: the bot's database is unavailable, so this was stopped. Check the requests before you try again.`,
      ),
      [remedyForStore(refused)],
    );
  }
  const incident = randomBytes(4).toString('hex');
  log.error({ err: error, incident }, 'a request failed: bug in the bot');
  return notice(
    'error',
    withCode(
      `${what}: something is wrong with the bot. Nothing more was sent. An admin finds the cause in the log under incident ${incident}.`,
    ),
    [remedyForBug(refused)],
  );
}

/** `others`: further buttons of the message. */
export function refusalView(refusal: Refusal, refused: Refused = {}, others: readonly Button[] = []): View {
  const suggestions = refusal.suggestions.filter(({ command }) => !hasSecret(command));
  const own = [...suggestions.slice(0, 5).map(suggestionButton), ...others];
  const buttons = own.length > 0 ? own : [remedyFor(refusal.reason, refused)];
  const hint = refusal.hint === undefined ? '' : withCode(` ${refusal.hint}`);
  const words = text(withCodeIn(refusal.text), hint);
  return {
    summary: refusal.text,
    parts: [
      { kind: 'text', text: words },
      { kind: 'buttons', buttons },
    ],
  };
}

function suggestionButton({ label, command, isForm, asksAccess, in: channel }: Suggestion): Button {
  if (asksAccess === true) return { label, intent: { do: 'ask-access', line: command, ...defined({ in: channel }) } };
  if (isForm === true) return { label, intent: { do: 'form', line: command }, opens: true };
  return { label, intent: { do: 'run', line: command } };
}

function withCodeIn(words: Text): Text {
  return typeof words === 'string'
    ? withCode(words)
    : words.flatMap((span): readonly Span[] => {
        const shown = typeof span === 'string' ? withCode(span) : [span];
        return typeof shown === 'string' ? [shown] : shown;
      });
}
