import { test as base } from 'vitest';
import type { OperationSummary } from '../../../src/core/command/bot-port.ts';
import type { Json } from '../../../src/core/text/json.ts';
import { type CommandRunnerOptions, openCommandRunner, type Ran } from '../../support/bot/run-command.ts';
import { commandsCalled } from '../commands-called.ts';
import { operationSummary } from '../operation-summary.ts';

/** But for those that read the history of zones. */
export const dnsCommands = commandsCalled('dns').filter(
  ({ path }) => !['dns diff', 'dns history', 'dns restore'].includes(path),
);

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
    const summary = operationSummary({
      id,
      title: planned.plan.title,
      risk: planned.plan.raised?.risk ?? planned.command.risk,
      state: ran.end === 'changed' ? 'refused' : ran.end,
      createdAt: endedAt,
      endedAt,
      steps: planned.plan.steps.map((step, index) => ({
        label: step.label,
        state: index < ran.steps.length ? 'done' : 'failed',
        data: step.data,
        receipt: ran.steps[index]?.receipt?.data ?? null,
        job: null,
      })),
    });
    remembered.set(id, summary);
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

/** Tests that begin with the seed account. */
export const test = base.extend('dns', () => openDns());

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
