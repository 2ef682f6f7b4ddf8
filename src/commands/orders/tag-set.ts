import { flag, optional } from '../../core/command/args.ts';
import { Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { mustBeTags } from './tag-words.ts';
import { endOfTags, parallel, planTags, readTags, sameTags, sendTags, tagged, tagStep, tags } from './tags.ts';

export const tagSet = defineAction({
  path: 'tag set',
  title: 'Replace tags',
  summary: 'Replace all tags of orders',
  examples: ['tag set web-1 web prod', 'tag set wiki-1 --none'],
  args: {
    orders: tagged,
    tags: optional(tags),
    none: flag({ hint: 'Remove all tags.', label: 'No tags' }),
    parallel,
  },
  needs: [{ of: ['tags', 'none'], say: 'tags, or --none' }],
  capability: 'organize',
  risk: 'routine',
  step: tagStep,
  plan: async ({ orders, tags: given = [], none, parallel }, context) => {
    if (given.length === 0 && !none) {
      throw new Refusal('bad_value', 'The tags are missing.', {
        hint: 'Give them, or --none to remove all.',
        field: 'tags',
      });
    }
    if (given.length > 0 && none) {
      throw new Refusal('bad_value', 'Tags and --none contradict each other.', { field: 'none' });
    }
    await mustBeTags(given, context);
    const wanted = [...new Map(given.map((tag) => [tag.toLowerCase(), tag])).values()];
    const title = (names: string) =>
      wanted.length === 0 ? `Remove all tags of ${names}` : `Set the tags of ${names} to ${wanted.join(', ')}`;
    return planTags(title, orders, parallel, () => wanted, context);
  },
  recheck: sameTags,
  execute: sendTags,
  verify: readTags,
  done: endOfTags,
});
