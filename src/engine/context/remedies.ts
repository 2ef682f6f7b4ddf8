import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import type { ProviderErrorKind, RefusalReason } from '../../core/view/errors.ts';
import type { Button } from '../../core/view/view.ts';

/** The one helping button of a refusal or an error that offers no other. */

/** The subject of a refusal, as far as known. */
export interface Refused {
  /** The line as typed. */
  readonly line?: string;
  /** The request whose button was clicked. */
  readonly operation?: string;
  /** True if the request could not have stored or sent anything. */
  readonly isRead?: boolean;
}

type Remedy = (refused: Refused) => Button;

const help: Button = { label: 'What you may do', intent: { do: 'run', line: 'help' } };
const run =
  (label: string, line: string): Remedy =>
  () => ({ label, intent: { do: 'run', line } });

/** Limit of a line in a Slack button. */
const longestLine = 1_800;

/** A line with a secret is never sent to Slack again. */
export function hasSecret(line: string): boolean {
  return strikeSecrets(line) !== line;
}

function repeatable({ line }: Refused): string | undefined {
  return line !== undefined && line !== '' && line.length <= longestLine && !hasSecret(line) ? line : undefined;
}

const withLine =
  (make: (line: string) => Button): Remedy =>
  (refused) => {
    const line = repeatable(refused);
    return line === undefined ? help : make(line);
  };

const again = withLine((line) => ({ label: 'Try again', intent: { do: 'run', line } }));
const askAgain = withLine((line) => ({ label: 'Ask again', intent: { do: 'run', line } }));
const form = withLine((line) => ({ label: 'Open the form', intent: { do: 'form', line }, opens: true }));
const askAccess = withLine((line) => ({ label: 'Ask for access', intent: { do: 'ask-access', line } }));
const why = withLine((line) => ({ label: 'Why?', intent: { do: 'run', line: `why ${line}` } }));
const requests = run('Show the requests', 'requests');

const showOr =
  (other: Remedy): Remedy =>
  (refused) =>
    refused.operation === undefined
      ? other(refused)
      : { label: 'Show the request', intent: { do: 'review', operation: refused.operation }, opens: true };

const byReason: Readonly<Record<RefusalReason, Remedy>> = {
  not_understood: () => help,
  bad_value: form,
  not_found: form,
  ambiguous: form,
  no_policy: askAccess,
  not_granted: askAccess,
  not_admin: run('Who may do what', 'access'),
  posture: why,
  not_yours: showOr(requests),
  frozen: run('Show what is frozen', 'freeze list'),
  pinned: run('Show what is pinned', 'pins'),
  locked: run('Show what is running', 'requests running'),
  changed: askAgain,
  closed: showOr(requests),
  rate_limited: again,
  impossible: showOr(() => help),
  unavailable: again,
};

const byError: Readonly<Record<ProviderErrorKind, Remedy>> = {
  auth: again,
  forbidden: () => ({ label: 'Open a ticket…', intent: { do: 'form', line: 'ticket open' }, opens: true }),
  not_found: run('Show the servers', 'list'),
  absent: () => help,
  invalid: form,
  throttled: again,
  unavailable: again,
  shape: again,
  lost: requests,
  rejected: again,
};

export function remedyFor(reason: RefusalReason, refused: Refused): Button {
  return byReason[reason](refused);
}

export function remedyForError(kind: ProviderErrorKind, refused: Refused): Button {
  return byError[kind](refused);
}

/** After an unavailable database: the request may have been stored, unless it was a read. */
export const remedyForStore: Remedy = (refused) => (refused.isRead === true ? again(refused) : requests(refused));
/** After an error of the bot. */
export const remedyForBug: Remedy = again;
