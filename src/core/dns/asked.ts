/** Questions to name servers and their answers: the port of src/name-servers, which sends them. */

/** The types that can be asked: those of records, and SOA for how long an absence is cached. */
export const askedTypes = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'SRV', 'CAA', 'NS', 'SOA'] as const;
export type AskedType = (typeof askedTypes)[number];

export interface DnsQuestion {
  /** The full name. */
  readonly name: string;
  readonly type: AskedType;
}

export interface AnsweredRecord {
  /** The value as `answerData` writes it; of an SOA record the seconds for which an absence is cached. */
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
  /** The addresses of the public resolvers that are asked. */
  readonly resolvers: readonly string[];
  /** Reserves questions of this minute; false if fewer are left. */
  readonly admit: (questions: number) => boolean;
  /** Asks a name server of a zone, by its host name, for its own knowledge. */
  readonly query: (server: string, question: DnsQuestion) => Promise<DnsAnswer>;
  /** Asks one of the public resolvers. */
  readonly askResolver: (resolver: string, question: DnsQuestion) => Promise<DnsAnswer>;
}
