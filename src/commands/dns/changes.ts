import { z } from 'zod';
import type { Account } from '../../core/account/account.ts';
import type { DoneStep, WriteContext } from '../../core/command/command.ts';
import type { Foreseen } from '../../core/command/foreseen.ts';
import { answerData } from '../../core/dns/expected-answer.ts';
import {
  fullName,
  isAfter,
  isSame,
  isWritable,
  type KnownRecord,
  type RecordData,
  recordSchema,
  recordText,
  recordTypes,
  relativeHost,
  ttlSeconds,
  ttlText,
  valueText,
} from '../../core/dns/record.ts';
import { placeOf, replacedBy, writtenBy, type ZoneChange } from '../../core/dns/zone-diff.ts';
import type { Ending, Plan, PublishedAnswer, Receipt, Verdict } from '../../core/plan/plan.ts';
import { raisedTo } from '../../core/plan/raised-by-size.ts';
import { hashOf } from '../../core/text/json.ts';
import { count, shortened } from '../../core/text/words.ts';
import { badValue, ifReadable, impossible, Refusal, unavailable } from '../../core/view/errors.ts';
import type { DiffLine } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import type { CommandContext } from '../define.ts';
import { sent, verdictOf } from '../define.ts';

/** Parts of the commands that change records: one step is one record, with its value before and after. */

/** The provider accepts only these types and ttls, although old records may have others. */
const writable = recordSchema.extend({ type: z.enum(recordTypes), ttl: z.literal(ttlSeconds).nullable() });
const stored = recordSchema.extend({ storedHost: z.string().exactOptional() });

export const changeStep = z.discriminatedUnion('do', [
  z.object({ do: z.literal('add'), domain: z.string(), after: writable }),
  z.object({ do: z.literal('change'), domain: z.string(), id: z.number(), before: stored, after: writable }),
  z.object({ do: z.literal('remove'), domain: z.string(), id: z.number(), before: recordSchema }),
]);
export type ChangeStep = z.infer<typeof changeStep>;

/** Converts a change to a step. Refuses a type or ttl that can be kept but not written. */
export function stepOf(change: ZoneChange, domain: string): ChangeStep {
  const parsed = changeStep.safeParse({ ...change, domain });
  if (parsed.success) return parsed.data;
  const [after = placeOf(change)] = writtenBy([change]);
  if (!isWritable(after)) throw unwritable(after);
  const text = `${recordText(after)} has a ttl of ${ttlText(after)}, which the provider no longer takes.`;
  throw badValue(text, `Give one it has: ${ttlSeconds.join(', ')}.`, 'ttl');
}

/** Refuses a type that the provider has but does not document. */
export function unwritable(record: RecordData): Refusal {
  const hint = `They can be shown and removed. The types that can be written: ${recordTypes.join(', ')}.`;
  return impossible(`${recordText(record)}: records of type ${record.type} cannot be written from here.`, hint, 'type');
}

export function mustHaveDomains({ unread }: Account): void {
  if (!unread.includes('domains')) return;
  throw unavailable('The provider did not give the list of domains just now.', 'Try again in a minute.');
}

export async function readZone(reader: Reader, domain: string): Promise<readonly KnownRecord[]> {
  const entries = await reader.dns.entries({ name: domain });
  return entries.map(({ id, host: storedHost, type, value, prio, ttl }) => {
    const host = relativeHost(storedHost, domain);
    const isUsual = storedHost === host || (storedHost === '' && host === '@');
    return { id, host, type, value, prio, ttl, ...(isUsual ? {} : { storedHost }) };
  });
}

/** Undefined for a domain that was removed since the list of domains was read. */
export function zoneIfThere(reader: Reader, domain: string): Promise<readonly KnownRecord[] | undefined> {
  return ifReadable(readZone(reader, domain), 'not_found');
}

