import { flag, optional } from '../../core/command/args.ts';
import { Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { mustBeTags } from '../orders/tag-words.ts';
import { sayTags } from '../orders/tags.ts';
import {
  domainTagStep,
  endOfDomainTags,
  planDomainTags,
  readDomainTags,
  sendDomainTags,
  taggedDomain,
  tags,
} from './domain-tags.ts';

export const dnsTagSet = defineAction({
  path: 'dns tag set',
  title: 'Set tags of a domain',
  summary: 'Replace all tags of a domain',
  examples: ['dns tag set example.com prod eu', 'dns tag set example.net --none'],
  args: {
    domain: taggedDomain,
    tags: optional(tags),
    none: flag({ hint: 'Remove all tags.', label: 'No tags' }),
  },
  needs: [{ of: ['tags', 'none'], say: 'tags, or --none' }],
  capability: 'organize',
  risk: 'routine',
  step: domainTagStep,
  plan: async ({ domain, tags: given = [], none }, context) => {
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
    return planDomainTags(
      domain,
      {
        title:
          wanted.length === 0
            ? `Remove all tags of ${domain.name}`
            : `Set the tags of ${domain.name} to ${wanted.join(', ')}`,
        to: () => wanted,
        soAlready: (before) => `${domain.name} has these tags already: ${sayTags(before)}.`,
      },
      context,
    );
  },
  execute: sendDomainTags,
  verify: readDomainTags,
  done: endOfDomainTags,
});
