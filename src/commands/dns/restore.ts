import { z } from 'zod';
import { domainTarget } from '../../core/account/account.ts';
import { words } from '../../core/command/args.ts';
import type { ZoneVersion } from '../../core/command/zone-history.ts';
import { conflictOf, isRestorable, type RecordData, recordText, ttlOf } from '../../core/dns/record.ts';
import { changesTo, type ZoneChange } from '../../core/dns/zone-diff.ts';
import { recordDifference, versionLines } from '../../core/dns/zone-version.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { type Plan, wholePlan } from '../../core/plan/plan.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { impossible, Refusal } from '../../core/view/errors.ts';
import { dotted } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { optionalOf } from '../args.ts';
import { type CommandContext, defineAction } from '../define.ts';
import { type ChangeStep, changeStep, fitted, readZone, recordAction, stepOf, zoneIfThere } from './changes.ts';
import { addDomain, findDomain, verifyDomain } from './domains.ts';
import { twinOf } from './named-records.ts';
import { type About, diffLines, labelOf, planRecords, type ZonePart } from './record-plan.ts';
import { fullDate, historyOf, type PastDomain, past, pastDomain, sayRead, showHistory } from './versions.ts';

const create = z.object({ do: z.literal('create'), domain: z.string(), ip: z.ipv4() });
const [add] = changeStep.options;
/** A record of the new zone, in which the provider makes some itself. */
const settle = add.extend({ do: z.literal('settle') });
const restoreStep = z.discriminatedUnion('do', [...changeStep.options, create, settle]);
type RestoreStep = z.infer<typeof restoreStep>;

export const dnsRestore = defineAction({
  ...recordAction,
  path: 'dns restore',
  words: `restore · roll back · rollback · put back · reset | dns · zone · record · old state | make like before ·
    like it was · dns rollback · dns revert · as it was · like was · as was · like on · bring back state · back to
    the way · put records back · record from again · records back`,
  title: 'Restore DNS records',
  summary: 'Restore the records that a domain had at an earlier time',
  examples: ['dns restore example.com yesterday 14:00', 'dns restore example.com v12 www mail'],
  args: {
    domain: pastDomain,
    time: past({ hint: 'Such as 1 minute ago, yesterday 14:00, or v12 from the history.', example: 'v12' }),
    names: optionalOf(words)({
      hint: 'Only these names, such as www. Without them, all.',
      schema: z.string().max(253, 'at most 253 characters'),
      most: 50,
    }),
  },
  step: restoreStep,
  plan: async ({ domain, time, names }, context): Promise<Plan<RestoreStep>> => {
    if ('isExpected' in time) return putBack(domain, context);
    const { name } = domain;
    const history = await historyOf(domain, context);
    const version = history.at(time, 'time');
    if (version.isGone) {
      const text = `The account did not have ${name} at that time (v${version.n}).`;
      throw impossible(text, 'Choose a version before it was removed.', 'time', showHistory(name));
    }
    const then = await history.recordsOf(version);
    const zone = domain.unknown === undefined ? await zoneIfThere(context.reader, name) : undefined;
    if (zone === undefined && names !== undefined) {
      const hint = 'Leave the names out.';
      throw impossible(`The account no longer has ${name}, so all of it is restored or nothing.`, hint, 'names');
    }
    if (zone === undefined) return restoreDomain(name, then, version, context.reader);
    const hosts = names && history.hosts(names, [...zone, ...then]);
    const isMeant = ({ host }: RecordData) => hosts === undefined || hosts.has(host);
    const what = hosts === undefined ? name : `${firstFew([...hosts], 3)} of ${name}`;
    const about = { title: `Put ${what} back to v${version.n}`, same: `${what} is as in v${version.n} already.` };
    const back = { domain, zone, isMeant, wanted: then, wholeZone: hosts === undefined, ...about };
    const plan = await planBack(back, context);
    const glance = dotted([['as it was ', fullDate(version.at)], plan.glance ?? '']);
    return { ...plan, glance, details: [['Version', sayRead(version)], ...plan.details] };
  },
  /** The provider makes records in a new zone: one with the same value is written over, one in the way is replaced. */
  recheckTarget: async (step, context): Promise<RestoreStep> => {
    if (step.do === 'create') {
      if ((await findDomain(context.reader, step.domain)) === undefined) return step;
      throw new Refusal('changed', `The account has ${step.domain} again.`);
    }
    if (step.do !== 'settle') return recordAction.recheckTarget(step, context);
    const { after, domain } = step;
    const zone = await readZone(context.reader, domain);
    const before = twinOf(zone, after) ?? conflictOf(after, zone, domain)?.with[0];
    return stepOf(before === undefined ? { do: 'add', after } : { do: 'change', id: before.id, before, after }, domain);
  },
  execute: (step, context) =>
    step.do === 'create'
      ? addDomain({ ...step, name: step.domain }, context)
      : recordAction.execute(asChange(step), context),
  verify: (step, context) =>
    step.do === 'create' ? verifyDomain(step.domain, context) : recordAction.verify(asChange(step), context),
  foresee: (step) => (step.do === 'create' ? undefined : recordAction.foresee(asChange(step))),
  done: (steps, operation) => {
    const records = steps.flatMap(({ data, verdict }) =>
      data.do === 'create' ? [] : [{ data: asChange(data), verdict }],
    );
    if (records.length === steps.length) return recordAction.done(records, operation);
    return { text: `${steps[0]?.data.domain} added again, with ${count(records.length, 'record')}` };
  },
});

function asChange(step: Exclude<RestoreStep, { do: 'create' }>): ChangeStep {
  return step.do === 'settle' ? { ...step, do: 'add' } : step;
}

