import { type Arg, choice, domain } from '../../core/command/args.ts';
import { mustFit } from '../../core/dns/beside.ts';
import { type MailPreset, type MailProvider, mailPresets, withInclude } from '../../core/dns/mail-presets.ts';
import { textOf } from '../../core/dns/quoted.ts';
import { isSpf, type KnownRecord, type RecordData } from '../../core/dns/record.ts';
import { inOrder, type ZoneChange, zoneChanges } from '../../core/dns/zone-diff.ts';
import { Refusal } from '../../core/view/errors.ts';
import { defineAction } from '../define.ts';
import { changeStep, done, execute, readZone, sameRecord, verify } from './changes.ts';
import { nothingToDo, planRecords } from './record-plan.ts';

const names = Object.keys(mailPresets) as MailProvider[];

const provider: Arg<MailProvider> = choice({
  of: names,
  labels: Object.fromEntries(names.map((name) => [name, mailPresets[name].name])),
  also: {
    ...{ gmail: 'google', workspace: 'google', 'google-workspace': 'google', 'google-mail': 'google' },
    ...{
      microsoft365: 'microsoft',
      office365: 'microsoft',
      outlook: 'microsoft',
      m365: 'microsoft',
      o365: 'microsoft',
    },
    ...{ exchange: 'microsoft', protonmail: 'proton', apple: 'icloud' },
  },
  hint: 'The mail provider.',
});

export const dnsMail = defineAction({
  path: 'dns mail',
  title: 'Set up mail',
  summary: 'Set up the records that a mail provider asks for: MX, SPF, DMARC and its own',
  examples: ['dns mail example.com google', 'dns mail example.net fastmail'],
  alsoCalled: ['dns preset', 'dns email'],
  args: { domain: domain({ hint: 'A domain of the account.', example: 'example.com' }), provider },
  capability: 'dns',
  risk: 'disruptive',
  step: changeStep,
  plan: async ({ domain, provider }, context) => {
    const preset: MailPreset = mailPresets[provider];
    const zone = await readZone(context.reader, domain.name);
    const changes = [
      ...mailChanges(zone, preset, domain.name),
      ...spfChanges(zone, preset, domain.name),
      ...nameChanges(zone, preset, domain.name),
      ...policyChanges(zone),
    ];
    if (changes.length === 0) return nothingToDo(domain, `${domain.name} has the records of ${preset.name} already.`);
    return planRecords(
      {
        domain,
        zone,
        changes: inOrder(changes, zone, domain.name),
        risk: 'disruptive',
        title: `Set up the mail of ${domain.name} at ${preset.name}`,
        notes: preset.notes,
      },
      context,
    );
  },
  recheckTarget: sameRecord,
  execute,
  verify,
  done,
});

function record(host: string, type: string, value: string, prio: number | null = null): RecordData {
  return { host, type, value, prio, ttl: null };
}

/** Replaces all MX records: with two mail providers at once, some mail is lost. */
function mailChanges(zone: readonly KnownRecord[], { mx }: MailPreset, domain: string): ZoneChange[] {
  const wanted = mx(domain).map(([prio, host]) => record('@', 'MX', host, prio));
  const present = zone.filter(({ host, type }) => host === '@' && type === 'MX');
  return zoneChanges(present, wanted, { keep: false });
}

function spfChanges(zone: readonly KnownRecord[], { spf, name }: MailPreset, domain: string): ZoneChange[] {
  const present = zone.filter((record) => record.host === '@' && isSpf(record));
  const [only] = present;
  if (only === undefined) return [{ do: 'add', after: record('@', 'TXT', `v=spf1 include:${spf.include} ${spf.end}`) }];
  if (present.length > 1) {
    throw new Refusal('bad_value', `${domain} has ${present.length} SPF records, which receivers take as an error.`, {
      hint: `Keep one of them; then ask for ${name} again.`,
      suggestions: [{ label: 'Show them', command: `dns list ${domain} spf1` }],
      field: 'domain',
    });
  }
  const text = textOf(only.value);
  const value = withInclude(text, spf.include);
  return value === text ? [] : [{ do: 'change', id: only.id, before: only, after: { ...dataOf(only), value } }];
}

function nameChanges(zone: readonly KnownRecord[], { cnames }: MailPreset, domain: string): ZoneChange[] {
  return cnames(domain).flatMap(([host, target]) => {
    const present = zone.filter((record) => record.host === host && record.type === 'CNAME');
    const after = record(host, 'CNAME', target);
    mustFit(
      after,
      zone.filter((other) => !present.includes(other)),
      domain,
    );
    return zoneChanges(present, [after], { keep: false });
  });
}

/** Adds a DMARC policy, which receivers expect; an existing one stays. */
function policyChanges(zone: readonly KnownRecord[]): ZoneChange[] {
  const host = '_dmarc';
  if (zone.some((record) => record.host === host)) return [];
  return [{ do: 'add', after: { ...record(host, 'TXT', 'v=DMARC1; p=none'), ttl: 3600 } }];
}

function dataOf({ host, type, value, prio, ttl }: KnownRecord): RecordData {
  return { host, type, value, prio, ttl };
}
