import { type Domain, domainTarget } from '../../core/account/account.ts';
import { hostIn } from '../../core/account/host-in.ts';
import { type Arg, type CommonArg, domain, scalar } from '../../core/command/args.ts';
import type { ZoneVersion } from '../../core/command/zone-history.ts';
import { bare, type RecordData, relativeHost } from '../../core/dns/record.ts';
import { mostKeptRecords, type RecordDifference } from '../../core/dns/zone-version.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { allNearest, count, list } from '../../core/text/words.ts';
import { type PersonClock, readPast } from '../../core/time/moment.ts';
import { badValue, notFound, Refusal, type Suggestion, unavailable } from '../../core/view/errors.ts';
import type { Span } from '../../core/view/view.ts';
import type { CommandContext } from '../define.ts';
import { zoneIfThere } from './changes.ts';

/** Versions of a zone as people choose and read them. */

/** A domain that the account has, or the name of one that it may have had. */
export interface PastDomain extends Domain {
  /** The refusal for a name that no history knows either; undefined for a domain of the account. */
  readonly unknown: Refusal | undefined;
}

const present = domain({ hint: 'A domain that the account has or had.', example: 'example.com' });

export const pastDomain: Arg<PastDomain> = {
  ...present,
  read: (words, reading) => {
    try {
      return { ...present.read(words, reading), unknown: undefined };
    } catch (error) {
      // The list of domains may lack one that is unreadable just now, which is not removed.
      if (!(error instanceof Refusal) || error.reason !== 'not_found') throw error;
      const name = bare(hostIn(words.join(' ')));
      if (!/^(?:[a-z0-9-]+\.)+[a-z0-9-]+$/.test(name) || name.length > 253) throw error;
      return { name, tags: [], records: [], unknown: error };
    }
  },
  // A removed domain has no tags, so only a grant on all or on its name covers it.
  targets: (value) => [domainTarget(value)],
};

/** A moment in the past, a row of the history, or the records without the changes by hand that an alert reports. */
export type Past = { readonly n: number } | { readonly at: number } | { readonly isExpected: true };

/** The lengths of a time in words, longest first. */
const lengths = [5, 4, 3, 2, 1];
/** Recognizing a time needs a clock, but no certain one. */
const anyClock = { now: Date.UTC(2100, 0, 15, 12), timeZone: 'UTC' };

export function past(common: CommonArg): Arg<Past> {
  return {
    ...scalar<Past>(
      common,
      'text',
      (words, { clock = { now: Date.now(), timeZone: 'UTC' } }) => {
        const value = pastIn(words, clock);
        if (!('why' in value)) return value;
        const hint = 'Write it like 1 minute ago, yesterday 14:00, 2026-11-20, or v12 from /host dns history.';
        throw badValue(value.why, hint);
      },
      (value) => ('isExpected' in value ? 'expected' : 'n' in value ? `v${value.n}` : new Date(value.at).toISOString()),
    ),
    // At least one word: one that is no time is refused and not read as another argument.
    takes: (words) => lengths.find((n) => n <= words.length && !('why' in pastIn(words.slice(0, n), anyClock))) ?? 1,
  };
}

function pastIn(words: readonly string[], clock: PersonClock): Past | { readonly why: string } {
  const typed = words.join(' ');
  const word = typed.toLowerCase().trim();
  const [, row] = /^v(\d{1,9})$/.exec(word) ?? [];
  if (row !== undefined) return { n: Number(row) };
  if (word === 'expected') return { isExpected: true };
  const moment = readPast(typed, clock);
  return moment.ok ? { at: moment.at } : { why: moment.why };
}

/** The part of a difference about one name; all of it without a name. */
export function onlyOf({ removed, added }: RecordDifference, host: string | undefined): RecordDifference {
  const own = (records: readonly RecordData[]) => records.filter((each) => host === undefined || each.host === host);
  return { removed: own(removed), added: own(added) };
}

/**
 * All versions of a zone, newest first. The zone is read once more, so that the newest version is the present one; a
 * domain that the account does not have is refused unless it had been there.
 */
