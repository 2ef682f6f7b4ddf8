import { randomBytes } from 'node:crypto';
import { shorten } from '../../core/grammar/tokens.ts';
import { defined } from '../../core/text/defined.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import type { ProviderErrorKind, RefusalReason, Suggestion } from '../../core/view/errors.ts';
import { ProviderError, Refusal, StoreUnavailable, suspendedWords } from '../../core/view/errors.ts';
import type { Button, View } from '../../core/view/view.ts';
import { formButton, notice, reviewButton, runButton, says, text, withCode } from '../../core/view/view.ts';
import type { Log } from './dependencies.ts';
import { longestLineToRepeat } from './request.ts';

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

/** Shows a refusal, an error of the provider, an unavailable database, or an incident id whose stack is in the log. */
export function errorView(error: unknown, doing: string, log: Log, refused: Refused = {}): View {
  const shown = (words: string, button: Button, reason: string) => ({
    ...notice('error', withCode(words), [button]),
    reason,
  });
  const what = refused.line === undefined ? doing : `\`/host ${shorten(refused.line)}\``;
  if (error instanceof Refusal) return refusalView(error, refused);
  if (error instanceof ProviderError) {
    return shown(sayProviderError(what, error), remedyForError(error.kind, refused), 'provider');
  }
  if (error instanceof StoreUnavailable) {
    // The log omits the attempted action, which may quote a typed line.
    log.error({ err: error }, 'a request stopped: the database is unavailable');
    const notRead = 'does not answer, so nothing was read. Nothing was changed at the provider. Try again in a minute.';
    const stopped = 'is unavailable, so this was stopped. Check the requests before you try again.';
    // The request may have been stored, unless it was a read.
    const [why, remedy] = refused.isRead === true ? ([notRead, again] as const) : ([stopped, requests] as const);
    return shown(`${what}: the bot's database ${why}`, remedy(refused), 'unavailable');
  }
  const incident = randomBytes(4).toString('hex');
  log.error({ err: error, incident }, 'a request failed: bug in the bot');
  const cause = `An admin finds the cause in the log under incident ${incident}.`;
  return shown(`${what}: something is wrong with the bot. Nothing more was sent. ${cause}`, again(refused), 'bug');
}

/** `others`: further buttons of the message. */
export function refusalView(refusal: Refusal, refused: Refused = {}, others: readonly Button[] = []): View {
  const suggestions = refusal.suggestions.filter(({ command }) => !hasSecret(command));
  const own = [...suggestions.slice(0, 5).map(suggestionButton), ...others];
  const buttons = own.length > 0 ? own : [byReason[refusal.reason](refused)];
  const hint = refusal.hint === undefined ? '' : withCode(` ${refusal.hint}`);
  const words = text(refusal.text).map((span) => (typeof span === 'string' ? withCode(span) : span));
  return { ...says(text(...words, hint), buttons), summary: refusal.text, reason: refusal.reason };
}

function suggestionButton({ label, command, isForm, asksAccess, in: channel }: Suggestion): Button {
  if (asksAccess === true) return { label, intent: { do: 'ask-access', line: command, ...defined({ in: channel }) } };
  return isForm === true ? formButton(label, command) : runButton(label, command);
}

/** The subject of a refusal, as far as known. */
export interface Refused {
  readonly line?: string;
  /** The request whose button was clicked. */
  readonly operation?: string;
  /** True if the request could not have stored or sent anything. */
  readonly isRead?: boolean;
}

type Remedy = (refused: Refused) => Button;

const help = runButton('What you may do', 'help');
const run = (label: string, line: string) => () => runButton(label, line);

/** A line with a secret is never sent to Slack again. */
function hasSecret(line: string): boolean {
  return strikeSecrets(line) !== line;
}

const withLine =
  (label: string, act: 'run' | 'form' | 'ask-access', before = ''): Remedy =>
  ({ line = '' }) => {
    if (line === '' || line.length > longestLineToRepeat || hasSecret(line)) return help;
    return act === 'form' ? formButton(label, line) : { label, intent: { do: act, line: before + line } };
  };

const again = withLine('Try again', 'run');
const form = withLine('Open the form', 'form');
const askAccess = withLine('Ask for access', 'ask-access');
const requests = run('Show the requests', 'requests');

const showOr =
  (other: Remedy): Remedy =>
  (refused) =>
    refused.operation === undefined ? other(refused) : reviewButton('Show the request', refused.operation);

/** The one helping button of a refusal that offers no other. */
const byReason: Readonly<Record<RefusalReason, Remedy>> = {
  not_understood: () => help,
  bad_value: form,
  not_found: form,
  ambiguous: form,
  no_policy: askAccess,
  not_granted: askAccess,
  not_admin: run('Who may do what', 'access'),
  posture: withLine('Why?', 'run', 'why '),
  not_yours: showOr(requests),
  not_for_tokens: () => help,
  frozen: run('Show what is frozen', 'freeze list'),
  pinned: run('Show what is pinned', 'pins'),
  locked: run('Show what is running', 'requests running'),
  changed: withLine('Ask again', 'run'),
  closed: showOr(requests),
  rate_limited: again,
  impossible: showOr(() => help),
  unavailable: again,
};

/** The others can be tried again. */
const byError: Readonly<Partial<Record<ProviderErrorKind, Remedy>>> = {
  forbidden: () => formButton('Open a ticket…', 'ticket open'),
  not_found: run('Show the servers', 'list'),
  absent: () => help,
  invalid: form,
  lost: requests,
};

export function remedyForError(kind: ProviderErrorKind, refused: Refused): Button {
  return (byError[kind] ?? again)(refused);
}
