import { exits } from '../../src/cli/run.ts';
import { type ProblemReason, problemStatus } from '../../src/core/view/problem.ts';
import { markdownTable } from './markdown-table.ts';

/** The tables of docs/machines.md. An exit code or a reason that has no word here does not compile. */

const afterExit: Readonly<Record<keyof typeof exits, string>> = {
  done: 'answered; asked; with `--wait`: done',
  notRun: 'it did not run: declined, expired, withdrawn, refused before its first step',
  wrongUse: 'wrong use: no line, an unknown option, missing settings',
  unclear: 'not known: do not repeat',
  otherwise: 'it ran, but not as asked: it failed or stopped in the middle',
  refused: 'refused before there was a request, with a reason as below',
  unreachable: 'the bot cannot be reached',
  stopped: 'Ctrl-C or SIGTERM stopped the wait',
};

export function exitTable(): string {
  const rows = Object.entries(afterExit).map(([name, words]) => [String(exits[name as keyof typeof exits]), words]);
  return markdownTable(['Exit code', 'Meaning'], rows);
}

const becauseOf: Readonly<Record<ProblemReason, string>> = {
  not_understood: 'no command fits the line',
  bad_value: 'a value of the line or the call is wrong or missing',
  not_found: 'nothing has this name or id',
  ambiguous: 'several things have this name; `instead` names them',
  no_policy: 'the channel has no policy, so it allows nothing',
  not_granted: 'the maker of the token may not do this here',
  not_admin: 'only admins may',
  posture: 'the maker is a guest or gone, or the channel allows nobody',
  not_yours: 'it belongs to somebody else',
  not_for_tokens: 'a token never may, or this one only reads',
  frozen: 'a freeze blocks it',
  pinned: 'a pin protects the target',
  locked: 'another request works on the target',
  changed: 'somebody changed it meanwhile; ask again',
  closed: 'the request has ended or is decided',
  rate_limited: 'too many calls or requests; the header `Retry-After` has the seconds',
  impossible: 'the state of the target or the account does not allow it',
  unavailable: 'the database or a service does not answer; send the same key again later',
  duplicate: 'another request for the same change waits or runs',
  provider: 'the provider refused, or did not answer',
  bug: 'a bug in the bot; its log has more',
  bad_body: 'the body is not the JSON that the call takes',
  no_token: 'the token is missing, wrong, expired or revoked',
  other_site: 'a page of another site sent the call from a browser',
  too_large: 'the body has more than 64 kB',
  too_slow: 'the body did not arrive in time',
  key_used: 'the key belongs to another line',
};

export function reasonTable(): string {
  const rows = Object.entries(becauseOf).map(([reason, words]) => [
    `\`${reason}\``,
    String(problemStatus[reason as ProblemReason]),
    words,
  ]);
  return markdownTable(['Reason', 'HTTP', 'Because'], rows);
}
