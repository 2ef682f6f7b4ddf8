/** The newest version of each zone that was ever read. */
export interface ZoneHeadsTable {
  zone: string;
  n: number;
  /** 1 if the account no longer has the domain. */
  isGone: number;
  hash: string;
  /** The records, compressed. */
  records: string;
}

export interface ZoneVersionsTable {
  zone: string;
  n: number;
  /** The time of the reading that found the version. */
  at: number;
  /** The reading before, if no request explains the whole change; null otherwise. */
  since: number | null;
  isGone: number;
  /** The requests that wrote the change. */
  operations: string | null;
  /** The requester of the last of them. */
  byUser: string | null;
  /** The person who said that a change by hand is meant. */
  keptBy: string | null;
  changes: string | null;
}