/** Checks a record right before its write: unchanged since it was shown or, for an addition, not yet present. */
export async function sameRecord(step: ChangeStep, { reader }: CommandContext): Promise<ChangeStep> {
  const zone = await readZone(reader, step.domain);
  if (step.do === 'add') {
    const twin = zone.find((record) => isSame(record, step.after));
    if (twin === undefined) return step;
    throw new Refusal('changed', `${step.domain} has ${describe(twin)} already.`);
  }
  // A record that an earlier line of the same plan added has its number only now.
  const isThis = (record: KnownRecord) => (step.id < 0 ? isSame(record, step.before) : record.id === step.id);
  const current = zone.find(isThis);
  if (current !== undefined && isSame(current, step.before)) return { ...step, id: current.id };
  const now = current === undefined ? 'gone' : `${describe(current)} now`;
  throw new Refusal('changed', `${step.domain} changed since the request: ${describe(step.before)} is ${now}.`);
}

export async function execute(step: ChangeStep, { provider }: WriteContext<Provider>): Promise<Receipt> {
  const name = step.domain;
  if (step.do === 'remove') return sent(provider.dns.deleteEntry({ name, id: step.id }));
  if (step.do === 'add') {
    const { id } = await provider.dns.createEntry({ name, ...step.after });
    return { text: '', data: { id } };
  }
  const { id, before, after } = step;
  // An unchanged host keeps its stored form, even if that is a full name.
  const host = before.host === after.host ? (before.storedHost ?? after.host) : after.host;
  return sent(provider.dns.updateEntry({ name, id, ...after, host }));
}

/**
 * Verifies a change by reading the zone. This also proves a write with a lost response, since the plan showed that the
 * record was different before.
 */
export async function verify(step: ChangeStep, { reader }: CommandContext): Promise<Verdict> {
  const zone = await readZone(reader, step.domain);
  if (step.do === 'add') {
    const isThere = zone.some((record) => isSame(record, step.after));
    return verdictOf(isThere, 'the zone has it', `the zone does not have ${describe(step.after)}`);
  }
  const current = zone.find((record) => record.id === step.id);
  if (step.do === 'remove') {
    const still = `the zone still has ${describe(current ?? step.before)}`;
    return verdictOf(current === undefined, 'the zone no longer has it', still);
  }
  if (current === undefined)
    return { is: 'unsure', text: 'the zone no longer has the record: it was removed meanwhile' };
  if (isAfter(current, step.before, step.after)) return { is: 'so', text: 'the zone has it' };
  return { is: isSame(current, step.before) ? 'not' : 'unsure', text: `the zone has ${describe(current)}` };
}

/** `www A 192.0.2.10 ttl 300` */
export function describe(record: RecordData): string {
  return `${recordText(record)} ttl ${ttlText(record)}`;
}

type Done = Pick<DoneStep<ChangeStep>, 'data' | 'verdict'>;

function done(steps: readonly Done[], { id }: { readonly id: string }): Ending {
  const [only] = steps;
  const undo = `dns undo ${id}`;
  const published = publishedBy(steps.map(({ data }) => data));
  if (only !== undefined && steps.length === 1) return { text: outcome(only.data), undo, published };
  const isRead = steps.every((step) => step.verdict?.is === 'so');
  const domains = new Set(steps.map((step) => step.data.domain));
  const where = domains.size > 1 ? count(domains.size, 'domain') : (only?.data.domain ?? 'the zone');
  const text = `${where}: ${tallyOf(steps.map((step) => step.data))}`;
  return { text: isRead ? `${text}, read back` : text, undo, published };
}

function outcome(step: ChangeStep): string {
  if (step.do === 'remove') return `${named(step.before, step.domain)} ${valueText(step.before)} removed`;
  const name = named(step.after, step.domain);
  if (step.do === 'add') return `${name} ${valueText(step.after)} added`;
  return valueText(step.before) === valueText(step.after)
    ? `${name} ${valueText(step.after)} has ttl ${ttlText(step.after)}`
    : `${name} is ${valueText(step.after)}`;
}

/** `www.example.com A` */
export function named(record: Pick<RecordData, 'host' | 'type'>, domain: string): string {
  return `${fullName(record.host, domain)} ${record.type}`;
}

/** The words and signs of each kind of change, in the order of sums. */
export const kinds = {
  add: { sign: '+', word: 'added', verb: 'Add', to: 'to' },
  change: { sign: '±', word: 'changed', verb: 'Change', to: 'in' },
  remove: { sign: '−', word: 'removed', verb: 'Remove', to: 'from' },
} as const;

