import type { DnsRecord } from '../account/account.ts';

/** A record without its id, which changes when a record is removed and added again. */
type ZoneRecord = Omit<DnsRecord, 'id'>;

/** One version of a zone, as the bot read it. */
export interface ZoneVersion {
  readonly n: number;
  /** The time of the reading that found it. */
  readonly at: number;
  /** The reading before, if no request explains the whole change: somebody changed it by hand between the two. */
  readonly since: number | null;
  /** True if the account no longer had the domain. */
  readonly isGone: boolean;
  /** The requests that wrote the change. */
  readonly operations: readonly string[];
  readonly by: string | null;
  /** The person who said that a change by hand is meant. */
  readonly keptBy: string | null;
  readonly removed: readonly ZoneRecord[];
  readonly added: readonly ZoneRecord[];
}

interface WatchedZone {
  /** The records without the changes by hand. */
  readonly expected: readonly ZoneRecord[];
  readonly seen: readonly ZoneRecord[];
}

/** The versions of every zone, of the last year. The caller checks whether the person may read the domain. */
export interface ZoneHistory {
  /** Newest first. */
  readonly versions: (zone: string) => Promise<readonly ZoneVersion[]>;
  /** The records of a version; undefined if it is not kept. */
  readonly records: (zone: string, n: number) => Promise<readonly ZoneRecord[] | undefined>;
  /** The last reading for the alert about changes by hand; undefined while no channel watches the zone. */
  readonly watched: (zone: string) => Promise<WatchedZone | undefined>;
}
