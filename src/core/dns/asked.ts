import type { RecordType } from './record.ts';

/** Questions to name servers and their answers: the port of src/outside, which sends them. */

export interface DnsQuestion {
  /** The full name. */
  readonly name: string;
  readonly type: RecordType;
}

export interface AnsweredRecord {
  /** The value as `answerData` writes it. */
  readonly data: string;
  readonly ttl: number;
}

/**
 * `records` has those of exactly the name and the type; an empty list means that the server has no such record. Anything
 * else that came back, or nothing, is no answer and proves neither presence nor absence.
 */
export type DnsAnswer =
  | { readonly kind: 'records'; readonly records: readonly AnsweredRecord[] }
  | { readonly kind: 'none'; readonly why: string };

export interface NameServers {
  /** Reserves questions of this minute; false if fewer are left. */
  readonly admit: (questions: number) => boolean;
  /** Asks a name server of a zone, by its host name, for its own knowledge. */
  readonly query: (server: string, question: DnsQuestion) => Promise<DnsAnswer>;
}
