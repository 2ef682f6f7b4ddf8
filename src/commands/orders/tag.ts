import { defineAction } from '../define.ts';
import { changeOfTags, signedTags, soAlready, titleOfTags } from './signed-tags.ts';
import { mustBeTags } from './tag-words.ts';
import { endOfTags, parallel, planTags, readTags, sameTags, sendTags, tagged, tagStep } from './tags.ts';

export const tag = defineAction({
  path: 'tag',
  title: 'Change tags',
  summary: 'Add tags to a server or domain, or remove them',
  examples: ['tag web-1 +blue -old', 'tag domain:example.com +green'],
  args: { targets: tagged, ...signedTags, parallel },
  needs: [{ of: ['tags', 'none'], say: 'tags' }],
  capability: 'organize',
  risk: 'routine',
  step: tagStep,
  plan: async ({ targets, parallel, ...tagArgs }, context) => {
    const change = changeOfTags(tagArgs);
    await mustBeTags(change.all, context);
    return planTags(
      (names) => titleOfTags(change, names),
      targets,
      parallel,
      change.to,
      context,
      ({ name, tags }) => soAlready(change, name, tags),
    );
  },
  recheckTarget: sameTags,
  execute: sendTags,
  verify: readTags,
  done: endOfTags,
});
