import { optional } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { type RecordData, recordTypes } from '../../core/dns/record.ts';
import { zoneTextOf } from '../../core/dns/write-zone.ts';
import { count } from '../../core/text/words.ts';
import type { Span } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { defineQuery } from '../define.ts';
import { readZone } from './changes.ts';
import { type Past, type PastDomain, past, pastDomain } from './past-args.ts';
import { recordsAt, sayRead, versionAt, versionsOf } from './versions.ts';

export const dnsZone = defineQuery({
  path: 'dns zone',
  title: 'Zone file',
  summary: 'Show the zone of a domain as a file',
  examples: ['dns zone example.com', 'dns zone example.org'],
  args: {
    domain: pastDomain({ hint: 'A domain that the account has or had.', example: 'example.com' }),
    at: optional(past({ hint: 'As it was then, such as yesterday or v12.', place: 'option', after: ['at', 'from'] })),
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

interface ZoneFile {
  readonly file: string;
  readonly zone: readonly RecordData[];
  readonly when: readonly Span[];
}

async function zoneNow({ name, unknown }: PastDomain, { reader }: ReadContext<Reader>): Promise<ZoneFile> {
  if (unknown !== undefined) throw unknown;
  const [file, zone] = await Promise.all([reader.dns.zoneFile({ name }), readZone(reader, name)]);
  return { file, zone, when: [] };
}

async function zoneThen(domain: PastDomain, at: Past, context: ReadContext<Reader>): Promise<ZoneFile> {
  const { name } = domain;
  const version = versionAt(await versionsOf(domain, context), at, { name, field: 'at' });
  const zone = await recordsAt(version, name, context);
  return { file: zoneTextOf(zone, name), zone, when: [' as in ', ...sayRead(version)] };
}
