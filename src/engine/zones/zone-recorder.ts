import { z } from 'zod';
import { inOneSlice, mapInSlices, nextTurn } from '../../core/async/in-slices.ts';
import type { ZoneHistory } from '../../core/command/zone-history.ts';
import { recordSchema, relativeHost, sameness } from '../../core/dns/record.ts';
import type { ZoneDifference } from '../../core/dns/zone-version.ts';
import { differenceOf, mostKeptRecords, recordsIn, recordsOfLines, versionLines } from '../../core/dns/zone-version.ts';
import { hashOf } from '../../core/text/json.ts';
import { minute, wordSet } from '../../core/text/words.ts';
import type { Reader } from '../../provider/client.ts';
import type { ProviderDomain } from '../../provider/endpoints/dns.ts';
import type { Store } from '../../store/database.ts';
import type { TouchedTarget } from '../../store/records/steps.ts';
import type { FirstVersion } from '../../store/records/zone-versions.ts';
import type { Log } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** Clocks of replicas may differ by this much, and a step may have ended this long before a reading began. */
const marginMs = minute;
const noteEveryMs = 5 * minute;
const isExplaining = wordSet('running accepted reading verifying done unverified unknown');

type Records = ProviderDomain['entry_set'];

interface Known {
  readonly n: number;
  readonly hash: string;
  readonly isGone: boolean;
  /** The last reading that found this version. */
  seenAt: number;
}

type First = Omit<FirstVersion, 'version'>;

interface RecorderOptions {
  readonly store: Pick<Store, 'zoneVersions' | 'values' | 'steps'>;
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
}

/** A reader that stores a version of each zone that it has read completely. A reading that fails stores nothing. */
export function recordingZones(reader: Reader, options: RecorderOptions): Reader {
  const recorder = createZoneRecorder(options);
  const isThere = async (zone: string) => {
    const matches = await reader.dns.domains({ q: zone });
    const names = [...matches.map(({ name }) => name), ...matches.unreadable.map(({ id }) => id)];
    return names.some((name) => name.toLowerCase() === zone);
  };
  return {
    ...reader,
    dns: {
      ...reader.dns,
      domains: async (input = {}, options) => {
        if (input.q !== undefined || input.tag !== undefined) return reader.dns.domains(input, options);
        const reading = await recorder.begin();
        const zones = await reader.dns.domains(input, options);
        const unreadable = zones.unreadable.map(({ id }) => id);
        await reading.all(zones, unreadable, isThere);
        return zones;
      },
      entries: async (input, options) => {
        if (input.q !== undefined || input.type !== undefined) return reader.dns.entries(input, options);
        const reading = await recorder.begin();
        const records = await reader.dns.entries(input, options);
        await reading.zone(input.name, records);
        return records;
      },
    },
  };
}

/**
 * Stores each version of a zone that the bot reads. A reading counts only if the version that was the newest when it
 * began is the newest still: another reading that ended meanwhile may be the later one.
 */
