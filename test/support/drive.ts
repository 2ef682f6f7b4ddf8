import { onTestFinished } from 'vitest';
import { type ProviderOptions, startProvider } from '../../sandbox/provider/server.ts';
import { emptyAccount, type Target } from '../../src/core/account.ts';
import type { BotReader, BotWriter, UploadedFile } from '../../src/core/bot.ts';
import type { Asking, Command, DoneStep, ReadContext, WriteContext } from '../../src/core/command.ts';
import { hadNoEffect, ProviderError, Refusal } from '../../src/core/errors.ts';
import { parse } from '../../src/core/grammar/parse.ts';
import type { RawArgs } from '../../src/core/grammar/shapes.ts';
import { hashOf, type Json } from '../../src/core/json.ts';
import type { Ending, Plan, Receipt, Secret, Verdict } from '../../src/core/plan.ts';
import type { Capability } from '../../src/core/policy.ts';
import type { View } from '../../src/core/view.ts';
import { createAccountReader } from '../../src/engine/context/account-reader.ts';
import { createProvider, type Provider, type Reader, readerOf } from '../../src/provider/client.ts';
import { recordHost } from '../../src/provider/endpoints/dns.ts';
import { createInventory } from '../../src/provider/inventory.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { recordMessage } from './drawn-views.ts';
import { writesOf } from './writes.ts';

/**
 * Commands without the engine: the simulated provider over HTTP, the real client, and between them a line that is parsed,
 * prepared, planned, run step by step, followed and verified as the engine does it.
 */

export interface DriveOptions extends ProviderOptions {
  readonly commands: readonly Command<Reader, Provider>[];
  readonly may?: (capability: Capability, target: Target) => boolean;
  readonly bot?: Partial<BotReader>;
  readonly botWriter?: Partial<BotWriter>;
  readonly file?: (id: string) => Promise<UploadedFile>;
  /** The file that the form of a command gives, by the command: no line can. */
  readonly uploads?: Readonly<Record<string, string>>;
  readonly creationWebhook?: WriteContext<Provider>['creationWebhook'];
  readonly now?: () => number;
  readonly timeZone?: string;
}

export interface Planned {
  readonly kind: 'plan';
  readonly command: Extract<Command<Reader, Provider>, { kind: 'action' }>;
  readonly plan: Plan<Json>;
  readonly canonical: RawArgs;
  /** What the arguments are about; the plan may add more. */
  readonly targets: readonly Target[];
}
export type Asked =
  | Planned
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'refused'; readonly error: Refusal | ProviderError };

export interface Ran {
  readonly end: 'done' | 'unverified' | 'failed' | 'unknown' | 'changed';
  /** What the steps came to, in the command's words. */
  readonly ending: Ending | undefined;
  readonly steps: readonly DoneStep<Json>[];
  readonly secrets: readonly Secret[];
  /** Why it stopped. */
  readonly error: Refusal | ProviderError | undefined;
  readonly note: string;
}

export type Drive = Awaited<ReturnType<typeof openDrive>>;

