import { z } from 'zod';
import { domainTarget } from '../../core/account/account.ts';
import type { DoneStep, ReadContext, WriteContext } from '../../core/command/command.ts';
import type { ZoneVersion } from '../../core/command/zone-history.ts';
import {
  conflictOf,
  isDelegation,
  isWritable,
  type RecordData,
  recordText,
  ttlOf,
  ttlSeconds,
} from '../../core/dns/record.ts';
import type { ZoneChange } from '../../core/dns/zone-diff.ts';
import { quote } from '../../core/grammar/tokens.ts';
import type { Ending, Plan, Receipt, Verdict } from '../../core/plan/plan.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { dotted, type Text } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { type ChangeStep, changeStep, fitted, readZone, recordAction, stepOf } from './changes.ts';
import { addDomain, findDomain, verifyDomain } from './domain-add.ts';
import { twinOf } from './named-records.ts';
import { diffLines, labelOf } from './record-plan.ts';
import { fullDate, sayRead } from './versions.ts';

/** Restores a domain that the account no longer has: it is added again, and then its records one by one. */

const create = z.object({ do: z.literal('create'), domain: z.string(), ip: z.ipv4() });
const [add] = changeStep.options;
/** A record of the new zone, in which the provider makes some itself. */
const settle = add.extend({ do: z.literal('settle') });
const restoreStep = z.discriminatedUnion('do', [...changeStep.options, create, settle]);
export type RestoreStep = z.infer<typeof restoreStep>;

export async function restoreDomain(
  {
    name,
    records,
    version,
  }: { readonly name: string; readonly records: readonly RecordData[]; readonly version: ZoneVersion },
  { reader }: ReadContext<Reader>,
): Promise<Plan<RestoreStep>> {
  const domain = await findDomain(reader, name);
  if (domain !== undefined)
    throw new Refusal('changed', `The account has ${name} again.`, { hint: 'Try again in a minute.' });
  const wanted = records.filter(isRestorable);
  const addresses = wanted.filter(({ type }) => type === 'A');
  const ip = (addresses.find(({ host }) => host === '@') ?? addresses[0])?.value;
  if (ip === undefined) {
    const why = `The provider adds a domain only with an IPv4 address, and v${version.n} of ${name} has none.`;
    throw new Refusal('impossible', why, {
      hint: 'Its records are kept as a file.',
      suggestions: [{ label: 'Zone file', command: `dns zone ${quote(name)} at=v${version.n}` }],
    });
  }
  const target = domainTarget({ name });
  const left = firstFew(
    records.filter((record) => !isRestorable(record)),
    4,
    recordText,
  );
  const details: [string, Text][] = [
    ['Version', sayRead(version)],
    ['Left out', `${left}: the provider manages name servers itself, and some records cannot be written.`],
    ['Own records', 'A record that the provider makes for a new domain stays, if the version has none of its name.'],
    [
      'If refused',
      `Adding domains is off until the provider's support turns it on. /host dns zone ${name} at=v${version.n} gives the records as a file.`,
    ],
  ];
  // A CNAME last: an address of the same name cannot be beside one that the provider made.
  const changes = wanted
    .toSorted((a, b) => Number(a.type === 'CNAME') - Number(b.type === 'CNAME'))
    .map((after): ZoneChange => ({ do: 'add', after }));
  const plan: Plan<RestoreStep> = {
    title: `Add ${name} again and restore v${version.n}`,
    act: `Add it again and restore v${version.n}`,
    subject: [[{ bold: name }, ` · ${count(wanted.length, 'record')}`]],
    targets: [target],
    effect: `The domain is added again with ${ip}, then ${count(wanted.length, 'record')}, one after another, stopping at the first that fails.`,
    glance: dotted([
      `the account no longer has ${name}`,
      ['as it was ', fullDate(version.at)],
      `A ${ip} and ${count(wanted.length, 'record')}`,
      'the provider may refuse: its support turns this on',
    ]),
    details: details.filter(([label]) => label !== 'Left out' || left !== ''),
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
  };
  return fitted(plan, changes);
}

/** False for records that the provider manages or that cannot be written: other types, and TTLs no longer taken. */
export function isRestorable(record: RecordData): boolean {
  return !isDelegation(record) && isWritable(record) && ttlSeconds.some((seconds) => seconds === ttlOf(record));
}

export const restoreAction = {
  ...recordAction,
  step: restoreStep,

  /** The provider makes records in a new zone: one with the same value is written over, one in the way is replaced. */
  async recheckTarget(step: RestoreStep, context: ReadContext<Reader>): Promise<RestoreStep> {
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

  async execute(step: RestoreStep, context: WriteContext<Provider>): Promise<Receipt> {
    if (step.do === 'create') return addDomain({ ...step, name: step.domain }, context);
    return recordAction.execute(asChange(step), context);
  },

  async verify(step: RestoreStep, context: ReadContext<Reader>): Promise<Verdict> {
    return step.do === 'create' ? verifyDomain(step.domain, context) : recordAction.verify(asChange(step), context);
  },

  done(steps: readonly DoneStep<RestoreStep>[], operation: { readonly id: string }): Ending {
    const records = steps.flatMap(({ data, verdict }) =>
      data.do === 'create' ? [] : [{ data: asChange(data), verdict }],
    );
    if (records.length === steps.length) return recordAction.done(records, operation);
    return { text: `${steps[0]?.data.domain} added again, with ${count(records.length, 'record')}` };
  },
};

function asChange(step: Exclude<RestoreStep, { do: 'create' }>): ChangeStep {
  return step.do === 'settle' ? { ...step, do: 'add' } : step;
}
