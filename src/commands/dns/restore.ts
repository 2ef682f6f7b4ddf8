import { z } from 'zod';
import { nextTurn } from '../../core/async/in-slices.ts';
import { optional, words } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { isWritable, type KnownRecord, type RecordData, recordText, ttlOf, ttlSeconds } from '../../core/dns/record.ts';
import { inOrder, zoneChanges } from '../../core/dns/zone-diff.ts';
import { differenceOf, recordsOfLines, versionLines } from '../../core/dns/zone-version.ts';
import { quote } from '../../core/grammar/tokens.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { dotted } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { defineAction } from '../define.ts';
import { changeStep, done, execute, readZone, sameRecord, verify, zoneIfThere } from './changes.ts';
import { type PastDomain, past, pastDomain } from './past-args.ts';
import { nothingToDo, planRecords } from './record-plan.ts';
import { addedAgain, type RestoreStep, restoreDomain, restoreStep } from './restore-domain.ts';
import { fullDate, hostsOf, recordsAt, versionAt, versionsOf } from './versions.ts';

export const dnsRestore = defineAction({
  path: 'dns restore',
  title: 'Restore DNS records',
  summary: 'Restore the records that a domain had at an earlier time',
  examples: ['dns restore example.com yesterday 14:00', 'dns restore example.com v12 www mail'],
  args: {
    domain: pastDomain({ hint: 'A domain that the account has or had.', example: 'example.com' }),
    time: past({ hint: 'Such as 1 minute ago, yesterday 14:00, or v12 from the history.', example: 'v12' }),
    names: optional(
      words({
        hint: 'Only these names, such as www. Without them, all.',
        schema: z.string().max(253, 'at most 253 characters'),
        most: 50,
      }),
    ),
  },
  capability: 'dns',
  risk: 'disruptive',
  step: restoreStep,
  plan: async ({ domain, time, names }, context): Promise<Plan<RestoreStep>> => {
    if (time === 'expected') return putBack(domain, context);
    const versions = await versionsOf(domain, context);
    const version = versionAt(versions, time, { name: domain.name, field: 'time' });
    if (version.isGone) throw wasGone(domain.name, version.n);
    const then = await recordsAt(version, domain.name, context);
    const source = [`v${version.n}, read `, fullDate(version.at)];
    const zone = domain.unknown === undefined ? await zoneIfThere(context.reader, domain.name) : undefined;
    if (zone === undefined) {
      if (names !== undefined) {
        throw new Refusal(
          'impossible',
          `The account no longer has ${domain.name}, so all of it is restored or nothing.`,
          { hint: 'Leave the names out.', field: 'names' },
        );
      }
      return restoreDomain({ name: domain.name, records: then, version }, context);
    }
    const hosts = names === undefined ? undefined : hostsOf(names, domain.name, versions, [...zone, ...then]);
    const isMeant = ({ host }: RecordData) => hosts === undefined || hosts.has(host);
    const what = hosts === undefined ? domain.name : `${firstFew([...hosts], 3)} of ${domain.name}`;
    const plan = await planBack(
      {
        domain,
        zone,
        wanted: then.filter(isMeant),
        current: zone.filter(isMeant),
        isWhole: hosts === undefined,
        title: `Put ${what} back to v${version.n}`,
        same: `${what} is as in v${version.n} already.`,
      },
      context,
    );
    const glance = dotted([['as it was ', fullDate(version.at)], plan.glance ?? '']);
    return { ...plan, glance, details: [['Version', source], ...plan.details] };
  },
  recheckTarget: async (step, context) =>
    step.do === 'create' || step.do === 'settle' ? addedAgain.recheck(step, context) : sameRecord(step, context),
  execute: async (step, context) =>
    step.do === 'create' || step.do === 'settle' ? addedAgain.execute(step, context) : execute(step, context),
  verify: async (step, context) =>
    step.do === 'create' || step.do === 'settle' ? addedAgain.verify(step, context) : verify(step, context),
  done: (steps, operation) => {
    const records = steps.flatMap(({ data, ...step }) => {
      const parsed = changeStep.safeParse(data);
      return parsed.success ? [{ ...step, data: parsed.data }] : [];
    });
    const created = steps.find(({ data }) => data.do === 'create');
    if (created === undefined) return done(records, operation);
    return { text: `${created.data.domain} added again, with ${count(steps.length - 1, 'record')}` };
  },
});

