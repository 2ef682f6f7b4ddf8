import { z } from 'zod';
import { domainTarget } from '../../core/account/account.ts';
import type { ReadContext, WriteContext } from '../../core/command/command.ts';
import type { ZoneVersion } from '../../core/command/zone-history.ts';
import {
  conflictOf,
  identityOf,
  isWritable,
  type RecordData,
  recordText,
  ttlOf,
  ttlSeconds,
} from '../../core/dns/record.ts';
import { quote } from '../../core/grammar/tokens.ts';
import type { Plan, Receipt, Verdict } from '../../core/plan/plan.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { dotted, type Text } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { changeStep, execute, fitted, readZone, stepOf, verify } from './changes.ts';
import { findDomain } from './domain-add.ts';
import { diffLines } from './record-plan.ts';
import { fullDate } from './versions.ts';

/** Restores a domain that the account no longer has: it is added again, and then its records one by one. */

const create = z.object({ do: z.literal('create'), domain: z.string(), ip: z.ipv4() });
const [add] = changeStep.options;
/** A record of the new zone, in which the provider makes some itself. */
const settle = add.extend({ do: z.literal('settle') });
export const restoreStep = z.discriminatedUnion('do', [...changeStep.options, create, settle]);
export type RestoreStep = z.infer<typeof restoreStep>;
type OwnStep = z.infer<typeof create> | z.infer<typeof settle>;

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
  const ip = (wanted.find(({ host, type }) => host === '@' && type === 'A') ?? wanted.find(({ type }) => type === 'A'))
    ?.value;
  if (ip === undefined) {
    throw asFile(
      name,
      version.n,
      `The provider adds a domain only with an IPv4 address, and v${version.n} of ${name} has none.`,
    );
  }
  const target = domainTarget({ name });
  const left = records.filter((record) => !isRestorable(record));
  const details: [string, Text][] = [
    ['Version', [`v${version.n}, read `, fullDate(version.at)]],
    ...(left.length === 0
      ? []
      : [
          [
            'Left out',
            `${firstFew(left, 4, recordText)}: the provider manages name servers itself, and some records cannot be written.`,
          ] as [string, Text],
        ]),
    ['Own records', 'A record that the provider makes for a new domain stays, if the version has none of its name.'],
    [
      'If refused',
      `Adding domains is off until the provider's support turns it on. /host dns zone ${name} at=v${version.n} gives the records as a file.`,
    ],
  ];
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
    details,
    diff: diffLines({ removed: [], added: wanted }),
    facts: { domain: name, version: version.n, 'in the account': false },
    steps: [
      { target, label: `add ${name}`, data: { do: 'create', domain: name, ip } },
      ...inOrderOfNeed(wanted).map((after) => ({
        target,
        label: `+ ${recordText(after).slice(0, 80)}`,
        data: { ...settle.parse({ ...stepOf({ do: 'add', after }, name), do: 'settle' }) },
      })),
    ],
    raised: { risk: 'dangerous', why: 'It adds a domain.' },
    typedName: name,
  };
  return fitted(
    plan,
    wanted.map((after) => ({ do: 'add', after })),
  );
}

/** Delegation is the provider's, and other records cannot be written. */
function isRestorable(record: RecordData): boolean {
  const isDelegation = record.host === '@' && record.type === 'NS';
  return !isDelegation && isWritable(record) && ttlSeconds.some((seconds) => seconds === ttlOf(record));
}

/** A CNAME last: an address of the same name cannot be beside one that the provider made. */
function inOrderOfNeed(records: readonly RecordData[]): RecordData[] {
  return records.toSorted((a, b) => Number(a.type === 'CNAME') - Number(b.type === 'CNAME'));
}

function asFile(name: string, n: number, why: string): Refusal {
  return new Refusal('impossible', why, {
    hint: 'Its records are kept as a file.',
    suggestions: [{ label: 'Zone file', command: `dns zone ${quote(name)} at=v${n}` }],
  });
}

export const addedAgain = {
  /** The provider makes records in a new zone: one with the same value is written over, one in the way is replaced. */
  async recheck(step: OwnStep, { reader }: ReadContext<Reader>): Promise<RestoreStep> {
    if (step.do === 'create') {
      if ((await findDomain(reader, step.domain)) === undefined) return step;
      throw new Refusal('changed', `The account has ${step.domain} again.`);
    }
    const zone = await readZone(reader, step.domain);
    const { after, domain } = step;
    const twin = zone.find((record) => identityOf(record) === identityOf(after));
    const [way] = conflictOf(after, zone, domain)?.with ?? [];
    const current = twin ?? zone.find((record) => way !== undefined && record === way);
    return stepOf(
      current === undefined ? { do: 'add', after } : { do: 'change', id: current.id, before: current, after },
      domain,
    );
  },

  async execute(step: OwnStep, context: WriteContext<Provider>): Promise<Receipt> {
    if (step.do === 'settle') return execute({ ...step, do: 'add' }, context);
    const created = await context.provider.dns.createDomain({ name: step.domain, ip: step.ip });
    return { text: '', data: { name: created.name } };
  },

  async verify(step: OwnStep, context: ReadContext<Reader>): Promise<Verdict> {
    if (step.do === 'settle') return verify({ ...step, do: 'add' }, context);
    return (await findDomain(context.reader, step.domain)) === undefined
      ? { is: 'not', text: `the account has no domain ${step.domain}` }
      : { is: 'so', text: 'the domain is in the account' };
  },
};
