import { defineAction } from '../define.ts';
import { changeOfTags, formerTagNames, signedTags, soAlready, titleOfTags } from '../orders/signed-tags.ts';
import { mustBeTags } from '../orders/tag-words.ts';
import {
  domainTagStep,
  endOfDomainTags,
  planDomainTags,
  readDomainTags,
  sendDomainTags,
  taggedDomain,
} from './domain-tags.ts';

export const dnsTag = defineAction({
  path: 'dns tag',
  title: 'Change tags of a domain',
  summary: 'Add tags to a domain, or remove them',
  examples: ['dns tag example.com +prod -old', 'dns tag example.net +eu'],
  formerly: formerTagNames('dns tag'),
  args: { domain: taggedDomain, ...signedTags },
  needs: [{ of: ['tags', 'none'], say: 'tags' }],
  capability: 'organize',
  risk: 'routine',
  step: domainTagStep,
  plan: async ({ domain, ...given }, context) => {
    const change = changeOfTags(given);
    await mustBeTags(change.all, context);
    return planDomainTags(
      domain,
      {
        title: titleOfTags(change, domain.name),
        to: change.to,
        soAlready: (before) => soAlready(change, domain.name, before),
      },
      context,
    );
  },
  execute: sendDomainTags,
  verify: readDomainTags,
  done: endOfDomainTags,
});
