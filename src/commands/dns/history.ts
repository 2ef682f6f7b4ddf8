import { z } from 'zod';
import { domainTarget } from '../../core/account/account.ts';
import { option, optional, text } from '../../core/command/args.ts';
import type { ZoneVersion } from '../../core/command/zone-history.ts';
import { relativeHost } from '../../core/dns/record.ts';
import { sayDifference } from '../../core/dns/zone-diff.ts';
import { joined, recordDifference } from '../../core/dns/zone-version.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { count } from '../../core/text/words.ts';
import { buttonRow, menuPart, type Row, runButton, type Span, type Text, type ViewPart } from '../../core/view/view.ts';
import { optionalOf } from '../args.ts';
import { channelRead, defineList, defineQuery } from '../define.ts';
import { diffLines } from './record-plan.ts';
import { fullDate, historyOf, onlyOf, type Past, past, pastDomain, sayRead, sayWho } from './versions.ts';

export const dnsHistory = defineList({
  path: 'dns history',
  words: `| dns history · zone history · dns change · dns log · dns version · old change · change log | what
    changed in zone · what is change in · what changed on · zone changes · who changed the record`,
  title: 'History of a zone',
  summary: 'Show who changed which records of a domain, and when',
  examples: ['dns history example.com', 'dns history example.com www since=7d'],
  args: {
    domain: pastDomain,
    name: optionalOf(text)({
      hint: 'Only changes of this name, such as www.',
      example: 'www',
      schema: z.string().trim().min(1, 'a name such as www').max(253, 'at most 253 characters'),
    }),
    since: option(past({ hint: 'Only changes since then, such as 7d or yesterday.', after: ['since'] })),
  },
  ...channelRead,
  list: async ({ domain, name, since }, context, show) => {
    const { versions, newest, oldest, hosts } = await historyOf(domain, context);
    if (name !== undefined) hosts([name], (await context.bot.zones.records(domain.name, newest.n)) ?? []);
    const host = name === undefined ? undefined : relativeHost(name, domain.name);
    const from = timeOf(since, versions);
    const rows = rowsOf(versions)
      .map((row) => ({ ...row, difference: onlyOf(row.difference, host) }))
      .filter((row) => row.newest.at >= from && (row.before === undefined || isChange(row)));
    const about = host === undefined ? domain.name : `${host} in ${domain.name}`;
    const changes = count(rows.filter(isChange).length, 'change');
    const restorable = context.may('dns', domainTarget(domain)) ? versions.slice(1) : [];
    const quoted = quote(domain.name);
    const ofName = host === undefined ? '' : ` ${quote(host)}`;
    return show({
      all: rows,
      columns: [{ name: 'Who' }, { name: 'What' }, { name: 'When' }],
      row: cellsOf,
      linksOf: (shown) => context.bot.cardLinks(shown.flatMap((row) => row.newest.operations.slice(-1))),
      instead: 'Nothing changed in that time.',
      total: `History of ${about}: ${changes}`,
      foot: (note) => [`${changes}${note} · the oldest version is `, ...sayRead(oldest)],
      above: [{ kind: 'heading', text: `History of ${about}` }],
      below: (shown) => [
        ...menuPart(
          'Show',
          shown.flatMap((row) => {
            const [before, n] = [row.before?.n, row.newest.n];
            return before === undefined ? [] : [runButton(labelOf(row), `dns diff ${quoted} v${before} v${n}`)];
          }),
        ),
        ...menuPart(
          'Restore…',
          shown
            .filter(({ newest }) => !newest.isGone && restorable.includes(newest))
            .map((row) => runButton(labelOf(row), `dns restore ${quoted} v${row.newest.n}${ofName}`)),
        ),
      ],
    });
  },
});

function timeOf(since: Past | undefined, versions: readonly ZoneVersion[]): number {
  if (since === undefined || 'isExpected' in since) return 0;
  return 'at' in since ? since.at : (versions.find(({ n }) => n === since.n)?.at ?? 0);
}

function isChange({ newest, before, difference }: HistoryRow): boolean {
  if (before === undefined) return false;
  return newest.isGone || before.isGone || difference.removed.length + difference.added.length > 0;
}

