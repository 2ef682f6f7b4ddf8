import { mapInSlices, nextTurn } from '../async/in-slices.ts';
import { firstFew, shortened } from '../text/words.ts';
import { badValue } from '../view/errors.ts';
import {
  comparableValue,
  conflictOf,
  createNeighbors,
  defaultTtl,
  identityOf,
  isSame,
  type KnownRecord,
  type RecordData,
  recordText,
  ttlText,
  usesPrio,
  valueText,
} from './record.ts';
import { type RecordDifference, versionLine } from './zone-version.ts';

/** Plans the writes from the present zone to the wanted records. */

export type ZoneChange =
  | { readonly do: 'add'; readonly after: RecordData }
  | { readonly do: 'change'; readonly id: number; readonly before: RecordData; readonly after: RecordData }
  | { readonly do: 'remove'; readonly id: number; readonly before: RecordData };

export function writtenBy(changes: readonly ZoneChange[]): RecordData[] {
  return changes.flatMap((change) => (change.do === 'remove' ? [] : [change.after]));
}

/** The records that the changes remove or replace. */
export function replacedBy(changes: readonly ZoneChange[]): RecordData[] {
  return changes.flatMap((change) => (change.do === 'add' ? [] : [change.before]));
}

export function placeOf(change: ZoneChange): RecordData {
  return change.do === 'add' ? change.after : change.before;
}

interface Present extends How {
  readonly domain: { readonly name: string };
  readonly zone: readonly KnownRecord[];
  readonly current?: readonly KnownRecord[];
}

/** The changes from the zone's `current` records to the wanted ones, in order; over several turns of the event loop. */
export async function changesTo(wanted: readonly RecordData[], { domain, zone, current = zone, ...how }: Present) {
  const unordered = zoneChanges(current, wanted, how);
  await nextTurn();
  const changes = inOrder(unordered, zone, domain.name);
  await nextTurn();
  return changes;
}

type How = { readonly keep: boolean; readonly isExact?: boolean };

/**
 * The fewest changes, unordered. A wanted record without a ttl keeps the present one; if `isExact`, it gets the
 * provider's default, and each record its own spelling.
 */
export function zoneChanges(
  current: readonly KnownRecord[],
  wanted: readonly RecordData[],
  { keep, isExact = false }: How,
): ZoneChange[] {
  const isEqual = isExact ? (a: RecordData, b: RecordData) => versionLine(a) === versionLine(b) : isSame;
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
      const after = isExact ? want : meant(want, current);
      if (!isEqual(current, after)) changes.push({ do: 'change', id: current.id, before: current, after });
      return false;
    });
  }
  changes.push(...open.map((want): ZoneChange => ({ do: 'add', after: isExact ? want : meant(want, undefined) })));
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

/** Best first: the same record; the same host and type; a record that a CNAME replaces, or the reverse, at once. */
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
  const ordered: ZoneChange[] = [];
  const zone = createNeighbors(current);
  const present = new Map(current.map((record) => [record.id, record]));
  /** The writes of each host that conflict with other records. */
  const blocked = new Map<string, Set<Write>>();
  const inTheWayOf = (change: Write) => {
    const others = zone.of(change.after).filter(({ id }) => change.do === 'add' || id !== change.id);
    return conflictOf(change.after, others, domain)?.with;
  };
  const apply = (change: ZoneChange) => {
    ordered.push(change);
    const before = change.do === 'add' ? undefined : present.get(change.id);
    if (before !== undefined) zone.remove(before);
    if (change.do === 'remove') return;
    const id = change.do === 'change' ? change.id : -ordered.length;
    const record = { ...change.after, id };
    present.set(id, record);
    zone.add(record);
  };
  const applyFitting = (host: string) => {
    const waiting = blocked.get(host) ?? new Set();
    for (;;) {
      const next = waiting.values().find((change) => inTheWayOf(change) === undefined);
      if (next === undefined) return;
      waiting.delete(next);
      apply(next);
    }
  };
  const removals = new Map(changes.flatMap((change) => (change.do === 'remove' ? [[change.id, change]] : [])));
  const writes = changes.filter((change) => change.do !== 'remove').sort((a, b) => rank[a.do] - rank[b.do]);
  for (const change of writes) {
    const { host } = change.after;
    if (inTheWayOf(change) === undefined) {
      apply(change);
      // An addition makes no room for another record.
      if (change.do === 'change') applyFitting(host);
    } else blocked.set(host, (blocked.get(host) ?? new Set()).add(change));
  }
  for (const [host, waiting] of blocked)
    for (const change of waiting) {
      const inTheWay = (inTheWayOf(change) ?? []).flatMap(({ id }) => removals.get(id) ?? []);
      for (const removal of inTheWay) if (removals.delete(removal.id)) apply(removal);
      if (inTheWay.length > 0) applyFitting(host);
      if (!waiting.delete(change)) continue;
      apply(change);
      if (change.do === 'change') applyFitting(host);
    }
  return [...ordered, ...removals.values()];
}

