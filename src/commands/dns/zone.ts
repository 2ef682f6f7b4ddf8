import { domain } from '../../core/command/args.ts';
import { recordTypes } from '../../core/dns/record.ts';
import { count } from '../../core/text/words.ts';
import { defineQuery } from '../define.ts';
import { readZone } from './changes.ts';

export const dnsZone = defineQuery({
  path: 'dns zone',
  title: 'Zone file',
  summary: 'Show the zone of a domain as a file',
  examples: ['dns zone example.com', 'dns zone example.org'],
  alsoCalled: ['zone', 'zone file', 'dns export', 'dns file'],
  args: { domain: domain({ hint: 'A domain of the account.', example: 'example.com' }) },
  capability: 'read',
  visibility: 'channel',
  run: async ({ domain: { name } }, { reader }) => {
    const [file, zone] = await Promise.all([reader.dns.zoneFile({ name }), readZone(reader, name)]);
    const counts = recordTypes
      .map((type) => [type, zone.filter((record) => record.type === type).length] as const)
      .filter(([, n]) => n > 0)
      .map(([type, n]) => `${n} ${type}`);
    const amount = `${count(zone.length, 'record')}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`;
    return {
      summary: `Zone file of ${name}, ${amount}`,
      parts: [
        { kind: 'text', text: ['Zone file of ', { bold: name }, `, ${amount}`] },
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
