import { Refusal } from '../view/errors.ts';
import { type Account, type Target, type UnreadableItem, unreadableTarget } from './account.ts';

/** Refuses an item whose data cannot be read, instead of saying that the item does not exist. */
export function mustBeReadable(
  kind: UnreadableItem['kind'],
  wanted: string,
  { account, maySee }: { readonly account: Pick<Account, 'unreadable'>; readonly maySee: (target: Target) => boolean },
): void {
  const odd = account.unreadable.find(
    (item) => item.kind === kind && (item.id.toLowerCase() === wanted || item.id.endsWith(`-${wanted}`)),
  );
  if (odd === undefined || !maySee(unreadableTarget(odd))) return;
  throw new Refusal('unavailable', `The provider's response about ${odd.id} cannot be read: ${odd.why}.`, {
    hint: 'Everything else works. Use the provider’s panel for it until this is fixed.',
  });
}

/** A list that the provider did not return cannot show that a name does not exist. */
export function unread(what: 'domains' | 'projects', word: string): Refusal {
  return new Refusal('unavailable', `Finding ${word}: the provider did not give the list of ${what} just now.`, {
    hint: 'Try again in a minute.',
  });
}
