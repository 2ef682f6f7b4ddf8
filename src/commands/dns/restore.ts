import { z } from 'zod';
import { optional, words } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { type KnownRecord, type RecordData, recordText, ttlOf } from '../../core/dns/record.ts';
import { recordDifference, versionLines } from '../../core/dns/zone-version.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { firstFew } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { dotted } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { defineAction } from '../define.ts';
import { readZone, zoneIfThere } from './changes.ts';
import { type PastDomain, past, pastDomain } from './past-args.ts';
import { changesTo, planRecords } from './record-plan.ts';
import { isRestorable, type RestoreStep, restoreAction, restoreDomain } from './restore-domain.ts';
import { fullDate, hostsOf, recordsAt, sayRead, showHistory, versionAt, versionsOf } from './versions.ts';

export const dnsRestore = defineAction({
  ...restoreAction,
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
  plan: async ({ domain, time, names }, context): Promise<Plan<RestoreStep>> => {
    if (time === 'expected') return putBack(domain, context);
    const { name } = domain;
    const versions = await versionsOf(domain, context);
    const version = versionAt(versions, time, { name, field: 'time' });
    if (version.isGone) {
      throw new Refusal('impossible', `The account did not have ${name} at that time (v${version.n}).`, {
        hint: 'Choose a version before it was removed.',
        suggestions: [showHistory(name)],
        field: 'time',
      });
    }
    const then = await recordsAt(version, name, context);
    const zone = domain.unknown === undefined ? await zoneIfThere(context.reader, name) : undefined;
    if (zone === undefined && names !== undefined) {
      throw new Refusal('impossible', `The account no longer has ${name}, so all of it is restored or nothing.`, {
        hint: 'Leave the names out.',
        field: 'names',
      });
    }
    if (zone === undefined) return restoreDomain({ name, records: then, version }, context);
    const hosts = names === undefined ? undefined : hostsOf(names, name, versions, [...zone, ...then]);
    const isMeant = ({ host }: RecordData) => hosts === undefined || hosts.has(host);
    const what = hosts === undefined ? name : `${firstFew([...hosts], 3)} of ${name}`;
    const plan = await planBack(
      { domain, zone, isMeant, wanted: then, wholeZone: hosts === undefined },
      { title: `Put ${what} back to v${version.n}`, same: `${what} is as in v${version.n} already.`, notes: [] },
      context,
    );
    const glance = dotted([['as it was ', fullDate(version.at)], plan.glance ?? '']);
    return { ...plan, glance, details: [['Version', sayRead(version)], ...plan.details] };
  },
});

interface Back {
  readonly domain: PastDomain;
  readonly zone: readonly KnownRecord[];
  readonly wanted: readonly RecordData[];
  readonly isMeant: (record: RecordData) => boolean;
  readonly wholeZone: boolean;
}

/** The plan of the difference between the records now and those wanted, where they are meant. */
async function planBack(
  { domain, zone, wanted, isMeant, wholeZone }: Back,
  { title, same, notes: more }: { readonly title: string; readonly same: string; readonly notes: readonly string[] },
  context: ReadContext<Reader>,
): Promise<Plan<RestoreStep>> {
  const [current, then] = [zone.filter(isMeant), wanted.filter(isMeant)];
  const isFixed = (record: RecordData) => !isRestorable(record);
  const { removed, added } = recordDifference(current.filter(isFixed), then.filter(isFixed));
  const left = [...removed, ...added];
  const [it, is] = left.length === 1 ? ['it', 'is'] : ['them', 'are'];
  const kept = `${firstFew(left, 4, recordText)} ${is} left out: the provider manages ${it}, or no longer takes ${it}.`;
  const notes = [...more, ...(left.length === 0 ? [] : [kept])];
  const how = { domain, zone, current: current.filter(isRestorable), keep: false, isExact: true };
  const changes = await changesTo(then.filter(isRestorable), how);
  return planRecords(
    [{ domain, zone, changes, wholeZone }],
    { title, notes, same: [same, ...notes].join(' ') },
    context,
  );
}

/** Reverts the manual changes that an alert reports, except where a record has changed again since. */
async function putBack(domain: PastDomain, context: ReadContext<Reader>): Promise<Plan<RestoreStep>> {
  if (domain.unknown !== undefined) throw domain.unknown;
  const { name } = domain;
  const zone = await readZone(context.reader, name);
  const watched = await context.bot.zones.watched(name);
  if (watched === undefined) {
    throw new Refusal('impossible', `No channel watches ${name}, so it is unknown which records are expected.`, {
      hint: `Choose a version in /host dns history ${name}.`,
      suggestions: [showHistory(name)],
      field: 'time',
    });
  }
  const { expected, seen } = watched;
  const linesAt = (records: readonly RecordData[], place: string) =>
    versionLines(records.filter((record) => placeOf(record) === place).map((each) => ({ ...each, ttl: ttlOf(each) })));
  const { removed, added } = recordDifference(seen, expected);
  const byHand = [...new Set([...removed, ...added].map(placeOf))];
  const again = byHand.filter((place) => linesAt(zone, place).join() !== linesAt(seen, place).join());
  const isMeant = (record: RecordData) => byHand.includes(placeOf(record)) && !again.includes(placeOf(record));
  return planBack(
    { domain, zone, isMeant, wanted: expected, wholeZone: false },
    {
      title: `Put back the records of ${name}`,
      same: again.length === 0 ? `The records of ${name} are as expected.` : 'There is nothing else to put back.',
      notes: again.length === 0 ? [] : [`${firstFew(again, 4)} changed again since the alert, and stays.`],
    },
    context,
  );
}

function placeOf({ host, type }: RecordData): string {
  return `${host} ${type}`;
}
