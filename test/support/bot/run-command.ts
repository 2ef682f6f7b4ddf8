import { onTestFinished } from 'vitest';
import { type ProviderOptions, startProvider } from '../../../sandbox/provider/server.ts';
import { type Account, emptyAccount, type Target } from '../../../src/core/account/account.ts';
import type { BotReader, BotWriter, UploadedFile } from '../../../src/core/command/bot-port.ts';
import type { Asking, Command, DoneStep, ReadContext, WriteContext } from '../../../src/core/command/command.ts';
import type { OwnSettings } from '../../../src/core/command/own-settings.ts';
import type { RawArgs } from '../../../src/core/grammar/command-shape.ts';
import { parse } from '../../../src/core/grammar/parse.ts';
import { parsePlan } from '../../../src/core/grammar/plan-lines.ts';
import type { Ending, Plan, Receipt, Secret, Verdict } from '../../../src/core/plan/plan.ts';
import type { Capability } from '../../../src/core/policy/policy.ts';
import { noProber } from '../../../src/core/probe/services.ts';
import { defined } from '../../../src/core/text/defined.ts';
import { hashOf, type Json } from '../../../src/core/text/json.ts';
import { strikeSecrets } from '../../../src/core/text/strike-secrets.ts';
import { ProviderError, Refusal } from '../../../src/core/view/errors.ts';
import type { View } from '../../../src/core/view/view.ts';
import type { Log } from '../../../src/engine/context/dependencies.ts';
import { createKnownCurrency } from '../../../src/engine/home/home-reads.ts';
import { createFence } from '../../../src/engine/run/fence.ts';
import { phases, send } from '../../../src/engine/run/step-logic.ts';
import { createAccountReader } from '../../../src/provider/account-reader.ts';
import { createProvider, type Provider, type Reader, readerOf } from '../../../src/provider/client.ts';
import { createInventory } from '../../../src/provider/inventory.ts';
import { createTransport } from '../../../src/provider/transport.ts';
import { patienceMs } from '../suite/patience.ts';
import { recordMessage } from './drawn-views.ts';
import { oddTablesIn } from './raw-words.ts';
import { writesOf } from './writes.ts';

/**
 * Commands without rows: the simulated provider over HTTP, the real client, and between them a line that is parsed,
 * prepared and planned, and steps that go the engine's own way (src/engine/run/step-logic.ts).
 */

export interface CommandRunnerOptions extends ProviderOptions {
  readonly commands: readonly Command<Reader, Provider>[];
  readonly may?: (capability: Capability, target: Target) => boolean;
  readonly bot?: Partial<BotReader>;
  readonly botWriter?: Partial<BotWriter>;
  /** Changes the account that the command reads, such as into one that counts reads. */
  readonly account?: (account: Account) => Account;
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
  /** The targets of the arguments; the plan may add more. */
  readonly targets: readonly Target[];
}
export type Asked =
  | Planned
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'refused'; readonly error: Refusal | ProviderError };

export interface Ran {
  readonly end: 'done' | 'unverified' | 'failed' | 'unknown' | 'changed';
  /** The end of the steps, in the words of the command. */
  readonly ending: Ending | undefined;
  readonly steps: readonly DoneStep<Json>[];
  readonly secrets: readonly Secret[];
  /** The reason of the stop. */
  readonly error: Refusal | ProviderError | undefined;
  readonly note: string;
}

/** A zone file in the form of `dns apply`. */
export const zoneFile = (text: Uint8Array | string, name = 'zone.txt') => ({
  uploads: { 'dns apply': 'F0ZONE' },
  file: async () => ({ name, type: 'text/plain', bytes: Buffer.from(text) }),
});

export type CommandRunner = Awaited<ReturnType<typeof openCommandRunner>>;

/** Calls of the simulated provider, which are tried again at once. */
export const transportTo = ({ url, key }: { readonly url: string; readonly key: string }) =>
  createTransport({ baseUrl: url, apiKey: key, headersTimeoutMs: patienceMs, sleep: async () => {} });

