import { defineAction } from '../define.ts';
import { changeOfTags, formerTagNames, signedTags, soAlready, titleOfTags } from './signed-tags.ts';
import { mustBeTags } from './tag-words.ts';
import { endOfTags, parallel, planTags, readTags, sameTags, sendTags, tagged, tagStep } from './tags.ts';

export const tag = defineAction({
  path: 'tag',
  title: 'Change tags',
  summary: 'Add tags to orders, or remove them',
  examples: ['tag web-1 +blue -old', 'tag tag:web +green'],
  formerly: formerTagNames('tag'),
  args: { orders: tagged, ...signedTags, parallel },
  needs: [{ of: ['tags', 'none'], say: 'tags' }],
  capability: 'organize',
  risk: 'routine',
  step: tagStep,
  plan: async ({ orders, parallel, ...given }, context) => {
    const change = changeOfTags(given);
    await mustBeTags(change.all, context);
    return planTags(
      (names) => titleOfTags(change, names),
      orders,
      parallel,
      change.to,
      context,
      (order) => soAlready(change, order.label, order.tags),
    );
  },
  recheck: sameTags,
  execute: sendTags,
  verify: readTags,
  done: endOfTags,
});
