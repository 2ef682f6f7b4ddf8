import { type Account, type UnreadableItem, unreadableTarget } from '../core/account.ts';
import type { ReadContext } from '../core/command.ts';
import type { ViewPart } from '../core/view.ts';
import { count, firstFew } from '../core/words.ts';
import type { Reader } from '../provider/client.ts';

/** Says which items a list leaves out because their form is not the expected one; nothing where there is none. */
export function leftOut(
  { unreadable }: Pick<Account, 'unreadable'>,
  kind: UnreadableItem['kind'],
  may: ReadContext<Reader>['may'],
): ViewPart[] {
  const odd = unreadable.filter((one) => one.kind === kind && may('read', unreadableTarget(one)));
  if (odd.length === 0) return [];
  const named = firstFew(
    odd.map(({ id, why }) => `${id} (${why})`),
    5,
  );
  const text = `${count(odd.length, kind)} cannot be read and ${odd.length === 1 ? 'is' : 'are'} left out: ${named}. Everything else works.`;
  return [{ kind: 'notice', tone: 'warning', text }];
}
