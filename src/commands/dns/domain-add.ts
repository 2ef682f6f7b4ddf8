import { z } from 'zod';
import { domainTarget, hasAddress, orderTarget } from '../../core/account/account.ts';
import { text } from '../../core/command/args.ts';
import type { ReadContext, WriteContext } from '../../core/command/command.ts';
import { atField, readDomainName } from '../../core/dns/names.ts';
import { readValue } from '../../core/dns/read-value.ts';
import type { Receipt, Verdict } from '../../core/plan/plan.ts';
import { count } from '../../core/text/words.ts';
import { dotted, type Text } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { defineAction } from '../define.ts';

export const dnsDomainAdd = defineAction({
  path: 'dns domain-add',
  title: 'Add a domain',
  summary: 'Add a domain, with its first records, to the name servers',
  examples: ['dns domain-add example.edu 192.0.2.10', 'dns domain-add shop.example.info 192.0.2.11'],
  args: {
    name: text({
      hint: 'The domain, without www.',
      example: 'example.com',
      schema: z.string().trim().min(1, 'a name that is not empty'),
    }),
    ip: text({ hint: 'The IPv4 address that it should point to.', example: '192.0.2.10' }),
  },
  capability: 'dns',
  risk: 'dangerous',
  step: z.object({ name: z.string(), ip: z.ipv4() }),
  plan: async ({ name: typed, ip: address }, { reader, account: readAccount, may }) => {
    const name = readDomainName(typed);
    const ip = atField('ip', () => readValue('A', address, name, { typed: undefined, kept: null }).value);
    const target = domainTarget({ name });
    const [existing, account] = await Promise.all([findDomain(reader, name), readAccount()]);
    const isThere = hasAddress(ip);
    const owner = account.orders.find((order) => isThere(order) && may('read', orderTarget(order)));
    const details: [string, Text][] = [
      ['Server', owner ? `${ip} is ${owner.label}` : `${ip} is not the address of a server of this account.`],
      ['Name', `It has to be registered, and given the provider's name servers. That is not done here.`],
      ['Enabled', "Unknown: adding domains is off until the provider's support turns it on for the account."],
    ];
    return {
      title: `Add the domain ${name}`,
      subject: [[{ bold: name }, ` · ${ip}`]],
      targets: [target],
      effect: `The provider creates a zone for ${name}, with name servers and an address record for ${ip}.`,
      glance: dotted([
        `a zone with A ${ip}${owner ? `, which is ${owner.label}` : ', which is no server of this account'}`,
        "to be registered elsewhere, with the provider's name servers",
        'the provider may refuse: its support turns this on',
      ]),
      details,
      facts: { domain: name, address: ip, 'in the account': existing !== undefined },
      steps: [{ target, label: name, data: { name, ip } }],
      ...(existing === undefined
        ? {}
        : { nothingToDo: `${name} is in the account already, with ${count(existing.entry_set.length, 'record')}.` }),
    };
  },
  execute: addDomain,
  verify: ({ name }, context) => verifyDomain(name, context),
  done: (steps) => ({ text: `${steps[0]?.data.name ?? 'the domain'} added` }),
});

export async function addDomain(
  { name, ip }: { readonly name: string; readonly ip: string },
  { provider }: WriteContext<Provider>,
): Promise<Receipt> {
  const created = await provider.dns.createDomain({ name, ip });
  return { text: '', data: { name: created.name } };
}

export async function verifyDomain(name: string, { reader }: ReadContext<Reader>): Promise<Verdict> {
  const domain = await findDomain(reader, name);
  return domain === undefined
    ? { is: 'not', text: `the account has no domain ${name}` }
    : { is: 'so', text: `the domain is in the account, with ${count(domain.entry_set.length, 'record')}` };
}

export async function findDomain(reader: Reader, name: string) {
  return (await reader.dns.domains({ q: name })).find((domain) => domain.name.toLowerCase() === name.toLowerCase());
}
