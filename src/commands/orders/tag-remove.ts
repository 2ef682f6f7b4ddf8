import { list } from '../../core/text/words.ts';
import { defineAction } from '../define.ts';
import { mustBeTags } from './tag-words.ts';
import {
  anyTags,
  endOfTags,
  hasTag,
  parallel,
  planTags,
  readTags,
  sameTags,
  sayTags,
  sendTags,
  tagged,
  tagStep,
} from './tags.ts';

export const tagRemove = defineAction({
  path: 'tag remove',
  title: 'Remove tags',
  summary: 'Remove tags from orders',
  examples: ['tag remove web-1 prod', 'tag remove web-1,web-2 web prod'],
  alsoCalled: ['untag', 'tag delete', 'tag rm'],
  args: { orders: tagged, tags: anyTags, parallel },
  capability: 'organize',
  risk: 'routine',
  step: tagStep,
  plan: async ({ orders, tags, parallel }, context) => {
    await mustBeTags(tags, context);
    return planTags(
      (names) => `Remove the ${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')} from ${names}`,
      orders,
      parallel,
      (before) => before.filter((tag) => !hasTag(tags, tag)),
      context,
      (order) => `${order.label} does not have ${list(tags, 'or')}; its tags: ${sayTags(order.tags)}.`,
    );
  },
  recheck: sameTags,
  execute: sendTags,
  verify: readTags,
  done: endOfTags,
});
