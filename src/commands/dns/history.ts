import { z } from 'zod';
import { domainTarget } from '../../core/account/account.ts';
import { optional, text } from '../../core/command/args.ts';
import type { ZoneVersion } from '../../core/command/zone-history.ts';
import { relativeHost } from '../../core/dns/record.ts';
import { sayDifference } from '../../core/dns/say-difference.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { count } from '../../core/text/words.ts';
import { menuPart, type Row, runButton, type Span } from '../../core/view/view.ts';
import { defineList } from '../list.ts';
import {
  fullDate,
  type HistoryRow,
  historyOf,
  onlyOf,
  type Past,
  past,
  pastDomain,
  rowsOf,
  sayRead,
  sayWho,
} from './versions.ts';

export const dnsHistory = defineList({
  path: 'dns history',
  title: 'History of a zone',
  summary: 'Show who changed which records of a domain, and when',
  examples: ['dns history example.com', 'dns history example.com www since=7d'],
  args: {
    domain: pastDomain,
    name: optional(
      text({
        hint: 'Only changes of this name, such as www.',
        example: 'www',
        schema: z.string().trim().min(1, 'a name such as www').max(253, 'at most 253 characters'),
      }),
    ),
    since: optional(
      past({ hint: 'Only changes since then, such as 7d or yesterday.', place: 'option', after: ['since'] }),
    ),
  },
  capability: 'read',
  visibility: 'channel',
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
