import { list } from '../../core/text/words.ts';
import { defineAction } from '../define.ts';
import { mustBeTags } from '../orders/tag-words.ts';
import { anyTags, hasTag, sayTags } from '../orders/tags.ts';
import {
  domainTagStep,
  endOfDomainTags,
  planDomainTags,
  readDomainTags,
  sendDomainTags,
  taggedDomain,
} from './domain-tags.ts';

export const dnsTagRemove = defineAction({
  path: 'dns tag remove',
  title: 'Remove tags of a domain',
  summary: 'Remove tags from a domain',
  examples: ['dns tag remove example.com prod', 'dns tag remove example.net staging eu'],
  args: { domain: taggedDomain, tags: anyTags },
  capability: 'organize',
  risk: 'routine',
  step: domainTagStep,
  plan: async ({ domain, tags }, context) => {
    await mustBeTags(tags, context);
    return planDomainTags(
      domain,
      {
        title: `Remove ${tags.join(', ')} from ${domain.name}`,
        to: (before) => before.filter((tag) => !hasTag(tags, tag)),
        soAlready: (before) => `${domain.name} does not have ${list(tags, 'or')}; its tags: ${sayTags(before)}.`,
      },
      context,
    );
  },
  execute: sendDomainTags,
  verify: readDomainTags,
  done: endOfDomainTags,
});
