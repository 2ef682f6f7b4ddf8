import { dnsAdd } from '../../../src/commands/dns/add.ts';
import { dnsApply } from '../../../src/commands/dns/apply.ts';
import { dnsDomainAdd } from '../../../src/commands/dns/domain-add.ts';
import { dnsDomainRemove } from '../../../src/commands/dns/domain-remove.ts';
import { dnsDomains } from '../../../src/commands/dns/domains.ts';
import { dnsEdit } from '../../../src/commands/dns/edit.ts';
import { dnsFind } from '../../../src/commands/dns/find.ts';
import { dnsList } from '../../../src/commands/dns/list.ts';
import { dnsNameservers } from '../../../src/commands/dns/nameservers.ts';
import { dnsRemove } from '../../../src/commands/dns/remove.ts';
import { dnsReplace } from '../../../src/commands/dns/replace.ts';
import { dnsSet } from '../../../src/commands/dns/set.ts';
import { dnsUndo } from '../../../src/commands/dns/undo.ts';
import { dnsZone } from '../../../src/commands/dns/zone.ts';
import type { OperationSummary } from '../../../src/core/command/bot.ts';
import type { Json } from '../../../src/core/text/json.ts';
import { type CommandRunnerOptions, openCommandRunner, type Ran } from '../../support/run-command.ts';

export const dnsCommands = [
  dnsAdd,
  dnsApply,
  dnsDomainAdd,
  dnsDomainRemove,
  dnsDomains,
  dnsEdit,
  dnsFind,
  dnsReplace,
  dnsList,
  dnsNameservers,
  dnsRemove,
  dnsSet,
  dnsUndo,
  dnsZone,
];

/** The seed account, its DNS commands, and a memory of past operations, as the bot has one. */
export async function openDns(options: Partial<CommandRunnerOptions> = {}) {
  const remembered = new Map<string, OperationSummary>();
  const runner = await openCommandRunner({
    commands: dnsCommands,
    bot: { operation: async (id) => remembered.get(id) },
    ...options,
  });

  /** Runs a line to its end, and remembers it under this id. */
  async function done(line: string, id = 'a7f3c2', endedAt = Date.now()): Promise<Ran> {
    const planned = await runner.planOf(line);
    const ran = await runner.run(planned);
    remembered.set(id, {
      id,
      command: planned.command.path,
      title: planned.plan.title,
      risk: planned.plan.raised?.risk ?? planned.command.risk,
      state: ran.end === 'changed' ? 'refused' : ran.end,
      requester: 'U1',
      channel: 'C1',
      targets: [],
      names: [],
      createdAt: endedAt,
      endedAt,
      endText: null,
      undo: null,
      rule: 'confirm',
      waitsFor: null,
      isStopped: false,
      steps: planned.plan.steps.map((step, index) => ({
        label: step.label,
        state: index < ran.steps.length ? 'done' : 'failed',
        data: step.data,
        receipt: ran.steps[index]?.receipt?.data ?? null,
        job: null,
      })),
    });
    return ran;
  }

  return {
    ...runner,
    done,
    remembered,
    /** `www A 192.0.2.10 300`, as the provider has it now. */
    records: async (domain = 'example.com', host?: string) =>
      (await runner.reader.dns.entries({ name: domain }))
        .filter((entry) => host === undefined || entry.host === host)
        .map((entry) =>
          [entry.host || '@', entry.type, entry.prio, entry.value, entry.ttl].filter((x) => x !== null).join(' '),
        ),
    idOf: async (domain: string, host: string, type: string): Promise<number> => {
      const entries = await runner.reader.dns.entries({ name: domain });
      const found = entries.find((entry) => entry.host === host && entry.type === type);
      if (found === undefined) throw new Error(`no ${host} ${type} in ${domain}`);
      return found.id;
    },
    /** The writes that were sent, one by one. */
    bodies: () => runner.writes().map(({ body }) => body as Json),
  };
}

/** A refusal as it is read, with the buttons it offers. */
export function sayRefusal(error: {
  message: string;
  hint: string | undefined;
  suggestions: readonly { label: string; command: string; isForm?: boolean }[];
  field: string | undefined;
}): string {
  const buttons = error.suggestions.map(
    ({ label, command, isForm }) => `[${label} → ${isForm ? 'form ' : ''}${command}]`,
  );
  return [`${error.field}: ${[error.message, error.hint].filter(Boolean).join(' ')}`, ...buttons].join('\n');
}
