import { type Domain, domainTarget } from '../../core/account/account.ts';
import { hostIn } from '../../core/account/host-in.ts';
import { type Arg, type CommonArg, domain, scalar } from '../../core/command/args.ts';
import { bare } from '../../core/dns/record.ts';
import { type PersonClock, readPast } from '../../core/time/read-when.ts';
import { Refusal } from '../../core/view/errors.ts';

/** Arguments of the commands about earlier versions of a zone. */

/** A domain that the account has, or the name of one that it may have had. */
export interface PastDomain extends Domain {
  /** The refusal for a name that no history knows either; undefined for a domain of the account. */
  readonly unknown: Refusal | undefined;
}

export function pastDomain(common: CommonArg): Arg<PastDomain> {
  const present = domain(common);
  return {
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
}

/** A moment in the past, a row of the history, or the records without the changes by hand that an alert reports. */
export type Past = { readonly n: number } | { readonly at: number } | 'expected';

const mostWords = 5;

export function past(common: CommonArg): Arg<Past> {
  return {
    ...scalar<Past>(
      common,
      'text',
      (words, { clock = { now: Date.now(), timeZone: 'UTC' } }) => {
        const typed = words.join(' ');
        const value = pastIn(typed, clock);
        if (value === 'expected' || !('why' in value)) return value;
        throw new Refusal('bad_value', value.why, {
          hint: 'Write it like 1 minute ago, yesterday 14:00, 2026-11-20, or v12 from /host dns history.',
        });
      },
      (value) => (value === 'expected' ? value : 'n' in value ? `v${value.n}` : new Date(value.at).toISOString()),
    ),
    // At least one word: one that is no time is refused and not read as another argument.
    takes: (words) => lengths.find((n) => n <= words.length && isPast(words.slice(0, n))) ?? 1,
  };
}

/** Longest first. */
const lengths = Array.from({ length: mostWords }, (_, index) => mostWords - index);
/** Recognizing a time needs a clock, but no certain one. */
const anyClock = { now: Date.UTC(2100, 0, 15, 12), timeZone: 'UTC' };

function isPast(words: readonly string[]): boolean {
  const value = pastIn(words.join(' '), anyClock);
  return value === 'expected' || !('why' in value);
}

function pastIn(typed: string, clock: PersonClock): Past | { readonly why: string } {
  const word = typed.toLowerCase().trim();
  const [, row] = /^v(\d{1,9})$/.exec(word) ?? [];
  if (row !== undefined) return { n: Number(row) };
  if (word === 'expected') return 'expected';
  const moment = readPast(typed, clock);
  return moment.ok ? { at: moment.at } : { why: moment.why };
}