type Back = Omit<ZonePart, 'changes'> &
  Omit<About, 'risk' | 'typedName'> & {
    readonly wanted: readonly RecordData[];
    readonly isMeant: (record: RecordData) => boolean;
  };

/** The plan of the difference between the records now and those wanted, where they are meant. */
async function planBack(back: Back, context: CommandContext): Promise<Plan<RestoreStep>> {
  const { domain, zone, wanted, isMeant, wholeZone = false, same, notes: more = [], ...title } = back;
  const [current, then] = [zone.filter(isMeant), wanted.filter(isMeant)];
  const isFixed = (record: RecordData) => !isRestorable(record);
  const { removed, added } = recordDifference(current.filter(isFixed), then.filter(isFixed));
  const left = [...removed, ...added];
  const [it, is] = left.length === 1 ? ['it', 'is'] : ['them', 'are'];
  const kept = `${firstFew(left, 4, recordText)} ${is} left out: the provider manages ${it}, or no longer takes ${it}.`;
  const notes = [...more, ...(left.length === 0 ? [] : [kept])];
  const how = { domain, zone, current: current.filter(isRestorable), keep: false, isExact: true };
  const changes = await changesTo(then.filter(isRestorable), how);
  const about = { ...title, notes, same: [same, ...notes].join(' ') };
  return planRecords([{ domain, zone, changes, wholeZone }], about, context);
}

/** Reverts the manual changes that an alert reports, except where a record has changed again since. */
async function putBack(domain: PastDomain, context: CommandContext): Promise<Plan<RestoreStep>> {
  if (domain.unknown !== undefined) throw domain.unknown;
  const { name } = domain;
  const zone = await readZone(context.reader, name);
  const watched = await context.bot.zones.watched(name);
  if (watched === undefined) {
    const text = `No channel watches ${name}, so it is unknown which records are expected.`;
    throw impossible(text, `Choose a version in /host dns history ${name}.`, 'time', showHistory(name));
  }
  const { expected, seen } = watched;
  const placeOf = ({ host, type }: RecordData) => `${host} ${type}`;
  const linesAt = (records: readonly RecordData[], place: string) =>
    versionLines(records.filter((record) => placeOf(record) === place).map((each) => ({ ...each, ttl: ttlOf(each) })));
  const { removed, added } = recordDifference(seen, expected);
  const byHand = [...new Set([...removed, ...added].map(placeOf))];
  const again = byHand.filter((place) => linesAt(zone, place).join() !== linesAt(seen, place).join());
  const about = {
    title: `Put back the records of ${name}`,
    same: again.length === 0 ? `The records of ${name} are as expected.` : 'There is nothing else to put back.',
    notes: again.length === 0 ? [] : [`${firstFew(again, 4)} changed again since the alert, and stays.`],
  };
  const isMeant = (record: RecordData) => byHand.includes(placeOf(record)) && !again.includes(placeOf(record));
  return planBack({ domain, zone, isMeant, wanted: expected, ...about }, context);
}

/** Restores a domain that the account no longer has: it is added again, and then its records one by one. */
async function restoreDomain(name: string, records: readonly RecordData[], version: ZoneVersion, reader: Reader) {
  if ((await findDomain(reader, name)) !== undefined)
    throw new Refusal('changed', `The account has ${name} again.`, { hint: 'Try again in a minute.' });
  const wanted = records.filter(isRestorable);
  const addresses = wanted.filter(({ type }) => type === 'A');
  const ip = (addresses.find(({ host }) => host === '@') ?? addresses[0])?.value;
  if (ip === undefined) {
    const why = `The provider adds a domain only with an IPv4 address, and v${version.n} of ${name} has none.`;
    const file = { label: 'Zone file', command: `dns zone ${quote(name)} at=v${version.n}` };
    throw impossible(why, 'Its records are kept as a file.', undefined, file);
  }
  const target = domainTarget({ name });
  const left = records.filter((record) => !isRestorable(record));
  const why = 'the provider manages name servers itself, and some records cannot be written.';
  const amount = count(wanted.length, 'record');
  // A CNAME last: an address of the same name cannot be beside one that the provider made.
  const changes = wanted
    .toSorted((a, b) => Number(a.type === 'CNAME') - Number(b.type === 'CNAME'))
    .map((after): ZoneChange => ({ do: 'add', after }));
  const plan = wholePlan<RestoreStep>({
    title: `Add ${name} again and restore v${version.n}`,
    act: `Add it again and restore v${version.n}`,
    subject: [[{ bold: name }, ` · ${amount}`]],
    effect: `The domain is added again with ${ip}, then ${amount}, one after another, stopping at the first that fails.`,
    glance: dotted([
      `the account no longer has ${name}`,
      ['as it was ', fullDate(version.at)],
      `A ${ip} and ${amount}`,
      'the provider may refuse: its support turns this on',
    ]),
    details: [
      ['Version', sayRead(version)],
      ['Left out', left.length === 0 ? '' : `${firstFew(left, 4, recordText)}: ${why}`],
      ['Own records', 'A record that the provider makes for a new domain stays, if the version has none of its name.'],
      [
        'If refused',
        `Adding domains is off until the provider's support turns it on. /host dns zone ${name} at=v${version.n} gives the records as a file.`,
      ],
    ],
    diff: diffLines({ removed: [], added: wanted }),
    facts: { domain: name, version: version.n, 'in the account': false },
    steps: [
      { target, label: `add ${name}`, data: { do: 'create', domain: name, ip } },
      ...changes.map((change) => ({
        target,
        label: labelOf(change),
        data: settle.parse({ ...stepOf(change, name), do: 'settle' }),
      })),
    ],
    raised: { risk: 'dangerous', why: 'It adds a domain.' },
    typedName: name,
  });
  return fitted(plan, changes);
}
