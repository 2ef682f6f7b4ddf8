import { Refusal } from '../view/errors.ts';
import { type Account, type Target, type UnreadableItem, unreadableTarget } from './account.ts';

/** It is there, but in a form that cannot be read: only it is refused, and nobody is told that it does not exist. */
export function mustBeReadable(
  kind: UnreadableItem['kind'],
  wanted: string,
  { account, maySee }: { readonly account: Pick<Account, 'unreadable'>; readonly maySee: (target: Target) => boolean },
): void {
  const odd = account.unreadable.find(
    (one) => one.kind === kind && (one.id.toLowerCase() === wanted || one.id.endsWith(`-${wanted}`)),
  );
  if (odd === undefined || !maySee(unreadableTarget(odd))) return;
  throw new Refusal('unavailable', `The provider's response about ${odd.id} cannot be read: ${odd.why}.`, {
    hint: 'Everything else works. Use the provider’s panel for it until this is fixed.',
  });
}

/** A part that could not be read is unknown: nobody is told that the name does not exist. */
export function unread(what: 'domains' | 'projects', word: string): Refusal {
  return new Refusal('unavailable', `Finding ${word}: the provider did not give the list of ${what} just now.`, {
    hint: 'Try again in a minute.',
  });
}
