import { type Domain, domainTarget } from '../../core/account/account.ts';
import { mapInSlices, nextTurn } from '../../core/async/in-slices.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { fullName, isSpf, type RecordData, recordText, ttlText, usesPrio, valueText } from '../../core/dns/record.ts';
import { placeOf, replacedBy, writtenBy, type ZoneChange, zoneAfter } from '../../core/dns/zone-diff.ts';
import type { RecordDifference } from '../../core/dns/zone-version.ts';
import { type Plan, wholePlan } from '../../core/plan/plan.ts';
import { higherRisk, type Risk } from '../../core/policy/policy.ts';
import { hashOf, type Json } from '../../core/text/json.ts';
import { count, firstFew, shortened } from '../../core/text/words.ts';
import { type DiffLine, plain, type Text } from '../../core/view/view.ts';
import { type ChangeStep, describe, fitted, kinds, named, stepOf, tallyOf } from './changes.ts';
import { cachedSentence, detailsOf, glanceOf, hiddenLabel, weightOf } from './details.ts';

/** The plan of every command that changes records: each change, and the facts that the approval is bound to. */

export interface ZonePart {
  readonly domain: Domain;
  readonly zone: Domain['records'];
  readonly changes: readonly ZoneChange[];
  /** Binds the approval to the whole zone. */
  readonly wholeZone?: boolean;
}

export interface About {
  /** The answer if there is nothing to change. */
  readonly same: string;
  readonly title?: string;
  readonly notes?: readonly string[];
  readonly risk?: Risk;
  readonly typedName?: string;
}

/** One plan for one or several zones: each record is a step, each zone has its own facts, and the highest risk counts. */
export async function planRecords(all: readonly ZonePart[], about: About, context: ReadContext) {
  const { same, title, notes = [], risk = 'disruptive', typedName } = about;
  const parts = all.filter(({ changes }) => changes.length > 0);
  const [first] = parts;
  const names = all.map(({ domain }) => domain.name).join(' ');
  const targets = (parts.length === 0 ? all : parts).map(({ domain }) => domainTarget(domain));
  const nothing = { title: `Records of ${names}`, effect: '', facts: {}, steps: [] };
  if (first === undefined) return wholePlan<ChangeStep>({ ...nothing, targets, nothingToDo: same });
  const isOnly = parts.length === 1;
  const zones: Awaited<ReturnType<typeof planZone>>[] = [];
  for (const part of parts) zones.push(await planZone(part, isOnly, risk, context));
  const changes = parts.flatMap((part) => part.changes);
  const each = zones.flatMap((zone) => zone.details);
  const details = [...new Map(each.map((detail) => [`${detail[0]}: ${plain(detail[1])}`, detail])).values()];
  const raised = zones.flatMap((zone) => zone.raised ?? []);
  const heading = title ?? titleOf(changes, first.domain.name);
  const place = heading.includes(first.domain.name) ? '' : first.domain.name;
  const domains = count(parts.length, 'domain');
  const beside = besideOf(changes, first.zone);
  const isHidden = details.some(([label]) => label === hiddenLabel);
  const effect =
    effectOf(changes, first.domain.name, beside, isHidden) ??
    `${tallyOf(changes)}${isOnly ? '' : ` in ${domains}`}, one after another, stopping at the first that fails.`;
  const plan: Plan<ChangeStep> = {
    title: heading,
    subject: parts.map(({ domain, zone }) => subjectOf(domain, zone)),
    targets,
    effect: [effect, cachedSentence(changes)].filter((text) => text !== '').join(' '),
    glance: glanceOf(isOnly ? place : domains, changes, [
      ...(beside === '' ? [] : [beside]),
      ...details.map(([, value]) => value),
    ]),
    details: [...details, ...notes.map((note): [string, Text] => ['Note', note])],
    diff: zones.flatMap((zone) => zone.diff),
    facts: Object.assign({}, ...zones.map((zone) => zone.facts)),
    steps: zones.flatMap((zone) => zone.steps),
    ...(raised.length > 0 && {
      raised: {
        risk: raised.map((each) => each.risk).reduce(higherRisk),
        why: [...new Set(raised.map(({ why }) => why))].join(' '),
      },
    }),
    typedName: typedName ?? names,
  };
  await nextTurn();
  return fitted(plan, changes);
}

/** Beside other zones, the names are in full. */
async function planZone(part: ZonePart, isOnly: boolean, risk: Risk, context: ReadContext) {
  const { domain, zone, changes, wholeZone = false } = part;
  const { name } = domain;
  const target = domainTarget(domain);
  const shown = (host: string) => (isOnly ? host : fullName(host, name));
  await nextTurn();
  const steps = await mapInSlices(changes, (change) => ({
    target,
    label: labelOf(change, shown),
    data: stepOf(change, name),
  }));
  const after = zoneAfter(zone, changes);
  const details = await detailsOf({ changes, after, domain: name }, await context.account(), context.may);
  await nextTurn();
  const facts = { ...(wholeZone && { [`zone ${name}`]: zoneHash(zone) }), ...factsOf(changes, zone) };
  await nextTurn();
  return {
    steps,
    details,
    facts: isOnly
      ? facts
      : Object.fromEntries(Object.entries(facts).map(([label, fact]) => [`${name}: ${label}`, fact])),
    diff: columns(
      changes.flatMap((change) => [...signed('−', replacedBy([change])), ...signed('+', writtenBy([change]))]),
      shown,
    ),
    raised: weightOf(changes, zone.length, risk, name),
  };
}

