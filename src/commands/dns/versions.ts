import type { ReadContext } from '../../core/command/command.ts';
import type { ZoneVersion } from '../../core/command/zone-history.ts';
import { type RecordData, relativeHost } from '../../core/dns/record.ts';
import { joined, recordsOfLines, versionLine } from '../../core/dns/zone-version.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { allNearest } from '../../core/text/nearest.ts';
import { count, list } from '../../core/text/words.ts';
import { Refusal, type Suggestion } from '../../core/view/errors.ts';
import type { Span, Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { zoneIfThere } from './changes.ts';
import type { Past, PastDomain } from './past-args.ts';

/** Versions of a zone as people choose and read them. */

export type Difference = Pick<ZoneVersion, 'removed' | 'added'>;

/** The part of a difference about one name; all of it without a name. */
export function onlyOf({ removed, added }: Difference, host: string | undefined): Difference {
  const own = (records: Difference['added']) => records.filter((each) => host === undefined || each.host === host);
  return { removed: own(removed), added: own(added) };
}

/**
 * All versions of a zone, newest first. The zone is read once more, so that the newest version is the present one; a
 * domain that the account does not have is refused unless it had been there.
 */
export async function versionsOf(
  { name, unknown }: PastDomain,
  { bot, reader }: Pick<ReadContext<Reader>, 'bot' | 'reader'>,
): Promise<readonly ZoneVersion[]> {
  const present = (unknown === undefined ? await zoneIfThere(reader, name) : undefined) ?? [];
  const versions = await bot.zones.versions(name);
  if (versions.length > 0) return versions;
  if (unknown !== undefined) throw unknown;
  const { mostRecords } = bot.zones;
  if (present.length > mostRecords) {
    throw new Refusal(
      'impossible',
      `${name} has ${count(present.length, 'record')}. The bot keeps versions of zones with at most ${count(mostRecords, 'record')}.`,
      {
        suggestions: [{ label: 'Zone file', command: `dns zone ${quote(name)}` }],
      },
    );
  }
  throw new Refusal('unavailable', `No version of ${name} is kept yet: it was not read before.`, {
    hint: 'Try again in a minute.',
  });
}

/** The version that a person named: by its row, or the one in effect at that time. */
export function versionAt(
  versions: readonly ZoneVersion[],
  when: Exclude<Past, 'expected'>,
  { name, field }: { readonly name: string; readonly field: string },
): ZoneVersion {
  const version = versions.find((candidate) => ('n' in when ? candidate.n === when.n : candidate.at <= when.at));
  if (version !== undefined) return version;
  const [newest] = versions;
  const oldest = versions.at(-1);
  if (newest === undefined || oldest === undefined) throw new Error('a history without versions');
  const isTooNew = 'n' in when && when.n > newest.n;
  const nearest = isTooNew ? newest : oldest;
  throw new Refusal(
    'not_found',
    [
      isTooNew
        ? `${name} has no version v${when.n} yet. The newest is `
        : `Nothing so old is known about ${name}. The oldest version is `,
      `v${nearest.n}, read `,
      fullDate(nearest.at),
      '.',
    ],
    { suggestions: [showButton(name, versions, nearest)], field },
  );
}

/** Refuses the word `expected`, which is no moment. */
export function momentOf(when: Past, field: string): Exclude<Past, 'expected'> {
  if (when !== 'expected') return when;
  throw new Refusal('bad_value', '`expected` is not a time.', {
    hint: 'Give a time, or a row of the history such as v12.',
    field,
  });
}

/** The records of a version, none for a removed domain. */
export async function recordsAt(
  version: ZoneVersion,
  name: string,
  { bot }: Pick<ReadContext<Reader>, 'bot'>,
): Promise<readonly RecordData[]> {
  const records = await bot.zones.records(name, version.n);
  if (records !== undefined) return records;
  // The version expired between the two reads.
  throw new Refusal('not_found', `The history of ${name} has no v${version.n} now.`, {
    suggestions: [{ label: 'Show the history', command: `dns history ${quote(name)}` }],
  });
}

function showButton(name: string, versions: readonly ZoneVersion[], version: ZoneVersion): Suggestion {
  const [newest] = versions;
  return version === newest
    ? { label: 'Show the history', command: `dns history ${quote(name)}` }
    : { label: `Compare v${version.n} with now`, command: `dns diff ${quote(name)} v${version.n}` };
}

/** The hosts that a person named; refuses one that no version and no present record has. */
export function hostsOf(
  names: readonly string[],
  domain: string,
  versions: readonly ZoneVersion[],
  records: readonly RecordData[],
): ReadonlySet<string> {
  const byHost = new Map(records.map(({ host }) => [host, versions[0]]));
  for (const version of versions)
    for (const { host } of [...version.removed, ...version.added]) if (!byHost.has(host)) byHost.set(host, version);
  const hosts = names.map((name) => relativeHost(name, domain));
  const missing = hosts.find((host) => !byHost.has(host));
  if (missing === undefined) return new Set(hosts);
  const near = allNearest(missing, byHost.keys()).words.slice(0, 3);
  const oldest = versions.at(-1);
  throw new Refusal(
    'not_found',
    [
      `${domain} never had a record of the name ${missing}, as far as is known: since v${oldest?.n ?? 1}, read `,
      fullDate(oldest?.at ?? 0),
      '.',
    ],
    { hint: near.length > 0 ? `Did you mean ${list(near, 'or')}?` : `See /host dns list ${domain}.`, field: 'names' },
  );
}

export function fullDate(at: number): Span {
  return { date: at, style: 'full' };
}

/** Names the maker of a version: `@ada`, `by hand`, `by hand, kept by @ada`. */
export function sayWho({ by, since, keptBy }: ZoneVersion): Text {
  const person: Span[] = by === null ? [] : [{ user: by }];
  if (since === null) return person;
  const hand: Span[] = ['by hand', ...(keptBy === null ? [] : [', kept by ', { user: keptBy }])];
  return person.length > 0 ? [...person, ' and ', ...hand] : hand;
}

/** The request that wrote a version, as a link to its card: ` · ab3d5fgh7k`. */
export function sayRequest({ operations }: ZoneVersion, links: ReadonlyMap<string, string>): readonly Span[] {
  return operations.slice(-1).flatMap((id): Span[] => {
    const link = links.get(id);
    return [' · ', link === undefined ? id : { link, text: id }];
  });
}

/** Several versions as one row: those that one request wrote, record by record. */
export interface HistoryRow {
  readonly newest: ZoneVersion;
  readonly difference: Difference;
  /** The version before the row; undefined if none is kept. */
  readonly before: ZoneVersion | undefined;
}

/** `versions` is newest first. */
export function rowsOf(versions: readonly ZoneVersion[]): HistoryRow[] {
  const rows: HistoryRow[] = [];
  for (let from = 0; from < versions.length; ) {
    const length = lengthOfRow(versions.slice(from));
    const own = versions.slice(from, from + length);
    const [newest] = own;
    const before = versions[from + length];
    // The difference of the oldest version leads to one that is not kept.
    const counted = before === undefined ? own.slice(0, -1) : own;
    if (newest !== undefined) rows.push({ newest, before, difference: differenceAcross(counted) });
    from += length;
  }
  return rows;
}

function lengthOfRow([first, ...rest]: readonly ZoneVersion[]): number {
  const other = rest.findIndex((version) => first === undefined || !isOneRequest(first, version));
  return 1 + (other === -1 ? rest.length : other);
}

function isOneRequest(first: ZoneVersion, other: ZoneVersion): boolean {
  const [only] = first.operations;
  const isOf = (version: ZoneVersion) => version.operations.length === 1 && version.since === null && !version.isGone;
  return only !== undefined && isOf(first) && isOf(other) && other.operations[0] === only;
}

/** `group` is newest first. */
function differenceAcross(group: readonly ZoneVersion[]): Difference {
  const lines = (records: readonly RecordData[]) => records.map(versionLine);
  const { removed, added } = joined(
    [...group].reverse().map((version) => ({ removed: lines(version.removed), added: lines(version.added) })),
  );
  return { removed: recordsOfLines(removed), added: recordsOfLines(added) };
}
