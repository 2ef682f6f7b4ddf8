import { z } from 'zod';
import { type DnsRecord, domainTarget } from '../core/account.ts';
import type { Drift, Finding } from '../core/alert.ts';
import { linesDiff } from '../core/diff.ts';
import { count, day, firstFew, minute } from '../core/words.ts';
import { defineAlert } from './define.ts';

/** As people compare them: without the id, which a record that is removed and added again changes. */
const zoneSchema = z.array(z.string());

export const zone = defineAlert<readonly Drift[]>({
  name: 'zone',
  title: 'A zone was changed by hand',
  many: (n) => `${n} zones were changed by hand`,
  reads: 'the records of every domain, from the list of domains',
  everyMs: 5 * minute,
  fires: 'the records differ from what they were, and no operation of ours touched the domain',
  clears: 'they are as before, an operation of ours has changed the zone, or a day has passed: then that is how it is',
  offers: 'Show zone diff',
  capability: 'read',
  look: async ({ account, isWatched, drift }) => {
    const { domains, unread } = await account();
    if (unread.includes('domains')) return undefined;
    const watched = domains.filter((domain) => isWatched(domainTarget(domain)));
    const names = new Set(watched.map((domain) => domain.name));
    const seen = watched.map((domain) => ({
      key: domain.name,
      value: domain.records.map(lineOf).sort(),
      target: domainTarget(domain),
    }));
    const drifts = await drift('zone', seen, { ours: ['dns', 'destroy', 'spend'], usualAfterMs: day });
    return drifts.filter(({ key }) => names.has(key));
  },
  find: (drifts) => drifts.map(found),
  calm: (cause) => `${cause}: its records are accounted for`,
  sample: (now) =>
    found({
      key: 'example.com',
      usual: ['www A 192.0.2.10 ttl 3600'],
      value: ['www A 192.0.2.66 ttl 3600'],
      since: now,
    }),
});

function lineOf({ host, type, value, prio, ttl }: DnsRecord): string {
  const shown = [host, type, ...(prio === null || prio === 0 ? [] : [String(prio)]), value];
  return `${shown.join(' ')} ttl ${ttl ?? 3600}`;
}

function found({ key, usual, value, since }: Drift): Finding {
  const before = zoneSchema.catch([]).parse(usual);
  const after = zoneSchema.catch([]).parse(value);
  const lines = linesDiff(before, after);
  const hosts = [...new Set(lines.map(({ text }) => text.split(' ').slice(0, 2).join(' ')))];
  return {
    cause: key,
    target: domainTarget({ name: key }),
    title: `${key} was changed by hand`,
    lines: [
      [
        `${count(lines.length, 'line')} of difference: ${firstFew(hosts, 4)} · seen `,
        { date: since, style: 'full' },
        ' · not asked for here',
      ],
    ],
    severity: 'warning',
    level: 0,
    offers: [{ label: 'Show zone diff', line: 'alerts show $alert' }],
    details: [{ kind: 'diff', lines: lines.slice(0, 200) }],
  };
}
