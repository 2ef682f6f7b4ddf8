import { conflictOf } from './beside.ts';
import {
  comparableValue,
  defaultTtl,
  identityOf,
  isSame,
  type KnownRecord,
  type RecordData,
  usesPrio,
} from './record.ts';
import { versionLine } from './zone-version.ts';

/** Plans the writes from the present zone to the wanted records. */

export type ZoneChange =
  | { readonly do: 'add'; readonly after: RecordData }
  | { readonly do: 'change'; readonly id: number; readonly before: RecordData; readonly after: RecordData }
  | { readonly do: 'remove'; readonly id: number; readonly before: RecordData };

/**
 * The fewest changes, unordered. A wanted record without a ttl keeps the present one; if `isExact`, it gets the
 * provider's default, and each record its own spelling.
 */
export function zoneChanges(
  current: readonly KnownRecord[],
  wanted: readonly RecordData[],
  { keep, isExact = false }: { readonly keep: boolean; readonly isExact?: boolean },
): ZoneChange[] {
  const isEqual = isExact ? (a: RecordData, b: RecordData) => versionLine(a) === versionLine(b) : isSame;
  const dataOf = isExact ? exactly : meant;
  const left = new Map(current.map((record) => [record.id, record]));
  let open: readonly RecordData[] = wanted;
  const changes: ZoneChange[] = [];
  for (const { of, wants = of } of keep ? pairingsWithKeep(current, wanted) : pairings) {
    const waiting = Map.groupBy(left.values(), of);
    open = open.filter((want) => {
      const key = wants(want);
      const current = key === undefined ? undefined : waiting.get(key)?.shift();
      if (current === undefined) return true;
      left.delete(current.id);
      const after = dataOf(want, current);
      if (!isEqual(current, after)) changes.push({ do: 'change', id: current.id, before: current, after });
      return false;
    });
  }
  changes.push(...open.map((want): ZoneChange => ({ do: 'add', after: dataOf(want, undefined) })));
  if (!keep) {
    changes.push(...[...left.values()].map((before): ZoneChange => ({ do: 'remove', id: before.id, before })));
  }
  return changes;
}

/** Pairs a present and a wanted record with the same key; `wants` is the key of the wanted record, if different. */
interface Pairing {
  readonly of: (record: RecordData) => string | undefined;
  readonly wants?: (record: RecordData) => string | undefined;
}

const hostAndType = ({ host, type }: RecordData) => `${host} ${type}`;
const isCname = ({ host, type }: RecordData) => `${host} ${type === 'CNAME'}`;
const isNoCname = ({ host, type }: RecordData) => `${host} ${type !== 'CNAME'}`;

/**
 * Best first: the same record; then one of the same host and type; then a record that a CNAME replaces, or the reverse,
 * in one write.
 */
const pairings: readonly Pairing[] = [
  { of: identityOf },
  { of: ({ host, type, prio }) => (usesPrio(type) ? `${host} ${type} ${prio}` : undefined) },
  { of: hostAndType },
  { of: isCname, wants: isNoCname },
];

/**
 * The pairings for keeping records that the text does not name. TXT records, mail servers and second addresses are
 * added; only the single address or CNAME of a name is replaced.
 */
function pairingsWithKeep(current: readonly RecordData[], wanted: readonly RecordData[]): readonly Pairing[] {
  const [present, named] = [Map.groupBy(current, hostAndType), Map.groupBy(wanted, hostAndType)];
  const isOnly = (key: string) => present.get(key)?.length === 1 && named.get(key)?.length === 1;
  const isAddressOrCname = ({ type }: RecordData) => type === 'A' || type === 'AAAA' || type === 'CNAME';
  const ofThose = (keyOf: (record: RecordData) => string) => (record: RecordData) =>
    isAddressOrCname(record) ? keyOf(record) : undefined;
  return [
    { of: identityOf },
    { of: (record) => (isAddressOrCname(record) && isOnly(hostAndType(record)) ? hostAndType(record) : undefined) },
    { of: ofThose(isCname), wants: ofThose(isNoCname) },
  ];
}