type Context = ReadContext<Reader>;

interface Back {
  readonly domain: PastDomain;
  readonly zone: readonly KnownRecord[];
  readonly current: readonly KnownRecord[];
  readonly wanted: readonly RecordData[];
  readonly isWhole: boolean;
  readonly title: string;
  readonly same: string;
  readonly notes?: readonly string[];
}

/** The plan of the difference between the records now and those wanted. */
async function planBack(
  { domain, zone, current, wanted, isWhole, title, same, notes: more = [] }: Back,
  context: Context,
): Promise<Plan<RestoreStep>> {
  const left = leftOut(current, wanted);
  const [it, is] = left.length === 1 ? ['it', 'is'] : ['them', 'are'];
  const names = firstFew(left, 4, recordText);
  const kept = `${names} ${is} left out: the provider manages ${it}, or no longer takes ${it}.`;
  const notes = [...more, ...(left.length === 0 ? [] : [kept])];
  const unordered = zoneChanges(current.filter(isOurs), wanted.filter(isOurs), { keep: false, isExact: true });
  if (unordered.length === 0) return nothingToDo(domain, [same, ...notes].join(' '));
  await nextTurn();
  const changes = inOrder(unordered, zone, domain.name);
  return planRecords({ domain, zone, changes, risk: 'disruptive', title, notes, wholeZone: isWhole }, context);
}

/** Reverts the manual changes that an alert reports, except where a record has changed again since. */
async function putBack(domain: PastDomain, context: Context): Promise<Plan<RestoreStep>> {
  if (domain.unknown !== undefined) throw domain.unknown;
  const zone = await readZone(context.reader, domain.name);
  const watched = await context.bot.zones.watched(domain.name);
  if (watched === undefined) {
    throw new Refusal('impossible', `No channel watches ${domain.name}, so it is unknown which records are expected.`, {
      hint: `Choose a version in /host dns history ${domain.name}.`,
      suggestions: [{ label: 'Show the history', command: `dns history ${quote(domain.name)}` }],
      field: 'time',
    });
  }
  const { expected, seen } = watched;
  const linesAt = (records: readonly RecordData[], name: string) =>
    versionLines(
      records.filter((record) => nameOf(record) === name).map((record) => ({ ...record, ttl: ttlOf(record) })),
    );
  const { removed, added } = differenceOf(versionLines(seen), versionLines(expected));
  const byHand = [...new Set(recordsOfLines([...removed, ...added]).map(nameOf))];
  const again = byHand.filter((name) => linesAt(zone, name).join() !== linesAt(seen, name).join());
  const isMeant = (record: RecordData) => byHand.includes(nameOf(record)) && !again.includes(nameOf(record));
  return planBack(
    {
      domain,
      zone,
      current: zone.filter(isMeant),
      wanted: expected.filter(isMeant),
      isWhole: false,
      title: `Put back the records of ${domain.name}`,
      same:
        again.length === 0 ? `The records of ${domain.name} are as expected.` : 'There is nothing else to put back.',
      notes: again.length === 0 ? [] : [`${firstFew(again, 4)} changed again since the alert, and stays.`],
    },
    context,
  );
}

function nameOf({ host, type }: RecordData): string {
  return `${host} ${type}`;
}

/** Delegation is the provider's, other types cannot be written, and of old TTLs some are no longer taken. */
function isOurs(record: RecordData): boolean {
  const isDelegation = record.host === '@' && record.type === 'NS';
  return !isDelegation && isWritable(record) && ttlSeconds.some((seconds) => seconds === ttlOf(record));
}

function leftOut(current: readonly RecordData[], wanted: readonly RecordData[]): readonly RecordData[] {
  const { removed, added } = differenceOf(
    versionLines(current.filter((record) => !isOurs(record))),
    versionLines(wanted.filter((record) => !isOurs(record))),
  );
  return recordsOfLines([...removed, ...added]);
}

function wasGone(name: string, n: number): Refusal {
  return new Refusal('impossible', `The account did not have ${name} at that time (v${n}).`, {
    hint: 'Choose a version before it was removed.',
    suggestions: [{ label: 'Show the history', command: `dns history ${quote(name)}` }],
    field: 'time',
  });
}
