import { type Account, domainTarget, namesOf, orderTarget, type Target } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { isException } from '../../core/targets/left-out.ts';
import { wordSet } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';
import { defineAction } from '../define.ts';
import { parallelOf } from '../parallel.ts';
import { changeOfTags, signedTags } from './signed-tags.ts';
import { endOfTags, planTags, readTags, sameTags, sendTags, tagged, tagStep } from './tags.ts';

export const tag = defineAction({
  path: 'tag',
  title: 'Change tags',
  summary: 'Add tags to a server or domain, or remove them',
  examples: ['tag web-1 +blue -old', 'tag domain:example.com +green'],
  args: { targets: tagged, ...signedTags, parallel: parallelOf('orders') },
  needs: [{ of: ['tags', 'none'], say: 'tags' }],
  capability: 'organize',
  risk: 'routine',
  step: tagStep,
  plan: async ({ targets, parallel, ...tagArgs }, context) => {
    const change = changeOfTags(tagArgs);
    await mustBeTags(change.all, context);
    return planTags(change, targets, parallel, context);
  },
  recheckTarget: sameTags,
  execute: sendTags,
  verify: readTags,
  done: endOfTags,
});

/** Words of a line that says more than tags, beside exceptions: `tag web-1 blue and green please`. */
const notTags = wordSet('and & to from with on please now today tonight tomorrow');

/**
 * Refuses words that would become a tag by mistake: words of a sentence, and names, as in `tag web-1 web-2 blue`. A tag
 * of the account is never refused.
 */
async function mustBeTags(
  tags: readonly string[],
  context: Pick<ReadContext<Reader>, 'account' | 'may'>,
): Promise<void> {
  const account = await context.account();
  const all = [...account.orders, ...account.domains].flatMap((item) => item.tags);
  const ownTags = new Set(all.map((tag) => tag.toLowerCase()));
  for (const tag of tags) {
    const word = tag.toLowerCase();
    if (ownTags.has(word)) continue;
    if (notTags.has(word) || isException(word)) {
      throw new Refusal('bad_value', `\`${tag}\` is not a tag.`, {
        hint: 'Name each tag and what gets it. A time or an exception cannot be given.',
        field: 'tags',
      });
    }
    if (targetsCalled(word, account).some((target) => context.may('read', target))) {
      throw new Refusal('bad_value', `\`${tag}\` is a name, not a tag.`, {
        hint: 'Put commas between several names, and no spaces: `web-1,web-2`.',
        field: 'tags',
      });
    }
  }
}

function targetsCalled(word: string, { orders, domains }: Account): readonly Target[] {
  return [
    ...orders.filter((order) => namesOf(order).some((name) => name.toLowerCase() === word)).map(orderTarget),
    ...domains.filter(({ name }) => name.toLowerCase() === word).map(domainTarget),
  ];
}