type Write = Exclude<ZoneChange, { do: 'remove' }>;
const rank = { add: 0, change: 1 } as const;

export function zoneAfter(current: readonly KnownRecord[], changes: readonly ZoneChange[]): readonly RecordData[] {
  const after = new Map<unknown, RecordData & { readonly id?: number }>(current.map((record) => [record.id, record]));
  for (const change of changes) {
    if (change.do === 'remove') after.delete(change.id);
    else if (change.do === 'add') after.set(change, change.after);
    else after.set(change.id, { ...change.after, id: change.id });
  }
  return [...after.values()];
}

/** Refuses changes after which a record that they write conflicts with another. */
export async function mustFit(changes: readonly ZoneChange[], zone: readonly KnownRecord[], domain: string) {
  for (const { record, text, hint, with: others } of await conflictsAfter(changes, zone, domain)) {
    const isApex = record.type === 'CNAME' && record.host === '@';
    throw badValue(text, hint, isApex || others.length > 0 ? 'host' : 'value');
  }
}

/** The conflicts of the records that the changes write with the other records of the zone after them. */
export async function conflictsAfter(changes: readonly ZoneChange[], current: readonly KnownRecord[], domain: string) {
  const zone = createNeighbors<RecordData>([]);
  await mapInSlices(zoneAfter(current, changes), zone.add);
  const conflicts = await mapInSlices(changes, (change) => {
    if (change.do === 'remove') return [];
    const isOwn = (record: RecordData) => change.do === 'change' && 'id' in record && record.id === change.id;
    const others = zone.of(change.after).filter((record) => record !== change.after && !isOwn(record));
    const conflict = conflictOf(change.after, others, domain);
    return conflict === undefined ? [] : [{ ...conflict, record: change.after }];
  });
  return conflicts.flat();
}

const short = (words: string) => shortened(words, 50);

/** `www A 192.0.2.1 → 192.0.2.9`, `+ api A 192.0.2.3`, `− old CNAME x` */
export function sayDifference({ removed, added }: RecordDifference, most = 2): string {
  const before = removed.map((record, id) => ({ ...record, id }));
  const lines = zoneChanges(before, added, { keep: false }).map((change) => {
    if (change.do === 'add') return `+ ${short(recordText(change.after))}`;
    if (change.do === 'remove') return `− ${short(recordText(change.before))}`;
    const { before, after } = change;
    if (before.host !== after.host || before.type !== after.type)
      return `${short(recordText(before))} → ${after.type} ${short(valueText(after))}`;
    return valueText(before) === valueText(after)
      ? `${after.host} ${after.type} ttl ${ttlText(before)} → ${ttlText(after)}`
      : `${short(recordText(before))} → ${short(valueText(after))}`;
  });
  return firstFew(lines, most);
}