export function createZoneRecorder({ store, now, log }: RecorderOptions) {
  const recorded = new Map<string, Known>();
  /** The records of an unchanged page of the list are the same objects as in the last reading. */
  const unchanged = new WeakMap<Records, Known>();
  let notedAt = Number.NEGATIVE_INFINITY;

  function learn(
    { zone, n, hash, isGone }: Awaited<ReturnType<Store['zoneVersions']['listHeads']>>[0],
    seenAt: number,
  ) {
    recorded.set(zone, { n, hash, isGone: isGone === 1, seenAt });
  }

  /** Learns the versions that other replicas have stored. */
  async function learnAll(): Promise<void> {
    const heads = (await store.zoneVersions.listHeads()).filter(({ zone, n }) => n > (recorded.get(zone)?.n ?? 0));
    if (heads.length === 0) return;
    const lastAll = (await store.values.find('zones', ['all'])).get('all')?.at ?? 0;
    for (const head of heads) learn(head, lastAll);
  }

  async function learnAgain(zone: string): Promise<void> {
    const head = await store.zoneVersions.findHead(zone);
    if (head !== undefined) learn(head, now());
  }

  /** `records` is undefined for a domain that the account no longer has. Returns the first version of a zone unstored. */
  async function seen(name: string, records: Records | undefined, before: Known | undefined): Promise<First[]> {
    const zone = name.toLowerCase();
    const current = recorded.get(zone);
    if (records !== undefined && current !== undefined && unchanged.get(records) === current) {
      current.seenAt = now();
      return [];
    }
    if (records !== undefined && records.length > mostKeptRecords) return [];
    const lines = versionLines((records ?? []).map((record) => ({ ...record, host: relativeHost(record.host, zone) })));
    const hash = hashOf(lines).slice(0, 16);
    const isGone = records === undefined;
    if (current?.hash === hash && current.isGone === isGone) {
      current.seenAt = now();
      if (records !== undefined) unchanged.set(records, current);
      return [];
    }
    if (current !== before) return [];
    if (current === undefined) return [{ zone, lines, hash }];
    const head = await store.zoneVersions.findHead(zone);
    if (head?.n !== current.n) {
      await learnAgain(zone);
      return [];
    }
    const at = now();
    const changes = differenceOf(head.lines, lines);
    const since = Math.max(head.at, current.seenAt);
    const steps = await store.steps.touchedSince(since - marginMs);
    const { isWhole, ...cause } = causeOf(zone, changes, steps, isGone || current.isGone);
    const version = { at, since: isWhole ? null : since, isGone: isGone ? 1 : 0, ...cause, changes };
    if (await store.zoneVersions.add({ zone, after: current.n }, version, { lines, hash }))
      recorded.set(zone, { n: current.n + 1, hash, isGone, seenAt: at });
    else await learnAgain(zone);
    return [];
  }

  async function storeFirst(firsts: readonly First[]): Promise<void> {
    if (firsts.length === 0) return;
    const at = now();
    const steps = await store.steps.touchedSince(at - marginMs);
    const stored = await store.zoneVersions.addFirst(
      firsts.map((first) => {
        const { operations, byUser } = causeOf(first.zone, null, steps, true);
        return { ...first, version: { at, since: null, isGone: 0, operations, byUser, changes: null } };
      }),
    );
    for (const { zone, hash } of firsts) {
      if (stored.has(zone)) recorded.set(zone, { n: 1, hash, isGone: false, seenAt: at });
      else await learnAgain(zone);
    }
  }

  /** The history must not stop a command or a sweep, whose reading has succeeded. */
  async function carefully(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      log.warn({ err: error }, 'could not store a version of a zone; the next reading retries');
      return false;
    }
  }

  /** Called before a reading, and its result once the reading has ended. */
  async function begin() {
    const isLearned = await carefully(learnAll);
    const atBegin = new Map(recorded);
    const record = async (zone: string, records: Records | undefined): Promise<First[]> =>
      isLearned ? seen(zone, records, atBegin.get(zone.toLowerCase())) : [];
    return {
      zone: (zone: string, records: Records) => carefully(async () => storeFirst(await record(zone, records))),
      /** `isThere` reads whether the account has a zone that the list lacks: a list may change while it is read. */
      all: (
        zones: readonly ProviderDomain[],
        unreadable: readonly string[],
        isThere: (zone: string) => Promise<boolean>,
      ) =>
        carefully(async () => {
          const present = new Set([...zones.map(({ name }) => name), ...unreadable].map((name) => name.toLowerCase()));
          const firsts: First[] = [];
          let waiting = inOneSlice;
          for (const { name, entry_set: records } of zones) {
            firsts.push(...(await record(name, records)));
            waiting -= records.length;
            if (waiting > 0) continue;
            waiting = inOneSlice;
            await nextTurn();
          }
          await storeFirst(firsts);
          for (const [zone, { isGone }] of atBegin) {
            if (!isGone && !present.has(zone) && !(await isThere(zone))) await record(zone, undefined);
          }
          if (now() - notedAt < noteEveryMs) return;
          await store.values.write('zones', { all: null }, now());
          notedAt = now();
        }),
    };
  }

  return { begin };
}

const stepSchema = z.object({ before: recordSchema.optional(), after: recordSchema.optional() });

/** The requests that wrote a difference, and whether they wrote all of it. */
function causeOf(zone: string, changes: ZoneDifference | null, all: readonly TouchedTarget[], isWhole: boolean) {
  const steps = all.filter(({ target, state }) => target === `domain:${zone}` && isExplaining.has(state));
  const used = new Set<TouchedTarget>();
  const written = steps.map((step) => ({ step, ...stepSchema.safeParse(step.data).data }));
  const areWritten = (lines: readonly string[] = [], of: 'before' | 'after') => {
    const own = Map.groupBy(written, ({ [of]: record }) => record && sameness(record));
    return recordsOfLines(lines).map((record) => {
      const writes = own.get(sameness(record)) ?? [];
      for (const { step } of writes) used.add(step);
      return writes.length > 0;
    });
  };
  const ofZone = isWhole ? steps.filter(({ data }) => wholeZone.safeParse(data).success) : [];
  for (const step of ofZone) used.add(step);
  const each = [...areWritten(changes?.removed, 'before'), ...areWritten(changes?.added, 'after')];
  const last = [...used].toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0)).at(-1);
  return {
    operations: [...new Set([...used].map(({ operation }) => operation))],
    byUser: last?.requester ?? null,
    isWhole: ofZone.length > 0 || (changes !== null && each.every((is) => is)),
  };
}

/** A step that adds or removes a domain. */
const wholeZone = z.union([
  z.strictObject({ name: z.string(), ip: z.string().optional() }),
  z.object({ do: z.literal('create') }),
]);

const linesSchema = z.array(z.string());
/** Three intervals of the alert. */
const watchedWithinMs = 15 * minute;

export function createZoneHistory({ store, now }: EngineContext): ZoneHistory {
  return {
    versions: async (zone) =>
      mapInSlices(await store.zoneVersions.list(zone.toLowerCase()), ({ isGone, byUser: by, changes, ...version }) => ({
        ...version,
        isGone: isGone === 1,
        by,
        ...recordsIn(changes ?? { removed: [], added: [] }),
      })),
    records: async (zone, n) => {
      const lines = await store.zoneVersions.findLines(zone.toLowerCase(), n);
      return lines && recordsOfLines(lines);
    },
    watched: async (zone) => {
      const observed = (await store.values.find('zone', [zone])).get(zone);
      // An older one is left from an alert that no channel has now.
      if (observed === undefined || observed.at < now() - watchedWithinMs) return undefined;
      const of = (value: unknown) => recordsOfLines(linesSchema.catch([]).parse(value));
      return { expected: of(observed.value.usual), seen: of(observed.value.seen) };
    },
  };
}
