import { defineAction } from '../define.ts';
import { mustBeTags } from '../orders/tag-words.ts';
import { hasTag, sayTags } from '../orders/tags.ts';
import {
  domainTagStep,
  endOfDomainTags,
  planDomainTags,
  readDomainTags,
  sendDomainTags,
  taggedDomain,
  tags,
} from './domain-tags.ts';

export const dnsTagAdd = defineAction({
  path: 'dns tag add',
  title: 'Add tags to a domain',
  summary: 'Add tags to a domain',
  examples: ['dns tag add example.com prod', 'dns tag add example.net staging eu'],
  args: { domain: taggedDomain, tags },
  capability: 'organize',
  risk: 'routine',
  step: domainTagStep,
  plan: async ({ domain, tags }, context) => {
    await mustBeTags(tags, context);
    return planDomainTags(
      domain,
      {
        title: `Tag ${domain.name} with ${tags.join(', ')}`,
        to: (before) => [...before, ...tags.filter((tag) => !hasTag(before, tag))],
        soAlready: (before) => `${domain.name} has these tags already: ${sayTags(before)}.`,
      },
      context,
    );
  },
  execute: sendDomainTags,
  verify: readDomainTags,
  done: endOfDomainTags,
});
