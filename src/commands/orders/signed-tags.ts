import { z } from 'zod';
import { domainTarget, orderTarget } from '../../core/account/account.ts';
import { check, choice, flag, optional, type ValuesOf, words } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { isException } from '../../core/targets/left-out.ts';
import { isCalled } from '../../core/targets/targets.ts';
import { list, wordSet } from '../../core/text/words.ts';
import { atField, badValue, Refusal } from '../../core/view/errors.ts';
import { optionalOf } from '../args.ts';
import { withoutStar } from '../without-star.ts';

/** `+blue` and `blue` add a tag, `-old` removes one. */

const anyTagSchema = z
  .string()
  .trim()
  .min(1)
  .max(64, 'a tag of at most 64 characters')
  .regex(/^[^\p{Cc},]+$/u, 'a tag in one line, without commas');

/** A tag to write. Tags made elsewhere may contain `*` and can be removed. */
export const tagSchema = withoutStar(anyTagSchema);

function hasTag(tags: readonly string[], tag: string): boolean {
  return tags.some((candidate) => candidate.toLowerCase() === tag.toLowerCase());
}

export function sayTags(tags: readonly string[]): string {
  return tags.length === 0 ? 'none' : tags.join(', ');
}

const how = choice({ of: ['add', 'remove', 'set'], place: 'option', hint: 'What is done with tags without a sign.' });

export const signedTags = {
  tags: optionalOf(words)({
    hint: 'Each with its sign: +blue adds a tag, -old removes one.',
    example: '+blue -old',
    schema: anyTagSchema,
    most: 30,
  }),
  // Both come from phrases such as `tag remove`.
  how: { ...optional(how), isTypedOnly: true },
  none: { ...flag({ hint: 'Remove all tags.', label: 'No tags' }), isTypedOnly: true },
} as const;

type SignedChange = ReturnType<typeof changeOfTags>;

export function changeOfTags({ tags: typed = [], how, none }: ValuesOf<typeof signedTags>) {
  if (typed.length === 0 && !none) throw badValue('The tags are missing.', 'Give them, such as +blue or -old.', 'tags');
  if (typed.length > 0 && none)
    throw new Refusal('bad_value', 'Tags and “No tags” contradict each other.', { field: 'none' });
  // Replaces all tags by those that are added.
  const isWhole = none || how === 'set';
  const sign = (tag: string) => (how === undefined && /^[+-]./.test(tag) ? tag.charAt(0) : '');
  const name = (tag: string) => (sign(tag) === '' ? tag : tag.slice(1));
  const isRemoved = (tag: string) => (how === 'remove' || sign(tag) === '-') && !isWhole;
  const once = (some: readonly string[]) => [...new Map(some.map((tag) => [tag.toLowerCase(), tag])).values()];
  const removed = once(typed.filter(isRemoved).map(name));
  const added = once(typed.filter((tag) => !isRemoved(tag)).map(name)).map((tag) =>
    atField('tags', () => check(tagSchema, tag)),
  );
  const both = added.find((tag) => hasTag(removed, tag));
  if (both !== undefined) throw new Refusal('bad_value', `\`${both}\` is both added and removed.`, { field: 'tags' });
  return {
    added,
    removed,
    isWhole,
    all: [...added, ...removed],
    to: (before: readonly string[]) =>
      isWhole
        ? added
        : [...before.filter((tag) => !hasTag(removed, tag)), ...added.filter((tag) => !hasTag(before, tag))],
  };
}

export function titleOfTags({ added, removed, isWhole }: SignedChange, names: string): string {
  if (isWhole)
    return added.length === 0 ? `Remove all tags of ${names}` : `Set the tags of ${names} to ${added.join(', ')}`;
  const removing = `the ${removed.length === 1 ? 'tag' : 'tags'} ${removed.join(', ')}`;
  if (added.length === 0) return `Remove ${removing} from ${names}`;
  return `Tag ${names} with ${added.join(', ')}${removed.length === 0 ? '' : `, and remove ${removing}`}`;
}

export function soAlready({ added, removed }: SignedChange, name: string, tags: readonly string[]): string {
  if (added.length > 0 || removed.length === 0) return `${name} has these tags already: ${sayTags(tags)}.`;
  return `${name} does not have ${list(removed, 'or')}; its tags: ${sayTags(tags)}.`;
}

/** Words of a line that says more than tags, beside exceptions: `tag web-1 blue and green please`. */
const notTags = wordSet('and & to from with on please now today tonight tomorrow');

/**
 * Refuses words that would become a tag by mistake: words of a sentence, and names, as in `tag web-1 web-2 blue`. A tag
 * of the account is never refused.
 */
export async function mustBeTags(tags: readonly string[], { account: readAccount, may }: ReadContext): Promise<void> {
  const account = await readAccount();
  const all = [...account.orders, ...account.domains].flatMap((item) => item.tags);
  for (const tag of tags) {
    const word = tag.toLowerCase();
    if (hasTag(all, tag)) continue;
    if (notTags.has(word) || isException(word)) {
      const hint = 'Name each tag and what gets it. A time or an exception cannot be given.';
      throw badValue(`\`${tag}\` is not a tag.`, hint, 'tags');
    }
    const called = [
      ...account.orders.filter((order) => isCalled(order, word)).map(orderTarget),
      ...account.domains.filter(({ name }) => name.toLowerCase() === word).map(domainTarget),
    ];
    if (called.some((target) => may('read', target))) {
      const hint = 'Put commas between several names, and no spaces: `web-1,web-2`.';
      throw badValue(`\`${tag}\` is a name, not a tag.`, hint, 'tags');
    }
  }
}
