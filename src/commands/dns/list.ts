import { type Domain, domainTarget } from '../../core/account/account.ts';
import { choice, optional, text as textArg } from '../../core/command/args.ts';
import {
  compareRecords,
  isWritable,
  type KnownRecord,
  recordTypes,
  ttlText,
  valueText,
} from '../../core/dns/record.ts';
import { quote, quoteValue } from '../../core/grammar/tokens.ts';
import { count } from '../../core/text/words.ts';
import { type Button, type Row, type Span, text, type ViewPart } from '../../core/view/view.ts';
import { buttonRow, formButton, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';
import { pinField } from '../pin-mark.ts';
import { withReadAt } from '../read-at.ts';
import { readZone } from './changes.ts';
import { editLine } from './edit-line.ts';
import { recordsOf } from './fields.ts';
import { shortText } from './named-records.ts';

/** Up to this many records have their own buttons. */
const fewRecords = 3;

export const dnsList = defineQuery({
  path: 'dns list',
  title: 'DNS records',
  summary: 'List the records of a domain',
  examples: ['dns list example.com', 'dns list example.com type=MX'],
  args: {
    domain: recordsOf,
    filter: optional(textArg({ hint: 'Part of a host or value, or an id.', place: 'rest' })),
    type: optional(choice({ of: recordTypes, hint: 'Only records of this type.', place: 'option' })),
    page,
  },
  capability: 'read',
  visibility: 'channel',
  run: async ({ domain, filter, type, page }, context) => {
    const { name } = domain;
    const zone = [...(await readZone(context.reader, name))].sort(compareRecords);
    const words = (filter ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const records = zone.filter(
      (record) => (type === undefined || record.type === type) && words.every((word) => fits(record, word)),
    );
    const pinned = await pinField(context.bot, domainTarget(domain));
    const isFiltered = type !== undefined || words.length > 0;
    const line = [
      'dns list',
      quote(name),
      ...words.map(quote),
      ...(type === undefined ? [] : [`type=${quoteValue(type)}`]),
    ].join(' ');
    const shown = paged(records, page, { row: rowOf, lineOf: (to) => `${line} page=${to}` });
    const amount = isFiltered ? `${records.length} of ${count(zone.length, 'record')}` : count(zone.length, 'record');
    const buttons = [...shown.buttons, ...(context.may('dns', domainTarget(domain)) ? changing(name, records) : [])];
    const table: ViewPart = {
      kind: 'table',
      columns: [{ name: 'Host' }, { name: 'Record' }, { name: 'TTL, id', align: 'right' }],
      rows: shown.rows.map(rowOf),
    };
    return {
      summary: `${name}: ${amount}`,
      parts: [
        { kind: 'heading', text: name },
        ...(pinned === '' ? [] : [{ kind: 'text', text: pinned } as const]),
        ...(shown.rows.length > 0 ? [table] : [{ kind: 'text', text: noneText(isFiltered) } as const]),
        {
          kind: 'context',
          text: text(...(isFiltered ? [] : datesOf(domain)), withReadAt(`${amount}${shown.note}`, context.now)),
        },
        ...buttonRow([...buttons, runButton('Zone file', `dns zone ${quote(name)}`)]),
      ],
      ...shown.more,
    };
  },
});

function datesOf({ created, updated }: Domain): Span[] {
  return [
    ...(created === undefined ? [] : ['created ', { date: created }, ' · ']),
    ...(updated === undefined ? [] : ['changed ', { date: updated }, ' · ']),
  ];
}

function fits(record: KnownRecord, word: string): boolean {
  return (
    String(record.id) === word ||
    record.type.toLowerCase() === word ||
    record.host.includes(word) ||
    valueText(record).toLowerCase().includes(word)
  );
}

function rowOf(record: KnownRecord): Row {
  return [record.host, `${record.type} ${valueText(record)}`, `${ttlText(record)} · #${record.id}`];
}

function noneText(isFiltered: boolean): string {
  return isFiltered ? 'No record matches.' : 'There are no records.';
}

/** Buttons for each of a few records; for many, the form to choose one. */
function changing(name: string, records: readonly KnownRecord[]): Button[] {
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
