import type { ReadContext } from '../../core/command/command.ts';
import type { ZoneVersion } from '../../core/command/zone-history.ts';
import { type RecordData, relativeHost } from '../../core/dns/record.ts';
import { joined, mostKeptRecords, type RecordDifference } from '../../core/dns/zone-version.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { allNearest } from '../../core/text/nearest.ts';
import { count, list } from '../../core/text/words.ts';
import { Refusal, type Suggestion } from '../../core/view/errors.ts';
import type { Span } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { zoneIfThere } from './changes.ts';
import type { Past, PastDomain } from './past-args.ts';

/** Versions of a zone as people choose and read them. */

/** The part of a difference about one name; all of it without a name. */
export function onlyOf({ removed, added }: RecordDifference, host: string | undefined): RecordDifference {
  const own = (records: readonly RecordData[]) => records.filter((each) => host === undefined || each.host === host);
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
  if (present.length > mostKeptRecords) {
    throw new Refusal(
      'impossible',
      `${name} has ${count(present.length, 'record')}. The bot keeps versions of zones with at most ${count(mostKeptRecords, 'record')}.`,
      { suggestions: [{ label: 'Zone file', command: `dns zone ${quote(name)}` }] },
    );
  }
  throw new Refusal('unavailable', `No version of ${name} is kept yet: it was not read before.`, {
    hint: 'Try again in a minute.',
  });
}

/** The version that a person named: by its row, or the one in effect at that time. */
export function versionAt(
  versions: readonly ZoneVersion[],
  when: Past,
  { name, field }: { readonly name: string; readonly field: string },
): ZoneVersion {
  if (when === 'expected') {
    throw new Refusal('bad_value', '`expected` is not a time.', {
      hint: 'Give a time, or a row of the history such as v12.',
      field,
    });
  }
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
      ...sayRead(nearest),
      '.',
    ],
    { suggestions: [showButton(name, versions, nearest)], field },
  );
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
    suggestions: [showHistory(name)],
  });
}

export function showHistory(name: string): Suggestion {
  return { label: 'Show the history', command: `dns history ${quote(name)}` };
}

function showButton(name: string, versions: readonly ZoneVersion[], version: ZoneVersion): Suggestion {
  return version === versions[0]
    ? showHistory(name)
    : { label: `Compare v${version.n} with now`, command: `dns diff ${quote(name)} v${version.n}` };
}

/** The hosts that a person named; refuses one that no version and no present record has. */
export function hostsOf(
  names: readonly string[],
  domain: string,
  versions: readonly ZoneVersion[],
  records: readonly RecordData[],
): ReadonlySet<string> {
  const ever = versions.flatMap(({ removed, added }) => [...removed, ...added]);
  const present = new Set([...records, ...ever].map(({ host }) => host));
  const hosts = names.map((name) => relativeHost(name, domain));
  const missing = hosts.find((host) => !present.has(host));
  if (missing === undefined) return new Set(hosts);
  const near = allNearest(missing, present).words.slice(0, 3);
  throw new Refusal(
    'not_found',
    [
      `${domain} never had a record of the name ${missing}, as far as is known: since `,
      ...sayRead(versions.at(-1)),
      '.',
    ],
    { hint: near.length > 0 ? `Did you mean ${list(near, 'or')}?` : `See /host dns list ${domain}.`, field: 'names' },
  );
}

export function fullDate(at: number): Span {
  return { date: at, style: 'full' };
}

/** `v12, read Nov 28, 2026`. The default is for the types: callers pass the last item of a list that has one. */
export function sayRead({ n, at } = { n: 1, at: 0 }): readonly Span[] {
  return [`v${n}, read `, fullDate(at)];
}

/** Names the maker of a version: `@ada`, `by hand`, `by hand, kept by @ada`. */
export function sayWho({ by, since, keptBy }: ZoneVersion): readonly Span[] {
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
  readonly difference: RecordDifference;
  /** The version before the row; undefined if none is kept. */
  readonly before: ZoneVersion | undefined;
}

/** `versions` is newest first. */
export function rowsOf(versions: readonly ZoneVersion[]): HistoryRow[] {
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

function isOneRequest(first: ZoneVersion, other: ZoneVersion): boolean {
  const [only] = first.operations;
  const isOf = (version: ZoneVersion) => version.operations.length === 1 && version.since === null && !version.isGone;
  return only !== undefined && isOf(first) && isOf(other) && other.operations[0] === only;
}