export async function openDrive(options: DriveOptions) {
  const { commands, may = () => true, timeZone = 'Europe/Amsterdam', ...simulated } = options;
  const simulator = await startProvider({ jobMs: 1, ...simulated });
  const now = options.now ?? (() => simulator.sim.now());
  const transport = createTransport({
    baseUrl: simulator.url,
    apiKey: simulator.key,
    headersTimeoutMs: 2_000,
    sleep: async () => {},
  });
  onTestFinished(async () => {
    await transport.close();
    await simulator.close();
  });
  const provider = createProvider(transport);
  const reader = readerOf(provider);
  const world = createAccountReader(createInventory(reader, { now }), recordHost);

  const asking: Asking = { actor: 'U1', channel: 'C1', thread: undefined };
  const file = options.file ?? (async (id: string) => Promise.reject(new Error(`no file ${id} in this test`)));
  const read: ReadContext<Reader> = {
    ...asking,
    reader,
    file,
    account: () => world.read(),
    bot: { ...quietBot, ...options.bot },
    now: now(),
    may,
    timeZone,
  };
  const write: WriteContext<Provider> = {
    ...asking,
    provider,
    bot: { ...quietBotWriter, ...options.botWriter },
    operation: 'a7f3c2',
    now: now(),
    file,
    creationWebhook: options.creationWebhook,
  };
  const readNow = (): ReadContext<Reader> => ({ ...read, now: now() });

  async function planFrom(command: Planned['command'], raw: RawArgs): Promise<Planned> {
    const seen = command.needsWorld ? await world.read({ maxAgeMs: 0 }) : emptyAccount;
    const prepared = command.prepare(raw, { account: seen, maySee: (target) => may('read', target) });
    const { canonical, targets } = prepared;
    return { kind: 'plan', command, plan: await prepared.plan(readNow()), canonical, targets };
  }

  async function ask(line: string): Promise<Asked> {
    const domains = world.peek()?.domains.map((domain) => domain.name) ?? [];
    const parsed = parse(line, commands, domains);
    if (parsed.kind === 'menu') throw new Error('an empty line');
    if (parsed.kind === 'problem') return { kind: 'refused', error: parsed.refusal };
    // What else is needed opens a form in Slack; sent empty, that comes to the plan, as here.
    const uploads = Object.entries(parsed.command.args)
      .filter(([, arg]) => arg.place === 'form' && options.uploads?.[parsed.command.path] !== undefined)
      .map(([name]) => [name, [options.uploads?.[parsed.command.path] ?? '']] as const);
    const missing = parsed.missing.filter(
      (name) => name in parsed.command.args && !uploads.some(([of]) => of === name),
    );
    if (missing.length > 0)
      return { kind: 'refused', error: new Refusal('bad_value', `missing: ${missing.join(', ')}`) };
    world.invalidate();
    try {
      const { command } = parsed;
      const raw = { ...parsed.raw, ...Object.fromEntries(uploads) };
      if (command.kind === 'action') return await planFrom(command, raw);
      const seen = command.needsWorld ? await world.read() : emptyAccount;
      const prepared = command.prepare(raw, { account: seen, maySee: (target) => may('read', target) });
      const view = await prepared.run(readNow());
      recordMessage(view, `/host ${line}`);
      return { kind: 'view', view };
    } catch (error) {
      if (error instanceof Refusal || error instanceof ProviderError) return { kind: 'refused', error };
      throw error;
    }
  }

  const unlike = (line: string, asked: Asked) =>
    new Error(
      `${line}: ${asked.kind === 'refused' ? `refused: ${asked.error.message} ${(asked.error as Refusal).hint ?? ''}` : `a ${asked.kind}`}`,
    );

  /** Runs what was planned; plans again first, as the engine does between approval and run. */
  async function run(planned: Planned): Promise<Ran> {
    const { command } = planned;
    const again = await planFrom(command, planned.canonical);
    const steps: DoneStep<Json>[] = [];
    const secrets: Secret[] = [];
    const over = (end: Ran['end'], note: string, error?: Ran['error']): Ran => ({
      end,
      note,
      error,
      steps,
      secrets,
      ending: steps.length > 0 ? command.done(steps, { id: write.operation }) : undefined,
    });
    if (hashOf(again.plan.facts) !== hashOf(planned.plan.facts)) return over('changed', '');
    for (const step of planned.plan.steps) {
      const closed = command.step(JSON.parse(JSON.stringify(step.data)));
      let receipt: Receipt;
      try {
        receipt = await closed.execute(write);
      } catch (error) {
        world.invalidate();
        if (error instanceof Refusal) return over('failed', error.message, error);
        if (!(error instanceof ProviderError)) throw error;
        if (hadNoEffect(error)) return over('failed', error.words, error);
        // What was taken has its job, and reading goes on for minutes: here the minutes are the simulator's.
        simulator.sim.advance(180_000);
        const verdict = await closed.reconcile(readNow());
        if (verdict.is === 'not') return over('failed', verdict.text, error);
        if (verdict.is === 'unsure') return over('unknown', verdict.text, error);
        steps.push({ label: step.label, data: step.data, receipt: undefined, verdict });
        continue;
      }
      world.invalidate();
      const { secret, ...kept } = receipt;
      if (secret) secrets.push(secret);
      const follow = closed.follow(kept);
      if (follow?.kind === 'job') {
        const job = await jobEnd(follow.orderId, follow.jobId);
        if (job.job_state === 'error') return over('failed', `job ${job.pk} ended in error: ${job.note}`);
      }
      const verdict =
        follow?.kind === 'until'
          ? await until(() => closed.verify(readNow(), kept), follow.timeoutMs)
          : await closed.verify(readNow(), kept);
      steps.push({ label: step.label, data: step.data, receipt: kept, verdict });
      if (verdict.is === 'not' && verdict.isFinal && follow !== undefined) return over('failed', verdict.text);
      if (verdict.is !== 'so') return over('unverified', verdict.text);
    }
    return over('done', steps.map((step) => step.verdict?.text).join('; '));
  }

  async function jobEnd(orderId: string, jobId: number) {
    for (let looks = 0; looks < 2_000; looks++) {
      const job = await reader.vps.logDetails({ order_id: orderId, log_id: jobId });
      if (job.job_state !== 'ready') return job;
    }
    throw new Error(`job ${jobId} of ${orderId} does not end`);
  }

  /** Looks every two simulated seconds. */
  async function until(look: () => Promise<Verdict>, timeoutMs: number): Promise<Verdict> {
    for (let elapsedMs = 0; ; elapsedMs += 2_000) {
      const verdict = await look();
      if (verdict.is === 'so' || verdict.isFinal || elapsedMs > Math.min(timeoutMs, 120_000)) return verdict;
      simulator.sim.advance(2_000);
    }
  }

  return {
    sim: simulator.sim,
    provider,
    reader,
    /** Parses, prepares and plans or answers. */
    ask,
    run,
    planOf: async (line: string): Promise<Planned> => {
      const asked = await ask(line);
      if (asked.kind === 'plan') return asked;
      throw unlike(line, asked);
    },
    viewOf: async (line: string): Promise<View> => {
      const asked = await ask(line);
      if (asked.kind === 'view') return asked.view;
      throw unlike(line, asked);
    },
    refusalOf: async (line: string): Promise<Refusal> => {
      const asked = await ask(line);
      if (asked.kind === 'refused' && asked.error instanceof Refusal) return asked.error;
      throw unlike(line, asked);
    },
    /** Plans and runs. */
    do: async (line: string): Promise<Ran> => {
      const asked = await ask(line);
      if (asked.kind !== 'plan') throw unlike(line, asked);
      if (asked.plan.nothingToDo !== undefined) throw new Error(`${line}: ${asked.plan.nothingToDo}`);
      return run(asked);
    },
    writes: () => writesOf(simulator.sim),
  };
}

const nobody = async () => {};

const quietBot: BotReader = {
  version: '0.0.0',
  commands: async () => [],
  explain: async () => ({ summary: '', parts: [] }),
  policy: async () => undefined,
  policies: async () => new Map(),
  isAdmin: false,
  operation: async () => undefined,
  operations: async () => [],
  audit: async () => [],
  freezes: async () => [],
  alerts: {
    rules: [],
    sample: () => undefined,
    subscription: async () => undefined,
    open: async () => ({ alerts: [], count: 0 }),
    find: async () => undefined,
    hooks: async () => [],
    isReachable: true,
  },
};

const quietBotWriter: BotWriter = {
  savePolicy: async () => true,
  confirmChannel: nobody,
  freeze: async () => 'f1',
  unfreeze: async () => true,
  alerts: {
    subscribe: async () => true,
    addHook: async () => ({ id: 'h1', url: 'https://hostler.example.com/hooks/json/h1.secret' }),
    revokeHook: async () => true,
  },
};
