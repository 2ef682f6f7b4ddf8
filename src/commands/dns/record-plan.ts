import { type Domain, domainTarget } from '../../core/account/account.ts';
import { mapInSlices, nextTurn } from '../../core/async/in-slices.ts';
import type { ReadContext } from '../../core/command/command.ts';
import {
  fullName,
  isSpf,
  type KnownRecord,
  type RecordData,
  recordText,
  ttlText,
  usesPrio,
  valueText,
} from '../../core/dns/record.ts';
import { type ZoneChange, zoneAfter } from '../../core/dns/zone-diff.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { Risk } from '../../core/policy/policy.ts';
import { hashOf, type Json } from '../../core/text/json.ts';
import { count, firstFew } from '../../core/text/words.ts';
import type { DiffLine, Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { type ChangeStep, describe, fitted, named, stepOf, tallyOf } from './changes.ts';
import { cachedSentence, createHiddenBy, detailsOf, glanceOf, type HiddenBy } from './details.ts';
import { weightOf } from './weight.ts';

/** The plan of every command that changes records: each change, and the facts that the approval is bound to. */

export interface RecordPlan {
  readonly domain: Domain;
  readonly zone: readonly KnownRecord[];
  readonly changes: readonly ZoneChange[];
  /** The command's own risk. */
  readonly risk: Risk;
  readonly title?: string;
  readonly notes?: readonly string[];
  /** Binds the approval to the whole zone. */
  readonly wholeZone?: boolean;
  /** True if the plan has other domains, so that names are shown in full. */
  readonly isOneOfSeveral?: boolean;
}

export async function planRecords(
  { domain, zone, changes, risk, title, notes = [], wholeZone = false, isOneOfSeveral = false }: RecordPlan,
  context: ReadContext<Reader>,
): Promise<Plan<ChangeStep>> {
  await nextTurn();
  const target = domainTarget(domain);
  const steps = await mapInSlices(changes, (change) => ({
    target,
    label: labelOf(isOneOfSeveral ? inFull(change, domain.name) : change),
    data: stepOf(change, domain.name),
  }));
  const after = zoneAfter(zone, changes);
  const account = await context.account();
  const hiddenBy = createHiddenBy({ domain: domain.name, after, account, may: context.may });
  const details = detailsOf({ changes, after, domain: domain.name, hiddenBy }, account, context.may);
  await nextTurn();
  const facts = { ...(wholeZone && { [`zone ${domain.name}`]: zoneHash(zone) }), ...factsOf(changes, zone) };
  await nextTurn();
  const heading = title ?? titleOf(changes, domain.name);
  const plan: Plan<ChangeStep> = {
    title: heading,
    subject: [subjectOf(domain, zone)],
    targets: [target],
    effect: [effectOf(changes, { zone, domain: domain.name, hiddenBy }), cachedSentence(changes)]
      .filter((text) => text !== '')
      .join(' '),
    glance: glanceOf(heading.includes(domain.name) ? '' : domain.name, changes, [
      ...besideSentence(changes, zone),
      ...details.map(([, value]) => value),
    ]),
    details: [...details, ...notes.map((note): [string, Text] => ['Note', note])],
    diff: diffOf(isOneOfSeveral ? changes.map((change) => inFull(change, domain.name)) : changes),
    facts,
    steps,
    ...weightOf(changes, zone.length, { own: risk, domain: domain.name }),
    typedName: domain.name,
  };
  await nextTurn();
  return isOneOfSeveral ? plan : fitted(plan, changes);
}

/** The plan for a change that is already done: only a sentence. */
export function nothingToDo(domain: Domain, sentence: string): Plan<ChangeStep> {
  return {
    title: `Records of ${domain.name}`,
    subject: [],
    targets: [domainTarget(domain)],
    effect: '',
    details: [],
    facts: {},
    steps: [],
    nothingToDo: sentence,
  };
}

export function subjectOf(domain: Domain, zone: readonly KnownRecord[]): Text {
  const tags = domain.tags.length === 0 ? '' : ` · tags ${domain.tags.join(', ')}`;
  return [{ bold: domain.name }, ` · ${count(zone.length, 'record')}${tags}`];
}

/** `Add TXT _acme-challenge.example.com`; the domain, if several names change. */
function titleOf(changes: readonly ZoneChange[], domain: string): string {
  const kinds = new Set(changes.map((change) => change.do));
  const [kind] = kinds;
  if (kind === undefined || kinds.size > 1) return `Change ${domain}: ${tallyOf(changes)}`;
  const verb = { add: 'Add', change: 'Change', remove: 'Remove' }[kind];
  const names = new Set(
    changes.map((change) => {
      const { host, type } = change.do === 'add' ? change.after : change.before;
      return changes.length === 1
        ? `${type} ${fullName(host, domain)}`
        : `${count(changes.length, `${type} record`)} of ${fullName(host, domain)}`;
    }),
  );
  const [name] = names;
  if (name !== undefined && names.size === 1) return `${verb} ${name}`;
  const to = { add: 'to', change: 'in', remove: 'from' }[kind];
  return `${verb} ${count(changes.length, 'record')} ${to} ${domain}`;
}

/** The change with full names instead of hosts. */
function inFull(change: ZoneChange, domain: string): ZoneChange {
  const full = (record: RecordData) => ({ ...record, host: fullName(record.host, domain) });
  if (change.do === 'add') return { do: 'add', after: full(change.after) };
  if (change.do === 'remove') return { ...change, before: full(change.before) };
  return { ...change, before: full(change.before), after: full(change.after) };
}

function labelOf(change: ZoneChange): string {
  const { host, type } = change.do === 'add' ? change.after : change.before;
  const sign = { add: '+', change: '±', remove: '−' }[change.do];
  return `${sign} ${host} ${type} ${shortValue(change.do === 'remove' ? change.before : change.after)}`;
}

function effectOf(
  changes: readonly ZoneChange[],
  {
    zone,
    domain,
    hiddenBy,
  }: {
    readonly zone: readonly KnownRecord[];
    readonly domain: string;
    readonly hiddenBy: HiddenBy;
  },
): string {
  const [only] = changes;
  if (only === undefined || changes.length > 1) {
    return `${tallyOf(changes)}, one after another, stopping at the first that fails.`;
  }
  if (only.do === 'remove') return `${named(only.before, domain)} no longer answers ${shortValue(only.before)}.`;
  const name = named(only.after, domain);
  if (hiddenBy(only.after) !== undefined)
    return `${domain} has ${name} ${shortValue(only.after)}, but no name server answers it.`;
  if (only.do === 'add') {
    const beside = besideOf(only.after, zone);
    return `${name} answers ${shortValue(only.after)}${beside.length > 0 ? `, beside ${firstFew(beside, 3)}` : ''}.`;
  }
  if (
    valueText(only.before) === valueText(only.after) &&
    only.before.type === only.after.type &&
    only.before.host === only.after.host
  ) {
    return `The TTL of ${name} changes from ${ttlText(only.before)} to ${ttlText(only.after)}.`;
  }
  const was = named(only.before, domain) === name ? '' : `${named(only.before, domain)} `;
  return `${name} answers ${shortValue(only.after)} instead of ${was}${shortValue(only.before)}.`;
}

/** The values that the name of a new record has already. */
function besideOf({ host, type }: RecordData, zone: readonly KnownRecord[]): string[] {
  return zone.filter((record) => record.host === host && record.type === type).map(shortValue);
}

function besideSentence([only, ...others]: readonly ZoneChange[], zone: readonly KnownRecord[]): string[] {
  if (only?.do !== 'add' || others.length > 0) return [];
  const beside = besideOf(only.after, zone);
  return beside.length === 0 ? [] : [`beside ${firstFew(beside, 3)}`];
}

/** A shortened value; the diff shows all of it. */
function shortValue(record: RecordData): string {
  const value = valueText(record);
  return value.length > 60 ? `${value.slice(0, 59)}…` : value;
}

function diffOf(changes: readonly ZoneChange[]): DiffLine[] {
  return columns(
    changes.flatMap((change): SignedRecord[] => [
      ...(change.do === 'add' ? [] : [{ sign: '−' as const, record: change.before }]),
      ...(change.do === 'remove' ? [] : [{ sign: '+' as const, record: change.after }]),
    ]),
  );
}

interface SignedRecord {
  readonly sign: '+' | '−';
  readonly record: RecordData;
}

/** The difference of two versions, with the lines of one name together. */
export function diffLines({
  removed,
  added,
}: {
  readonly removed: readonly RecordData[];
  readonly added: readonly RecordData[];
}): DiffLine[] {
  const lines = [
    ...removed.map((record): SignedRecord => ({ sign: '−', record })),
    ...added.map((record): SignedRecord => ({ sign: '+', record })),
  ];
  const key = ({ record }: SignedRecord) => `${record.host === '@' ? '' : record.host} ${record.type}`;
  return columns(lines.toSorted((a, b) => (key(a) === key(b) ? 0 : key(a) < key(b) ? -1 : 1)));
}

/** Records in columns: `www A 192.0.2.10 ttl 3600`. */
function columns(lines: readonly SignedRecord[]): DiffLine[] {
  const width = (of: (record: RecordData) => string, most: number) =>
    Math.min(most, Math.max(0, ...lines.map(({ record }) => of(record).length)));
  const widths = [width((r) => r.host, 30), width((r) => r.type, 5), width((r) => r.value, 40)] as const;
  return lines.map(({ sign, record }) => ({
    sign,
    text: [
      record.host.padEnd(widths[0]),
      record.type.padEnd(widths[1]),
      record.value.padEnd(widths[2]),
      `ttl ${ttlText(record)}${usesPrio(record.type) ? `  prio ${record.prio ?? 0}` : ''}`,
    ].join('  '),
  }));
}

/**
 * The facts: each changed record before the change, and the absence of each added one. Other records of the name are
 * omitted, so that requests that add different records do not void each other. A conflicting neighbor refuses the plan;
 * a second SPF record is only shown on the card.
 */
function factsOf(changes: readonly ZoneChange[], zone: readonly KnownRecord[]): Record<string, Json> {
  const facts: Record<string, Json> = {};
  const times = new Map<string, number>();
  const spf = Map.groupBy(zone.filter(isSpf), ({ host }) => host);
  for (const change of changes) {
    if (change.do === 'add') facts[recordText(change.after)] = 'none';
    else {
      const { host, type } = change.before;
      const same = (times.get(`${host} ${type}`) ?? 0) + 1;
      times.set(`${host} ${type}`, same);
      const label = same === 1 ? `${host} ${type}` : `${host} ${type} (${same})`;
      facts[`record of ${label}`] = change.id;
      facts[label] = describe(change.before);
    }
    if (change.do !== 'remove' && isSpf(change.after)) {
      const { host } = change.after;
      const others = (spf.get(host) ?? []).filter((record) => !('id' in change && record.id === change.id));
      facts[`SPF of ${host}`] = others.map(describe).toSorted().join('; ') || 'none';
    }
  }
  return facts;
}

/** A short hash, since people see it if it changed. */
export function zoneHash(zone: readonly KnownRecord[]): string {
  const lines = zone.map((record) => `#${record.id} ${describe(record)}`).sort();
  return `${count(zone.length, 'record')}, ${hashOf(lines).slice(0, 12)}`;
}
