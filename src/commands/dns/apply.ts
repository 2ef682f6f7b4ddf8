import { inSlices } from '../../core/async/in-slices.ts';
import { type Arg, domain, flag, option, optional, text } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { file } from '../../core/command/slack-args.ts';
import { isDelegation, isWritable, type KnownRecord, recordText, recordTypes } from '../../core/dns/record.ts';
import { zoneTextOf } from '../../core/dns/write-zone.ts';
import { changesTo, conflictsAfter } from '../../core/dns/zone-diff.ts';
import { mostZoneBytes, readZoneText, sayProblems, type WantedRecord } from '../../core/dns/zone-text.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { badValue, Refusal } from '../../core/view/errors.ts';
import { optionalOf } from '../args.ts';
import { type CommandContext, channelRead, defineAction, defineQuery } from '../define.ts';
import { uploaded } from '../uploaded.ts';
import { readZone, recordAction } from './changes.ts';
import { planRecords } from './record-plan.ts';
import { historyOf, type Past, type PastDomain, past, pastDomain, sayRead } from './versions.ts';

export const dnsZone = defineQuery({
  path: 'dns zone',
  words: `export · download · dump | zone file · zone · zonefile | dns export · dns file · zone as file · bind
    format · complete zone file`,
  title: 'Zone file',
  summary: 'Show the zone of a domain as a file',
  examples: ['dns zone example.com', 'dns zone example.org'],
  args: {
    domain: pastDomain,
    at: option(past({ hint: 'As it was then, such as yesterday or v12.', after: ['at', 'from'] })),
  },
  ...channelRead,
  run: async ({ domain, at }, context) => {
    const { name } = domain;
    const { file, zone, when } =
      at === undefined ? await zoneNow(domain, context) : await zoneThen(domain, at, context);
    const counts = recordTypes
      .map((type) => [type, zone.filter((record) => record.type === type).length] as const)
      .filter(([, n]) => n > 0)
      .map(([type, n]) => `${n} ${type}`);
    const amount = `${count(zone.length, 'record')}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`;
    const summary = `Zone file of ${name}, ${amount}`;
    const bytes = new TextEncoder().encode(file);
    const back = { code: `/host dns apply ${name}` };
    return {
      summary,
      parts: [
        { kind: 'text', text: ['Zone file of ', { bold: name }, ...when, `, ${amount}`] },
        { kind: 'context', text: ['Changed, it goes back as text or as a file through ', back, '.'] },
      ],
      files: [{ name: `${name}.zone`, title: `Zone of ${name}`, alt: summary, bytes }],
    };
  },
});

async function zoneNow({ name, unknown }: PastDomain, { reader }: CommandContext) {
  if (unknown !== undefined) throw unknown;
  const [file, zone] = await Promise.all([reader.dns.zoneFile({ name }), readZone(reader, name)]);
  return { file, zone, when: [] };
}

async function zoneThen(domain: PastDomain, time: Past, context: CommandContext) {
  const { at, recordsOf } = await historyOf(domain, context);
  const version = at(time, 'at');
  const zone = await recordsOf(version);
  return { file: zoneTextOf(zone, domain.name), zone, when: [' as in ', ...sayRead(version)] };
}

const paste = text({
  hint: 'BIND zone text of fewer than 3,000 characters. Records that are not in it are removed from the domain.',
  place: 'rest',
  multiline: true,
});
const zoneText: Arg<string | undefined> = {
  ...optional(paste),
  example: 'www  300  A  192.0.2.10',
  read: (words, reading) => {
    // Text typed without a code block has lost its lines, which matter here.
    if (words.length <= 1) return optional(paste).read(words, reading);
    const hint = 'Put it into a code block, or leave it out and paste it into the form.';
    throw badValue('The lines of the zone text are joined into one.', hint);
  },
};

