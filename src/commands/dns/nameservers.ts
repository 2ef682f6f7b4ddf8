import { z } from 'zod';
import { type Domain, domainTarget, type Order, orderTarget } from '../../core/account/account.ts';
import { type Arg, order, words } from '../../core/command/args.ts';
import { readTarget } from '../../core/dns/names.ts';
import { bare, isDelegation, relativeHost } from '../../core/dns/record.ts';
import { resolveOrder } from '../../core/targets/targets.ts';
import { count, list } from '../../core/text/words.ts';
import { atField, badValue } from '../../core/view/errors.ts';
import { dotted } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';

/** The prefix of domain orders (the provider's OpenAPI document 2.3.28). */
const domainPrefix = '375-';
const most = 13;

const anyOrder = order({ kinds: ['other'], hint: 'The domain, or the id of its order.', example: 'example.com' });
const domainOrder: Arg<Order> = {
  ...anyOrder,
  read: (words, { account, maySee }) => {
    const orders = account.orders.filter((order) => order.id.startsWith(domainPrefix) || words.includes(order.id));
    const resolved = resolveOrder(words.join(' ').replace(/\.$/, ''), {
      account: { ...account, orders },
      maySee,
      kinds: ['other'],
    });
    if (resolved.id.startsWith(domainPrefix)) return resolved;
    const hint = `Their ids begin with ${domainPrefix}; see /host orders.`;
    throw badValue(`${resolved.label} (${resolved.id}) is not the order of a domain.`, hint);
  },
};

export const dnsNameservers = defineAction({
  path: 'dns nameservers',
  words: `change · set · switch · move · delegate | nameserver · name server · ns | delegate to · must use
    nameserver`,
  title: 'Change name servers',
  summary: 'Change which name servers a registered domain has',
  examples: [
    'dns nameservers example.net ns1.example.org ns2.example.org',
    'dns nameservers 375-21 ns1.hosting.example ns2.hosting.example',
  ],
  args: {
    domain: domainOrder,
    nameservers: words({
      hint: 'Two or more host names.',
      example: 'ns1.example.org ns2.example.org',
      schema: z.string(),
      most,
    }),
  },
  capability: 'dns',
  risk: 'dangerous',
  step: z.object({ order: z.string(), name: z.string(), nss: z.string() }),
  plan: async ({ domain: order, nameservers }, { account: readAccount }) => {
    const name = order.name || order.hostname || order.id;
    const servers = readServers(nameservers, name);
    const account = await readAccount();
    const zone = account.domains.find((domain) => domain.name.toLowerCase() === name.toLowerCase());
    const unread = account.unread.includes('domains') ? 'Unknown: the zones could not be read.' : '';
    const [briefly, inFull] = zone === undefined ? ['', unread] : zoneWords(zone, servers);
    const inside = servers.filter((server) => relativeHost(server, name) !== server);
    const glue = `${list(inside)} ${inside.length === 1 ? 'is' : 'are'} below ${name} itself: the registry needs the addresses, which this API cannot set.`;
    // The name of an order can be edited, so a right on the domain is not a right on its order, nor the reverse.
    const targets = [orderTarget(order), ...(zone === undefined ? [] : [domainTarget(zone)])];
    return {
      title: `Change the name servers of ${name}`,
      subject: [[{ bold: name }, ` · ${order.id}`]],
      targets,
      effect: `${list(servers)} answer for ${name}. If they do not know it, the site and the mail of the domain stop working.`,
      glance: dotted([
        `unless ${list(servers)} know it, its site and mail stop`,
        briefly,
        'cached up to 2 days',
        ...inside.map((server) => `the registry needs the address of ${server}, which this API cannot set`),
      ]),
      details: [
        ['Now', 'Unknown: the API does not show which name servers a domain has.'],
        ['Zone', inFull],
        ['Cached', 'Answers of the old name servers may stay cached for up to 2 days.'],
        ['Glue', inside.length === 0 ? '' : glue],
      ],
      facts: { order: order.id, name, status: order.status, nameservers: servers.join(',') },
      steps: [{ target: orderTarget(order), label: name, data: { order: order.id, name, nss: servers.join(',') } }],
      typedName: name,
    };
  },
  execute: async ({ order, nss }, { provider }) => {
    const answered = await provider.domainOrders.changeNs({ order_id: order, nss });
    return { text: '', data: { nss: answered.nss } };
  },
  verify: async ({ nss }, _, receipt) => {
    const answered = z.object({ nss: z.string() }).safeParse(receipt?.data).data?.nss;
    const asking =
      'the API cannot be asked which name servers a domain has; a resolver can, once the registry has them';
    if (answered === undefined) return { is: 'unsure', text: asking, isFinal: true };
    return setOf(answered) === setOf(nss)
      ? { is: 'unsure', text: `the provider repeated the list, and ${asking}`, isFinal: true }
      : { is: 'not', text: `the provider answered with another list: ${answered}`, isFinal: true };
  },
  done: ([{ data }]) => ({ text: `name servers of ${data.name} changed to ${list(data.nss.split(','))}` }),
});

function readServers(typed: readonly string[], name: string): string[] {
  const servers = [...new Set(typed.map((word) => atField('nameservers', () => readTarget(word, name, 'NS'))))];
  if (servers.length >= 2) return servers;
  throw badValue('A domain needs at least two name servers.', 'Give two or more.', 'nameservers');
}

function zoneWords({ name, records }: Domain, servers: readonly string[]): readonly [string, string] {
  const here = records.filter(isDelegation).map(({ value }) => bare(value));
  if (here.some((server) => servers.includes(server)))
    return ['the zone here stays in use', `The zone of ${name} here stays in use.`];
  return [
    `the zone here (${count(records.length, 'record')}) is no longer used`,
    `The zone of ${name} here (${records.length} records, NS ${list(here) || 'none'}) is no longer asked once this takes effect.`,
  ];
}

function setOf(nss: string): string {
  return nss.split(',').map(bare).sort().join(',');
}