export async function openCommandRunner(options: CommandRunnerOptions) {
  const { commands, may = () => true, account = (read) => read, timeZone = 'Europe/Amsterdam', ...simulated } = options;
  const simulator = await startProvider({ jobMs: 1, ...simulated });
  const now = options.now ?? (() => simulator.sim.now());
  const transport = transportTo(simulator);
  onTestFinished(async () => {
    await transport.close();
    await simulator.close();
  });
  const provider = createProvider(transport);
  const reader = readerOf(provider);
  const accountReader = createAccountReader(createInventory(reader, { now }));
  const asking: Asking = { actor: 'U1', channel: 'C1', thread: undefined };
  const file = options.file ?? (async (id: string) => Promise.reject(new Error(`no file ${id} in this test`)));
  const read: ReadContext<Reader> = {
    ...asking,
    reader,
    file,
    account: async () => account(await accountReader.read()),
    currency: createKnownCurrency({ reader, log: silentLog, elapsed: now }),
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
    const seen = command.needsAccount ? await accountReader.read({ maxAgeMs: 0 }) : emptyAccount;
    const prepared = command.prepare(raw, { account: seen, maySee: (target) => may('read', target) });
    const { canonical, targets } = prepared;
    return { kind: 'plan', command, plan: await prepared.plan(readNow()), canonical, targets };
  }

  async function ask(line: string): Promise<Asked> {
    const domains = accountReader.peek()?.domains.map((domain) => domain.name) ?? [];
    const read = (line: string) => parse(line, commands, domains);
    const parsed = parsePlan(line, commands, read) ?? read(line);
    if (parsed.kind === 'menu') throw new Error('an empty line');
    if (parsed.kind === 'problem') return { kind: 'refused', error: parsed.refusal };
    // A missing argument opens a form in Slack; an empty form goes to the plan, as here.
    const uploads = Object.entries(parsed.command.args)
      .filter(([, arg]) => arg.place === 'form' && options.uploads?.[parsed.command.path] !== undefined)
      .map(([name]) => [name, [options.uploads?.[parsed.command.path] ?? '']] as const);
    const missing = parsed.missing.filter(
      (name) => name in parsed.command.args && !uploads.some(([of]) => of === name),
    );
    if (missing.length > 0)
      return { kind: 'refused', error: new Refusal('bad_value', `missing: ${missing.join(', ')}`) };
    accountReader.invalidate();
    try {
      const { command } = parsed;
      const raw = { ...parsed.raw, ...Object.fromEntries(uploads) };
      if (command.kind === 'action') return await planFrom(command, raw);
      const seen = command.needsAccount ? await accountReader.read() : emptyAccount;
      const prepared = command.prepare(raw, { account: seen, maySee: (target) => may('read', target) });
      const view = await prepared.run({ ...readNow(), own: noSettings });
      recordMessage(view, `/host ${line}`);
      const [odd] = oddTablesIn(view.parts);
      if (odd !== undefined) throw new Error(`${line} draws ${odd}`);
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

  /** Runs what was planned; plans again first, and goes the engine's own way with each step, in simulated time. */
  async function run(planned: Planned): Promise<Ran> {
    const { command } = planned;
    const again = await planFrom(command, planned.canonical);
    const steps: DoneStep<Json>[] = [];
    const secrets: Secret[] = [];
    const over = (end: Ran['end'], note: string, error?: unknown): Ran => {
      const [first, ...others] = steps;
      const ending = first && command.done([first, ...others], { id: write.operation });
      return {
        end,
        note,
        error: error instanceof Refusal || error instanceof ProviderError ? error : undefined,
        steps,
        secrets,
        ending,
      };
    };
    if (hashOf(again.plan.facts) !== hashOf(planned.plan.facts)) return over('changed', '');
    for (const step of planned.plan.steps) {
      let data: Json;
      try {
        data = await command.step(stored(step.data), step.command).recheckTarget(readNow());
      } catch (error) {
        if (error instanceof Refusal) return over('changed', error.message, error);
        throw error;
      }
      const closed = command.step(stored(data), step.command);
      const fence = createFence(now);
      const sent = await send(closed, fence.around(write), {
        doing: step.label,
        wasSent: fence.wasSent,
        incident: (error) => {
          throw error;
        },
      });
      accountReader.invalidate();
      if (sent.kind === 'failed') {
        return over('failed', sent.error instanceof ProviderError ? sent.error.words : sent.note, sent.error);
      }
      if (sent.kind === 'accepted' && sent.secret !== undefined) secrets.push(sent.secret);
      const receipt = sent.kind === 'accepted' ? sent.receipt : undefined;
      const { state, note } = await follow(closed, step.label, receipt);
      if (state === 'failed' || state === 'unknown')
        return over(state, note, sent.kind === 'lost' ? sent.error : undefined);
      const verdict: Verdict = { is: state === 'done' ? 'so' : 'unsure', text: note };
      const { label, command: own, part } = step;
      steps.push({ label, data, receipt, verdict, ...defined({ command: own, part }) });
      if (state === 'unverified') return over(state, note);
    }
    return over('done', steps.map((step) => step.verdict?.text).join('; '));
  }

  /** Polls until the step has ended, in the phases of the engine, with waits in simulated time. */
  async function follow(step: ReturnType<Planned['command']['step']>, doing: string, receipt: Receipt | undefined) {
    let phase: keyof typeof phases = receipt === undefined ? 'reading' : 'accepted';
    let wasOffline = false;
    for (let looks = 1, elapsedMs = 0; ; looks++) {
      const found = await phases[phase]({
        step,
        doing,
        receipt,
        seen: { wasOffline },
        read: async () => readNow(),
        looks,
        elapsedMs,
        random: 0.5,
        usualMs: async () => [],
        isSeveral: false,
      });
      wasOffline ||= found.isOffline === true;
      if (found.kind === 'end') return found;
      if (found.kind === 'answering') throw new Error('no server of these commands is looked at');
      if (found.kind === 'verifying') {
        phase = 'verifying';
        looks = 0;
      } else {
        elapsedMs += found.ms;
        simulator.sim.advance(found.ms);
      }
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
    runCommand: async (line: string): Promise<Ran> => {
      const asked = await ask(line);
      if (asked.kind !== 'plan') throw unlike(line, asked);
      if (asked.plan.nothingToDo !== undefined) throw new Error(`${line}: ${asked.plan.nothingToDo}`);
      return run(asked);
    },
    writes: () => writesOf(simulator.sim),
  };
}

/** A step as it is read from its row. */
function stored(data: Json): Json {
  return JSON.parse(JSON.stringify(data));
}

const nobody = async () => {};
const hookUrl = 'https://hostler.example.com/hooks/json/h1.secret';

const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const noSettings: OwnSettings = { favorites: async () => new Set(), setFavorite: async () => 'same' };

const quietBot: BotReader = {
  version: '0.0.0',
  prober: noProber('this test has no servers'),
  savedPlans: async () => [],
  mayEditPlan: async () => {},
  checkName: async () => 'No name server was asked.',
  commands: () => [],
  whoCan: async () => ({ summary: '', parts: [] }),
  explain: async () => ({ summary: '', parts: [] }),
  policy: async () => undefined,
  peopleOf: async () => ({ admins: ['U0ADMIN'], membersOf: () => undefined, isAble: () => true }),
  policies: async () => new Map(),
  posture: async () => ({ isShared: false, isPrivate: true, teams: [] }),
  isAdmin: false,
  isPaused: false,
  whyNotStop: async () => undefined,
  named: async () => [],
  membership: async () => 'member',
  isHere: async () => true,
  operation: async () => undefined,
  decisions: async () => new Map(),
  operations: async () => [],
  byHour: async () => [],
  waitingForMe: async () => [],
  answers: async () => [],
  cardLinks: async () => new Map(),
  audit: async () => [],
  nameOf: async () => '@somebody',
  freezes: async () => [],
  mutes: async () => [],
  protections: async () => () => undefined,
  offAsUsual: async () => new Set(),
  protectedKeys: async () => new Set(),
  strikeSecrets: (text) => strikeSecrets(text),
  openedTickets: async () => [],
  hookAt: async (url) => (url === hookUrl ? { id: 'h1', channel: 'C1' } : undefined),
  alerts: {
    rules: [],
    subscription: async () => undefined,
    open: async () => [],
    since: async () => [],
    find: async () => [],
    hooks: async () => [],
    nextDigest: async () => 0,
    handover: async () => ({ sections: [], missing: [] }),
    isReachable: true,
    whyNoEvents: () => undefined,
  },
  zones: { versions: async () => [], records: async () => undefined, watched: async () => undefined },
};

const quietBotWriter: BotWriter = {
  savePlan: nobody,
  savePolicy: async () => true,
  confirmChannel: async () => true,
  freeze: async () => 'f1',
  unfreeze: async () => true,
  protect: nobody,
  unprotect: nobody,
  stopRequest: nobody,
  addOpenedTicket: nobody,
  alerts: {
    subscribe: async () => true,
    handOver: async () => true,
    addHook: async () => ({ id: 'h1', url: hookUrl }),
    revokeHook: async () => true,
  },
};
