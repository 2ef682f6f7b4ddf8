import { type DnsRecord, type Domain, domainTarget } from '../../core/account/account.ts';
import { choice, option, optional, text as textArg } from '../../core/command/args.ts';
import { compareRecords, isWritable, recordTypes, ttlText, valueText } from '../../core/dns/record.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { count } from '../../core/text/words.ts';
import { type Button, formButton, runButton, type Span, text, textPart } from '../../core/view/view.ts';
import { channelRead, defineList, withReadAt } from '../define.ts';
import { mustName } from '../must-name.ts';
import { protectionField } from '../protection-mark.ts';
import { readZone } from './changes.ts';
import { recordsOf } from './fields.ts';
import { editLine, shortText } from './named-records.ts';

/** Up to this many records have their own buttons. */
const fewRecords = 3;

export const dnsList = defineList({
  path: 'dns list',
  words: `dig · nslookup | dns · record · entry · dns record · dns setting · dns entry · subdomain | mx = type=MX ·
    txt = type=TXT · spf = type=TXT · cname = type=CNAME · mx record = type=MX · txt record = type=TXT · where
    mail of · mail go · where does mail · dns show · dns ls · dns for · dns of · domain record list · records for ·
    entries set up`,
  title: 'DNS records',
  summary: 'List the records of a domain',
  examples: ['dns list example.com', 'dns list example.com type=MX'],
  args: {
    domain: recordsOf,
    filter: optional(textArg({ hint: 'Part of a host or value, or an id.', place: 'rest' })),
    type: option(choice({ of: recordTypes, hint: 'Only records of this type.' })),
  },
  ...channelRead,
  list: async ({ domain, filter, type }, context, show) => {
    const { name } = domain;
    const zone = [...(await readZone(context.reader, name))].sort(compareRecords);
    const words = (filter ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const records = zone.filter(
      (record) => (type === undefined || record.type === type) && words.every((word) => fits(record, word)),
    );
    const names = records.length > 0 ? [] : zone.flatMap((own) => [own.host, own.value, `${own.id}`, ...recordTypes]);
    mustName('dns list', { words, names }, [`dns list ${quote(name)}`]);
    const protection = await protectionField(context.bot, domainTarget(domain));
    const isFiltered = type !== undefined || words.length > 0;
    const amount = isFiltered ? `${records.length} of ${count(zone.length, 'record')}` : count(zone.length, 'record');
    return show({
      all: records,
      columns: [{ name: 'Host' }, { name: 'Record' }, { name: 'TTL, id', align: 'right' }],
      row: (record) => [record.host, `${record.type} ${valueText(record)}`, `${ttlText(record)} · #${record.id}`],
      instead: isFiltered ? 'No record matches.' : 'There are no records.',
      total: `${name}: ${amount}`,
      foot: (note) => text(...(isFiltered ? [] : datesOf(domain)), withReadAt(`${amount}${note}`, context.now)),
      above: [{ kind: 'heading', text: name }, ...textPart('text', protection)],
      buttons: [
        ...(context.may('dns', domainTarget(domain)) ? changing(name, records) : []),
        runButton('Zone file', `dns zone ${quote(name)}`),
      ],
    });
  },
});

function datesOf({ created, updated }: Domain): Span[] {
  return [
    ...(created === undefined ? [] : ['created ', { date: created }, ' · ']),
    ...(updated === undefined ? [] : ['changed ', { date: updated }, ' · ']),
  ];
}

function fits(record: DnsRecord, word: string): boolean {
  return (
    String(record.id) === word ||
    record.type.toLowerCase() === word ||
    record.host.includes(word) ||
    valueText(record).toLowerCase().includes(word)
  );
}

/** Buttons for each of a few records; for many, the form to choose one. */
function changing(name: string, records: readonly DnsRecord[]): Button[] {
  if (records.length > 0 && records.length <= fewRecords) {
    return records.flatMap((record): Button[] => [
      ...(isWritable(record) ? [formButton(`Edit ${shortText(record)}`, editLine(name, record))] : []),
      runButton(`Remove ${shortText(record)}`, `dns remove ${quote(name)} ${record.id}`),
    ]);
  }
  return [
    formButton('Add…', `dns add ${quote(name)}`),
    formButton('Edit…', `dns edit ${quote(name)}`),
    formButton('Remove…', `dns remove ${quote(name)}`),
  ];
}
