import { option } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { recordTypes } from '../../core/dns/record.ts';
import { zoneTextOf } from '../../core/dns/write-zone.ts';
import { count } from '../../core/text/words.ts';
import type { Reader } from '../../provider/client.ts';
import { defineQuery } from '../define.ts';
import { readZone } from './changes.ts';
import { historyOf, type Past, type PastDomain, past, pastDomain, sayRead } from './versions.ts';

export const dnsZone = defineQuery({
  path: 'dns zone',
  title: 'Zone file',
  summary: 'Show the zone of a domain as a file',
  examples: ['dns zone example.com', 'dns zone example.org'],
  args: {
    domain: pastDomain,
    at: option(past({ hint: 'As it was then, such as yesterday or v12.', after: ['at', 'from'] })),
  },
  capability: 'read',
  visibility: 'channel',
  run: async ({ domain, at }, context) => {
    const { name } = domain;
    const { file, zone, when } =
      at === undefined ? await zoneNow(domain, context) : await zoneThen(domain, at, context);
    const counts = recordTypes
      .map((type) => [type, zone.filter((record) => record.type === type).length] as const)
      .filter(([, n]) => n > 0)
      .map(([type, n]) => `${n} ${type}`);
    const amount = `${count(zone.length, 'record')}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`;
    return {
      summary: `Zone file of ${name}, ${amount}`,
      parts: [
        { kind: 'text', text: ['Zone file of ', { bold: name }, ...when, `, ${amount}`] },
        {
          kind: 'context',
          text: ['Changed, it goes back as text or as a file through ', { code: `/host dns apply ${name}` }, '.'],
        },
      ],
      files: [
        {
          name: `${name}.zone`,
          title: `Zone of ${name}`,
          alt: `Zone file of ${name}, ${amount}`,
          bytes: new TextEncoder().encode(file),
        },
      ],
    };
  },
});

async function zoneNow({ name, unknown }: PastDomain, { reader }: ReadContext<Reader>) {
  if (unknown !== undefined) throw unknown;
  const [file, zone] = await Promise.all([reader.dns.zoneFile({ name }), readZone(reader, name)]);
  return { file, zone, when: [] };
}

async function zoneThen(domain: PastDomain, time: Past, context: ReadContext<Reader>) {
  const { at, recordsOf } = await historyOf(domain, context);
  const version = at(time, 'at');
  const zone = await recordsOf(version);
  return { file: zoneTextOf(zone, domain.name), zone, when: [' as in ', ...sayRead(version)] };
}
