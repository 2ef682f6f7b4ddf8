import { z } from 'zod';
import { domainTarget } from '../../core/account/account.ts';
import { hostIn } from '../../core/account/host-in.ts';
import { text as textArg } from '../../core/command/args.ts';
import { fullName, ttlText, valueText } from '../../core/dns/record.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { count } from '../../core/text/words.ts';
import { formButton } from '../../core/view/view.ts';
import { channelRead, defineList } from '../define.ts';

export const dnsFind = defineList({
  path: 'dns find',
  words: `find · search | | who use · what use · what point to · who point to · what points at · where does ·
    where do · dns search · dns grep · dns who · used in dns · which domain word · grep zone · record still point ·
    look record with`,
  title: 'Find DNS records',
  summary: 'Find records in all domains by a part of their name or value',
  examples: ['dns find 192.0.2.10', 'dns find mail'],
  alsoSays: ['point', 'points', 'to', 'lead', 'go'],
  args: {
    text: textArg({
      hint: 'An address, or part of a name or value.',
      example: '192.0.2.10',
      place: 'rest',
      schema: z.string().trim().min(2, 'at least two characters').max(253, 'at most 253 characters'),
    }),
  },
  ...channelRead,
  list: async ({ text: typed }, { account, may }, show) => {
    const { domains, unread } = await account();
    const wanted = hostIn(typed).toLowerCase();
    const readable = domains.filter((domain) => may('read', domainTarget(domain)));
    const matches = readable.flatMap((domain) =>
      domain.records
        .map((record) => ({ ...record, name: fullName(record.host, domain.name), domain }))
        .filter((record) => `${record.name} ${record.type} ${record.value}`.toLowerCase().includes(wanted)),
    );
    const among = `${count(matches.length, 'record')} in ${count(readable.length, 'domain')}`;
    const isWhole = matches.some(
      ({ value, domain }) => value.toLowerCase() === wanted && may('dns', domainTarget(domain)),
    );
    const unreadText = 'The zones could not be read just now, so there may be more.';
    return show({
      all: matches,
      columns: [{ name: 'Name' }, { name: 'Record' }, { name: 'TTL', align: 'right' }],
      row: (record) => [record.name, `${record.type} ${valueText(record)}`, ttlText(record)],
      instead: 'No record matches.',
      total: `${typed}: ${among}`,
      foot: (note) => `${among}${note}`,
      above: [
        { kind: 'heading', text: typed },
        ...(unread.includes('domains') ? [{ kind: 'notice', tone: 'warning', text: unreadText } as const] : []),
      ],
      buttons: isWhole ? [formButton('Replace…', `dns replace ${quote(wanted)}`)] : [],
    });
  },
});
