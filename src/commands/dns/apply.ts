import { type Arg, domain, flag, text } from '../../core/args.ts';
import { conflictOf } from '../../core/dns/beside.ts';
import { type KnownRecord, recordText } from '../../core/dns/record.ts';
import { type Change, diffZone, zoneAfter } from '../../core/dns/zone-diff.ts';
import { parseZone, sayProblems, type WantedRecord } from '../../core/dns/zone-text.ts';
import { Refusal } from '../../core/errors.ts';
import { count } from '../../core/words.ts';
import { defineAction } from '../define.ts';
import { changeStep, done, execute, readZone, verify } from './changes.ts';
import { nothingToDo, planRecords } from './record-plan.ts';

/** More would not fit on the card that people approve. */
const mostChanges = 50;
const mostCharacters = 6_000;

const paste = text({ hint: 'BIND zone text; what it does not have is removed', place: 'rest', multiline: true });
const zoneText: Arg<string> = {
  ...paste,
  example: 'www  300  A  192.0.2.10',
  read: (words, reading) => {
    // Typed without a fence, the lines have run together, and lines mean something here.
    if (words.length <= 1) return paste.read(words, reading);
    throw new Refusal('bad_value', 'The lines of the zone text have run together.', {
      hint: 'Put it between ``` and ```, or leave it out and paste it into the form.',
    });
  },
};

export const dnsApply = defineAction({
  path: 'dns apply',
  summary: 'Make a zone what a pasted zone text says, as one plan',
  examples: [
    'dns apply example.com "beta 300 A 192.0.2.10" --keep',
    'dns apply example.com "@ 3600 TXT hello" keep=yes',
  ],
  args: {
    domain: domain({ hint: 'one of the account', example: 'example.com' }),
    zone: zoneText,
    keep: flag({ hint: 'only add and change; remove nothing' }),
  },
  capability: 'dns',
  risk: 'disruptive',
  step: changeStep,
  plan: async ({ domain, zone: pasted, keep }, context) => {
    const parsed = parseZone(pasted, domain.name);
    if (parsed.problems.length > 0) {
      throw new Refusal(
        'bad_value',
        `${count(parsed.problems.length, 'line')} of the zone text ${parsed.problems.length === 1 ? 'does' : 'do'} not fit:\n${sayProblems(parsed.problems)}`,
        {
          field: 'zone',
        },
      );
    }
    if (parsed.records.length === 0) {
      throw new Refusal('bad_value', 'There is no record in the zone text.', {
        hint: 'Write lines such as: www 300 A 192.0.2.10',
        field: 'zone',
      });
    }
    const zone = await readZone(context.reader, domain.name);
    const delegation = withDelegation(parsed.records, zone);
    const changes = diffZone(zone, delegation.wanted, { keep, domain: domain.name });
    if (changes.length === 0) {
      return nothingToDo(domain, `${domain.name} is already as the text says: ${count(zone.length, 'record')}.`);
    }
    mustStand(zone, changes, domain.name);
    const plan = await planRecords(
      { domain, zone, changes, risk: 'disruptive', notes: [...parsed.notes, ...delegation.notes], wholeZone: true },
      context,
    );
    const size = (plan.diff ?? []).reduce((sum, line) => sum + line.text.length, 0);
    if (changes.length > mostChanges || size > mostCharacters) {
      throw new Refusal('bad_value', `That is ${count(changes.length, 'change')}, more than one card can show.`, {
        hint: `Apply it in parts with --keep, at most ${mostChanges} changes at a time.`,
        field: 'zone',
      });
    }
    return plan;
  },
  execute,
  verify,
  done,
});

/** A text without the domain's own NS records is a part of a zone: it does not mean a domain without name servers. */
function withDelegation(records: readonly WantedRecord[], zone: readonly KnownRecord[]) {
  const isDelegation = (record: { readonly host: string; readonly type: string }) =>
    record.host === '@' && record.type === 'NS';
  const present = zone.filter(isDelegation);
  if (present.length === 0 || records.some(isDelegation)) return { wanted: records, notes: [] };
  return {
    wanted: [...records, ...present],
    notes: [`the text names no NS for the domain itself; its ${present.length} stay`],
  };
}

/** Records that stay (with keep) may not go together with what the text adds. */
function mustStand(zone: readonly KnownRecord[], changes: readonly Change[], domain: string): void {
  const after = zoneAfter(zone, changes);
  for (const change of changes) {
    if (change.do === 'remove') continue;
    const others = after.filter(
      (record) => record !== change.after && !('id' in record && change.do === 'change' && record.id === change.id),
    );
    const conflict = conflictOf(change.after, others, domain);
    if (conflict === undefined) continue;
    throw new Refusal('bad_value', `${recordText(change.after)}: ${conflict.text}`, {
      hint: conflict.hint,
      field: 'zone',
    });
  }
}