export async function historyOf({ name, unknown }: PastDomain, { bot, reader }: CommandContext) {
  const zone = (unknown === undefined ? await zoneIfThere(reader, name) : undefined) ?? [];
  const versions = await bot.zones.versions(name);
  const [newest, oldest] = [versions[0], versions.at(-1)];
  if (newest === undefined || oldest === undefined) throw unknown ?? notKept(name, zone.length);
  return {
    versions,
    newest,
    oldest,

    /** The version that a person named: by its row, or the one in effect at that time. */
    at(when: Past, field: string): ZoneVersion {
      if ('isExpected' in when)
        throw badValue('`expected` is not a time.', 'Give a time, or a row of the history such as v12.', field);
      const version = versions.find(({ n, at }) => ('n' in when ? n === when.n : at <= when.at));
      if (version !== undefined) return version;
      const isTooNew = 'n' in when && when.n > newest.n;
      const nearest = isTooNew ? newest : oldest;
      const why = isTooNew
        ? `${name} has no version v${when.n} yet. The newest is `
        : `Nothing so old is known about ${name}. The oldest version is `;
      const compare = { label: `Compare v${nearest.n} with now`, command: `dns diff ${quote(name)} v${nearest.n}` };
      throw new Refusal('not_found', [why, ...sayRead(nearest), '.'], {
        suggestions: [nearest === newest ? showHistory(name) : compare],
        field,
      });
    },

    /** The records of a version, none for a removed domain. */
    async recordsOf({ n }: ZoneVersion): Promise<readonly RecordData[]> {
      const records = await bot.zones.records(name, n);
      if (records !== undefined) return records;
      // The version expired between the two reads.
      throw new Refusal('not_found', `The history of ${name} has no v${n} now.`, { suggestions: [showHistory(name)] });
    },

    /** The hosts that a person named; refuses one that no version and no present record has. */
    hosts(names: readonly string[], records: readonly RecordData[]): ReadonlySet<string> {
      const ever = versions.flatMap(({ removed, added }) => [...removed, ...added]);
      const existing = new Set([...records, ...ever].map(({ host }) => host));
      const hosts = names.map((each) => relativeHost(each, name));
      const missing = hosts.find((host) => !existing.has(host));
      if (missing === undefined) return new Set(hosts);
      const near = allNearest(missing, existing).words.slice(0, 3);
      const why = `${name} never had a record of the name ${missing}, as far as is known: since `;
      const hint = near.length > 0 ? `Did you mean ${list(near, 'or')}?` : `See /host dns list ${name}.`;
      throw notFound([why, ...sayRead(oldest), '.'], hint, 'names');
    },
  };
}

function notKept(name: string, records: number): Refusal {
  if (records <= mostKeptRecords)
    return unavailable(`No version of ${name} is kept yet: it was not read before.`, 'Try again in a minute.');
  const most = count(mostKeptRecords, 'record');
  const why = `${name} has ${count(records, 'record')}. The bot keeps versions of zones with at most ${most}.`;
  return new Refusal('impossible', why, { suggestions: [{ label: 'Zone file', command: `dns zone ${quote(name)}` }] });
}

export function showHistory(name: string): Suggestion {
  return { label: 'Show the history', command: `dns history ${quote(name)}` };
}

export function fullDate(at: number): Span {
  return { date: at, style: 'full' };
}

/** `v12, read Nov 28, 2026` */
export function sayRead({ n, at }: ZoneVersion): readonly Span[] {
  return [`v${n}, read `, fullDate(at)];
}

/** Names the maker of a version: `@ada`, `by hand`, `by hand, kept by @ada`. */
export function sayWho({ by, since, keptBy }: ZoneVersion): readonly Span[] {
  const person: Span[] = by === null ? [] : [{ user: by }];
  if (since === null) return person;
  const hand: Span[] = ['by hand', ...(keptBy === null ? [] : [', kept by ', { user: keptBy }])];
  return person.length > 0 ? [...person, ' and ', ...hand] : hand;
}