function exactly({ host, type, value, prio, ttl }: RecordData): RecordData {
  return { host, type, value, prio, ttl };
}

function meant(want: RecordData, current: KnownRecord | undefined): RecordData {
  // A record with the provider's default keeps it, since its seconds are unknown.
  const ttl = want.ttl ?? (current === undefined ? defaultTtl : current.ttl);
  const isSpeltAlike =
    current?.type === want.type &&
    comparableValue(want.type, want.value) === comparableValue(current.type, current.value);
  return {
    host: want.host,
    type: want.type,
    // An equivalent value is sent in the provider's spelling.
    value: isSpeltAlike ? current.value : want.value,
    prio: usesPrio(want.type) ? want.prio : isSpeltAlike ? current.prio : null,
    ttl,
  };
}

/**
 * Orders additions and changes before removals, so that a name always resolves, except around a CNAME: records that
 * conflict with a change are removed just before it.
 */
export function inOrder(changes: readonly ZoneChange[], current: readonly KnownRecord[], domain: string): ZoneChange[] {
  let waiting = [...changes].sort((a, b) => rank[a.do] - rank[b.do]);
  const ordered: ZoneChange[] = [];
  // Records conflict only with records of the same host.
  const hosts = new Set(changes.map((change) => (change.do === 'remove' ? change.before.host : change.after.host)));
  let zone: Zone = current.filter(({ host }) => hosts.has(host));
  const inTheWayOf = (change: Write) => conflictOf(change.after, without(zone, change), domain)?.with ?? [];
  const fits = (change: Write) => conflictOf(change.after, without(zone, change), domain) === undefined;
  for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
    const writes = waiting.filter((change) => change.do !== 'remove');
    const [blocked] = writes;
    const way = blocked === undefined ? [] : inTheWayOf(blocked);
    const chosen =
      writes.find(fits) ??
      waiting.find((change) => change.do === 'remove' && way.some((record) => record.id === change.id)) ??
      next;
    waiting = waiting.filter((change) => change !== chosen);
    ordered.push(chosen);
    zone = applied(zone, chosen);
  }
  return ordered;
}

type Zone = readonly (RecordData & { readonly id?: number })[];
type Write = Exclude<ZoneChange, { do: 'remove' }>;
const rank = { add: 0, change: 1, remove: 2 } as const;

function without(zone: Zone, change: ZoneChange): Zone {
  return change.do === 'add' ? zone : zone.filter((record) => record.id !== change.id);
}

function applied(zone: Zone, change: ZoneChange): Zone {
  const rest = without(zone, change);
  if (change.do === 'remove') return rest;
  return [...rest, change.do === 'change' ? { ...change.after, id: change.id } : change.after];
}

/** The zone after all changes. */
export function zoneAfter(current: readonly KnownRecord[], changes: readonly ZoneChange[]): readonly RecordData[] {
  const after = new Map<unknown, Zone[number]>(current.map((record) => [record.id, record]));
  for (const change of changes) {
    if (change.do === 'remove') after.delete(change.id);
    else if (change.do === 'add') after.set(change, change.after);
    else after.set(change.id, { ...change.after, id: change.id });
  }
  return [...after.values()];
}

/** Whether some records of one host conflict with each other. */
function isCrowded(here: readonly RecordData[]): boolean {
  if (here.some(({ type }) => type === 'CNAME')) return true;
  return new Set(here.map(identityOf)).size < here.length;
}

/** The conflicts of the records that the changes write with the other records of the zone after them. */
export function* conflictsAfter(changes: readonly ZoneChange[], after: readonly RecordData[], domain: string) {
  const crowded = Map.groupBy(after, ({ host }) => host);
  for (const [host, here] of crowded) if (!isCrowded(here)) crowded.delete(host);
  for (const change of changes) {
    const here = change.do === 'remove' ? undefined : crowded.get(change.after.host);
    if (change.do === 'remove' || here === undefined) continue;
    const others = here.filter(
      (record) => record !== change.after && !('id' in record && change.do === 'change' && record.id === change.id),
    );
    const conflict = conflictOf(change.after, others, domain);
    if (conflict !== undefined) yield { ...conflict, record: change.after };
  }
}