function byKind<C extends Pick<ZoneChange, 'do'>>(changes: readonly C[]) {
  return (['add', 'change', 'remove'] as const).flatMap((kind) => {
    const own = changes.filter((change) => change.do === kind);
    return own.length === 0 ? [] : [{ ...kinds[kind], own }];
  });
}

/** `2 records added, 1 changed, 3 removed` */
export function tallyOf(changes: readonly Pick<ZoneChange, 'do'>[]): string {
  return byKind(changes)
    .map(({ own: { length }, word }, index) => `${index === 0 ? count(length, 'record') : length} ${word}`)
    .join(', ');
}

/** A card shows up to this many changes and characters of them. */
const [mostShown, mostCharacters] = [50, 6_000];

/** A larger plan has sums on the card and each change in a file. It is at least dangerous, and its facts are one hash. */
export function fitted<Step>(plan: Plan<Step>, changes: readonly ZoneChange[]): Plan<Step> {
  const { diff = [], facts, raised } = plan;
  const isMany = changes.length > mostShown;
  if (!isMany && diff.reduce((sum, line) => sum + line.text.length, 0) <= mostCharacters) return plan;
  return {
    ...plan,
    diff: [...sumsOf(changes), { sign: ' ', text: `each of the ${count(diff.length, 'line')}: a file in the thread` }],
    file: diff.map(({ sign, text }) => `${sign} ${text.trimEnd()}\n`).join(''),
    facts: { 'record of each change': hashOf(facts) },
    ...(isMany && { raised: raisedTo('dangerous', `It changes ${count(changes.length, 'record')} at once.`, raised) }),
  };
}

/** `+ 900 added: 812 A, 88 TXT` */
function sumsOf(changes: readonly ZoneChange[]): DiffLine[] {
  return byKind(changes).map(({ sign, word, own }) => {
    const types = Map.groupBy(own, (change) => placeOf(change).type);
    const sums = [...types].map(([type, some]) => `${some.length.toLocaleString('en-US')} ${type}`);
    const text = `${own.length.toLocaleString('en-US')} ${word}: ${sums.join(', ')}`;
    return { sign: sign === '±' ? ' ' : sign, text };
  });
}

/** The DNS answers that the steps changed, each host and type once. */
function publishedBy(steps: readonly ChangeStep[]): readonly PublishedAnswer[] {
  const touched = steps.flatMap((step) => [
    ...replacedBy([step]).map((record) => ({ record, domain: step.domain, isNew: false })),
    ...writtenBy([step]).map((record) => ({ record, domain: step.domain, isNew: true })),
  ]);
  const places = Map.groupBy(touched, ({ domain, record }) => `${domain} ${record.host} ${record.type}`);
  return [...places.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const answers = (isNew: boolean) =>
      some.flatMap((each) => (each.isNew === isNew ? answerData(each.record) : [])).sort();
    const [before, after] = [answers(false), answers(true)];
    const isSameData = before.join('\n') === after.join('\n');
    const change = before.length === 0 ? 'added' : after.length === 0 ? 'removed' : isSameData ? 'ttl' : 'changed';
    const { domain, record } = first;
    return [{ domain, host: record.host, type: record.type, change }];
  });
}

export const recordAction = {
  capability: 'dns',
  risk: 'disruptive',
  step: changeStep,
  recheckTarget: sameRecord,
  execute,
  verify,
  done,
  foresee: (step: ChangeStep): Foreseen => ({
    kind: 'record',
    domain: step.domain,
    change: step,
    label: labelIn(step),
  }),
} as const;

/** `± www.example.com A 192.0.2.10 → 192.0.2.20` */
function labelIn(step: ChangeStep): string {
  const { sign } = kinds[step.do];
  const place = `${sign} ${named(placeOf(step), step.domain)}`;
  const value = (record: RecordData) => shortened(valueText(record));
  if (step.do !== 'change') return `${place} ${value(placeOf(step))}`;
  const { before, after } = step;
  if (value(before) === value(after)) return `${place} ttl ${ttlText(before)} → ${ttlText(after)}`;
  const name = before.host === after.host && before.type === after.type ? '' : `${named(after, step.domain)} `;
  return `${place} ${value(before)} → ${name}${value(after)}`;
}