export const dnsApply = defineAction({
  ...recordAction,
  path: 'dns apply',
  words: `apply · import · load · upload · push | zone file · zonefile · zone · bind file · record | file with
    record · take zone file · import into`,
  title: 'Apply a zone file',
  summary: 'Apply a zone file as one plan',
  examples: [
    'dns apply example.com "beta 300 A 192.0.2.10" --keep',
    'dns apply example.com "@ 3600 TXT hello" keep=yes',
  ],
  args: {
    domain: domain({ hint: 'A domain of the account.', example: 'example.com' }),
    zone: zoneText,
    file: optionalOf(file)({
      hint: 'Or the same as a text file of any length, such as the file of /host dns zone.',
      types: [],
    }),
    keep: flag({ hint: 'Only add and change records, remove none.' }),
  },
  needs: [{ of: ['zone', 'file'], say: 'a zone text, or a file with it' }],
  plan: async ({ domain, zone: pasted, file, keep }, context) => {
    const parsed = await inSlices(readZoneText(await textOf(pasted, file, context), domain.name));
    if (parsed.problems.length > 0) {
      const { length } = parsed.problems;
      const problems = sayProblems(parsed.problems, { isQuoted: file === undefined });
      const text = `${count(length, 'line')} of the zone text ${length === 1 ? 'does' : 'do'} not fit:\n${problems}`;
      throw new Refusal('bad_value', text, { field: 'zone' });
    }
    if (parsed.records.length === 0)
      throw badValue('There is no record in the zone text.', 'Write lines such as www 300 A 192.0.2.10.', 'zone');
    const zone = await readZone(context.reader, domain.name);
    const delegation = withDelegation(parsed.records, zone);
    // Records of types that a text cannot contain stay.
    const strange = zone.filter((record) => !isWritable(record));
    const stays =
      strange.length === 0 ? [] : [`${firstFew(strange, 4, recordText)} cannot be written from here and stays.`];
    const changes = await changesTo(delegation.wanted, { domain, zone, current: zone.filter(isWritable), keep });
    // Records of the text may conflict with records that --keep keeps.
    for (const { record, text, hint } of await conflictsAfter(changes, zone, domain.name)) {
      const unquoted = `A ${record.type} record of the file conflicts with the records that its name has.`;
      throw badValue(file === undefined ? `${recordText(record)}: ${text}` : unquoted, hint, 'zone');
    }
    const same = `${domain.name} is already as the text says: ${count(zone.length, 'record')}.`;
    const notes = [...parsed.notes, ...delegation.notes, ...stays];
    // With --keep, the plan does not depend on records that the text does not name.
    return planRecords([{ domain, zone, changes, wholeZone: !keep }], { same, notes }, context);
  },
});

/**
 * Returns the pasted text or the content of the file. Each new plan reads the file again; it cannot change in between.
 */
async function textOf(pasted: string | undefined, file: string | undefined, context: ReadContext) {
  if (pasted !== undefined && file !== undefined)
    throw badValue('You gave both a zone text and a file.', 'Leave one of them out.', 'file');
  if (file === undefined) {
    if (pasted !== undefined) return pasted;
    throw badValue('The zone text is missing.', 'Paste it, or upload it as a file.', 'zone');
  }
  const { name, bytes } = await uploaded(file, context);
  const wrong = (what: string) => badValue(`${name} ${what}.`, 'Upload the zone as plain text.', 'file');
  if (bytes.length > mostZoneBytes)
    throw wrong(`has ${Math.ceil(bytes.length / 1_000)} kB, which is too long for a zone`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw wrong('is no text');
}

/**
 * Keeps the domain's own NS records if the text has none: such a text is a part of a zone and must not remove the name
 * servers.
 */
function withDelegation(records: readonly WantedRecord[], zone: readonly KnownRecord[]) {
  const present = zone.filter(isDelegation);
  if (present.length === 0 || records.some(isDelegation)) return { wanted: records, notes: [] };
  return {
    wanted: [...records, ...present],
    notes: [`The text names no NS for the domain itself, so its ${present.length} stay.`],
  };
}
