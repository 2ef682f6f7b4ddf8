import { defineAction } from '../define.ts';
import { mustBeTags } from './tag-words.ts';
import { endOfTags, hasTag, parallel, planTags, readTags, sameTags, sendTags, tagged, tagStep, tags } from './tags.ts';

export const tagAdd = defineAction({
  path: 'tag add',
  title: 'Add tags',
  summary: 'Add tags to orders',
  examples: ['tag add web-1 blue', 'tag add tag:web blue green'],
  args: { orders: tagged, tags, parallel },
  capability: 'organize',
  risk: 'routine',
  step: tagStep,
  plan: async ({ orders, tags, parallel }, context) => {
    await mustBeTags(tags, context);
    return planTags(
      (names) => `Tag ${names} with ${tags.join(', ')}`,
      orders,
      parallel,
      (before) => [...before, ...tags.filter((tag) => !hasTag(before, tag))],
      context,
    );
  },
  recheck: sameTags,
  execute: sendTags,
  verify: readTags,
  done: endOfTags,
});