export function subjectOf(domain: Domain, zone: Domain['records']): Text {
  const tags = domain.tags.length === 0 ? '' : ` · tags ${domain.tags.join(', ')}`;
  return [{ bold: domain.name }, ` · ${count(zone.length, 'record')}${tags}`];
}

/** `Add TXT _acme-challenge.example.com`; the domain, if several names change. */
function titleOf(changes: readonly ZoneChange[], domain: string): string {
  const [kind, ...more] = new Set(changes.map((change) => change.do));
  if (kind === undefined || more.length > 0) return `Change ${domain}: ${tallyOf(changes)}`;
  const { verb, to } = kinds[kind];
  const names = new Set(
    changes.map((change) => {
      const { host, type } = placeOf(change);
      const what = changes.length === 1 ? `${type} ` : `${count(changes.length, `${type} record`)} of `;
      return `${what}${fullName(host, domain)}`;
    }),
  );
  const [name] = names;
  return `${verb} ${names.size === 1 ? name : `${count(changes.length, 'record')} ${to} ${domain}`}`;
}

export function labelOf(change: ZoneChange, shown = (host: string) => host): string {
  const { host, type } = placeOf(change);
  const [record = placeOf(change)] = writtenBy([change]);
  return `${kinds[change.do].sign} ${shown(host)} ${type} ${shortened(valueText(record))}`;
}

function effectOf([only, ...others]: readonly ZoneChange[], domain: string, beside: string, isHidden: boolean) {
  if (only === undefined || others.length > 0) return undefined;
  const short = (record: RecordData) => shortened(valueText(record));
  if (only.do === 'remove') return `${named(only.before, domain)} no longer answers ${short(only.before)}.`;
  const name = named(only.after, domain);
  if (isHidden) return `${domain} has ${name} ${short(only.after)}, but no name server answers it.`;
  if (only.do === 'add') return `${name} answers ${short(only.after)}${beside === '' ? '' : `, ${beside}`}.`;
  const was = named(only.before, domain);
  if (valueText(only.before) === valueText(only.after) && was === name)
    return `The TTL of ${name} changes from ${ttlText(only.before)} to ${ttlText(only.after)}.`;
  return `${name} answers ${short(only.after)} instead of ${was === name ? '' : `${was} `}${short(only.before)}.`;
}

/** `beside 192.0.2.10`: the values that the name of the only new record has already. */
function besideOf([only, ...others]: readonly ZoneChange[], zone: Domain['records']): string {
  if (only?.do !== 'add' || others.length > 0) return '';
  const { host, type } = only.after;
  const beside = zone.filter((record) => record.host === host && record.type === type);
  return beside.length === 0 ? '' : `beside ${firstFew(beside, 3, (record) => shortened(valueText(record)))}`;
}

function signed(sign: '+' | '−', records: readonly RecordData[]) {
  return records.map((record) => ({ sign, record }));
}
type SignedRecord = ReturnType<typeof signed>[number];

/** The difference of two versions, with the lines of one name together. */
export function diffLines({ removed, added }: RecordDifference): DiffLine[] {
  const key = ({ record }: SignedRecord) => `${record.host === '@' ? '' : record.host} ${record.type}`;
  const lines = [...signed('−', removed), ...signed('+', added)];
  return columns(lines.toSorted((a, b) => (key(a) === key(b) ? 0 : key(a) < key(b) ? -1 : 1)));
}

/** Records in columns: `www A 192.0.2.10 ttl 3600`. */
function columns(lines: readonly SignedRecord[], shown = (host: string) => host): DiffLine[] {
  const cells = lines.map(({ record: { host, type, value } }) => [shown(host), type, value]);
  const widths = [30, 5, 40].map((most, at) =>
    Math.min(most, Math.max(0, ...cells.map((row) => row[at]?.length ?? 0))),
  );
  return lines.map(({ sign, record }, n) => {
    const padded = (cells[n] ?? []).map((cell, at) => cell.padEnd(widths[at] ?? 0));
    const prio = usesPrio(record.type) ? `  prio ${record.prio ?? 0}` : '';
    return { sign, text: [...padded, `ttl ${ttlText(record)}${prio}`].join('  ') };
  });
}

/**
 * The facts: each changed record before the change, and the absence of each added one. Other records of the name are
 * omitted, so that requests that add different records do not void each other. A conflicting neighbor refuses the plan;
 * a second SPF record is only shown on the card.
 */
function factsOf(changes: readonly ZoneChange[], zone: Domain['records']): Record<string, Json> {
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
export function zoneHash(zone: Domain['records']): string {
  const lines = zone.map((record) => `#${record.id} ${describe(record)}`).sort();
  return `${count(zone.length, 'record')}, ${hashOf(lines).slice(0, 12)}`;
}
