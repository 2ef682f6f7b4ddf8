import type { ProviderData, SimDomain, SimRecordType } from '../model.ts';
import { nameservers } from '../nameservers.ts';
import { dayMs } from '../numbers.ts';

type Row = readonly [host: string, type: SimRecordType, value: string, ttl?: number | null, prio?: number];

const delegation = nameservers.map((name): Row => ['', 'NS', name]);

/** Three records of example.com point at web-1: the apex, www and api. */
const zones: Record<string, { tags: readonly string[]; rows: readonly Row[] }> = {
  'example.com': {
    tags: ['prod'],
    rows: [
      ...delegation,
      ['', 'A', '192.0.2.10', 300],
      ['www', 'A', '192.0.2.10', 300],
      ['api', 'A', '192.0.2.10', 120],
      ['app', 'A', '192.0.2.11', 300],
      ['shop', 'A', '192.0.2.11', 300],
      ['db', 'A', '192.0.2.20'],
      ['mail', 'A', '203.0.113.25', 3600],
      ['mail', 'AAAA', '2001:db8:25::25', 3600],
      ['status', 'A', '203.0.113.40', 600],
      ['blog', 'CNAME', 'shop.example.com'],
      ['', 'MX', 'mail.example.com', 3600, 10],
      ['', 'MX', 'backup-mx.example.net', 3600, 20],
      ['', 'TXT', 'v=spf1 mx ip4:203.0.113.25 -all'],
      ['_dmarc', 'TXT', 'v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com'],
      ['', 'CAA', '0 issue "letsencrypt.org"'],
    ],
  },
  'example.org': {
    tags: ['prod', 'marketing'],
    rows: [
      ...delegation,
      ['', 'A', '198.51.100.10'],
      ['www', 'CNAME', 'example.org'],
      ['*', 'A', '198.51.100.10'],
      ['ci', 'A', '198.51.100.40', 900],
      ['vpn', 'A', '203.0.113.129', 900],
      ['', 'MX', 'mail.example.com', null, 10],
      ['', 'TXT', 'v=spf1 mx -all'],
      ['_sip._tcp', 'SRV', '10 5060 sip.example.org', 3600, 5],
      ['sip', 'A', '203.0.113.129'],
    ],
  },
  'example.net': {
    tags: ['internal'],
    rows: [
      ...delegation,
      ['', 'A', '203.0.113.50'],
      ['wiki', 'A', '203.0.113.50', 7200],
      ['files-1', 'A', '198.51.100.200'],
      ['backup-1', 'A', '192.0.2.200'],
      ['staging', 'A', '203.0.113.140', 300],
      ['backup-mx', 'A', '203.0.113.25'],
      ['monitor', 'CNAME', 'status.example.com'],
    ],
  },
};

export function seedDomains(state: ProviderData, now: number): void {
  for (const [name, { tags, rows }] of Object.entries(zones)) {
    const entries: SimDomain['entries'] = new Map();
    for (const [host, type, value, ttl, prio] of rows) {
      const id = state.next.entry++;
      entries.set(id, { id, host, type, prio: prio ?? null, value, ttl: ttl ?? null });
    }
    state.domains.set(name, {
      name,
      createdAt: now - 900 * dayMs,
      updatedAt: now - 5 * dayMs,
      tags: [...tags],
      entries,
    });
  }
}
