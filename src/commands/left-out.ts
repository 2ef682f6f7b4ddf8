import { type Account, type Unreadable, type UnreadableItem, unreadableTarget } from '../core/account/account.ts';
import type { ReadContext } from '../core/command/command.ts';
import { count, firstFew } from '../core/text/words.ts';
import type { ViewPart } from '../core/view/view.ts';

/** A note about malformed items that a list omits; empty without one. */
export function leftOut({ unreadable }: Account, kind: UnreadableItem['kind'], may: ReadContext['may']): ViewPart[] {
  const own = unreadable.filter((item) => item.kind === kind && may('read', unreadableTarget(item)));
  return leftOutItems(own, kind);
}

/** Like `leftOut`, for a list outside the account; the caller checks who may read its items. */
export function leftOutItems(odd: readonly Unreadable[], singular: string, many = `${singular}s`): ViewPart[] {
  if (odd.length === 0) return [];
  const named = firstFew(odd, 5, ({ id, why }) => `${id} (${why})`);
  const text = `${count(odd.length, singular, many)} cannot be read and ${odd.length === 1 ? 'is' : 'are'} left out: ${named}. Everything else works.`;
  return [{ kind: 'notice', tone: 'warning', text }];
}