/** The id of the request that wrote the version is the link to its card. */
function cellsOf(row: HistoryRow, links: ReadonlyMap<string, string> = new Map()): Row {
  const { n, at, operations } = row.newest;
  const request = operations.slice(-1).flatMap((id): Span[] => {
    const link = links.get(id);
    return [' · ', link === undefined ? id : { link, text: id }];
  });
  return [sayWho(row.newest), whatOf(row), [`v${n} · `, fullDate(at), ...request]];
}

function whatOf({ newest, before, difference }: HistoryRow): string {
  if (newest.isGone) return 'the domain was removed';
  if (before?.isGone) return 'the domain was added again';
  if (before !== undefined) return sayDifference(difference);
  return newest.n === 1 ? 'the first reading' : 'the oldest version that is kept';
}

function labelOf(row: HistoryRow): string {
  return `v${row.newest.n} · ${whatOf(row)}`.slice(0, 75);
}

/** The versions, newest first, with those that one request wrote, record by record, as one row. */
function rowsOf(versions: readonly ZoneVersion[]) {
  const groups: [ZoneVersion, ...ZoneVersion[]][] = [];
  for (const version of versions) {
    const last = groups.at(-1);
    if (last !== undefined && isOneRequest(last[0], version)) last.push(version);
    else groups.push([version]);
  }
  return groups.map((own, at) => {
    const before = groups[at + 1]?.[0];
    // The difference of the oldest version leads to one that is not kept.
    return { newest: own[0], before, difference: joined(before === undefined ? own.slice(0, -1) : own) };
  });
}

type HistoryRow = ReturnType<typeof rowsOf>[number];

function isOneRequest(first: ZoneVersion, other: ZoneVersion): boolean {
  const [only] = first.operations;
  const isOf = (version: ZoneVersion) => version.operations.length === 1 && version.since === null && !version.isGone;
  return only !== undefined && isOf(first) && isOf(other) && other.operations[0] === only;
}

/** More lines do not fit into a message; the zone file has all. */
const mostLines = 100;

export const dnsDiff = defineQuery({
  path: 'dns diff',
  words: `compare · diff | zone diff · difference | dns compare · difference between · what is different ·
    different from · diff zone · record differ`,
  title: 'Compare versions',
  summary: 'Show how the records of a domain differ between two times',
  examples: ['dns diff example.com yesterday', 'dns diff example.com v11 v12'],
  args: {
    domain: pastDomain,
    from: past({ hint: 'The earlier time or row of the history.', example: 'yesterday' }),
    to: optional(past({ hint: 'The later one. Without it, the records now.', example: 'v12' })),
  },
  ...channelRead,
  run: async ({ domain, from, to }, context) => {
    const { name } = domain;
    const { newest, at, recordsOf } = await historyOf(domain, context);
    const first = at(from, 'from');
    const second = to === undefined ? newest : at(to, 'to');
    const [older, newer] = first.n <= second.n ? [first, second] : [second, first];
    const [before, after] = await Promise.all([recordsOf(older), recordsOf(newer)]);
    const lines = diffLines(recordDifference(before, after));
    const amount = count(lines.length, 'line');
    const mayRestore = context.may('dns', domainTarget(domain)) && !older.isGone && lines.length > 0;
    const differs: ViewPart[] =
      lines.length === 0
        ? [{ kind: 'text', text: 'The records are the same.' }]
        : [{ kind: 'diff', lines: lines.slice(0, mostLines) }];
    const cut = lines.length > mostLines ? `the first ${mostLines} of ${amount}` : amount;
    return {
      summary: `${name}: ${amount} of difference between v${older.n} and v${newer.n}`,
      parts: [
        { kind: 'heading', text: name },
        ...differs,
        { kind: 'context', text: [`${cut} · `, ...sayVersion(older), ' → ', ...sayVersion(newer)] },
        ...buttonRow([
          ...(mayRestore ? [runButton(`Restore v${older.n}…`, `dns restore ${quote(name)} v${older.n}`)] : []),
          ...(older.isGone ? [] : [runButton(`Zone file of v${older.n}`, `dns zone ${quote(name)} at=v${older.n}`)]),
          runButton('History', `dns history ${quote(name)}`),
        ]),
      ],
    };
  },
});

function sayVersion(version: ZoneVersion): Exclude<Text, string> {
  const who = sayWho(version);
  return [
    `v${version.n}, `,
    fullDate(version.at),
    ...(who.length === 0 ? [] : [' ', ...who]),
    ...(version.since === null ? [] : [' after ', fullDate(version.since)]),
  ];
}
