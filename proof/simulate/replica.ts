import { answerInProcess, type ProviderReply } from '../../sandbox/provider/in-process.ts';
import type { createSimulatedProvider } from '../../sandbox/provider/server.ts';
import { sources } from '../../src/commands/option-sources.ts';
import { createAccountReader } from '../../src/engine/context/account-reader.ts';
import type { Directory } from '../../src/engine/context/ports.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { Runs } from '../../src/engine/run/runs.ts';
import { createProvider, readerOf } from '../../src/provider/client.ts';
import { recordHost } from '../../src/provider/endpoints/dns.ts';
import { createInventory } from '../../src/provider/inventory.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { openStore } from '../../src/store/database.ts';
import { isUnchangingList, type Unchanging } from './coarse.ts';
import { forgetWhatIsOver } from './forget.ts';
import type { Room } from './room.ts';
import type { Scheduler } from './scheduler.ts';
import type { SharedDatabase } from './store.ts';
import { actors, asTask, beginKnowing, observe, tasks } from './tasks.ts';
import type { Version } from './versions.ts';
import { virtualNow } from './virtual-world.ts';

/** One process of the bot: the real engine, store and client, whose every statement and call waits until it is chosen. */

/** The order of web-1, the one server that people change by hand. */
export const changedServer = '34-12345';
const nameAlone = new Set(['name']);

/** True when the name of that server may be asked for or told. */
function namesServer(path: string, body: Uint8Array | string | undefined, reply: ProviderReply | undefined): boolean {
  if (body !== undefined || reply === undefined) return true;
  return reply.text.includes('"name"') && `${path}${reply.text}`.includes(changedServer);
}

export interface SimulatedReplicaOptions {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly database: SharedDatabase;
  readonly provider: ReturnType<typeof createSimulatedProvider>;
  readonly version: Version;
  readonly room: Room;
  readonly directory: Directory;
  readonly runs: Runs;
  /** Called when the provider was sent a write. */
  readonly onWrite: () => void;
  /** Called with what the process may keep in its memory when the piece of work is over. */
  readonly remember: (what: string, answer: string) => void;
  readonly unchanging: Unchanging;
  readonly admins: readonly string[];
  readonly timeScale: number;
  readonly complaints: string[];
  /** Started with HOSTLER_PAUSED. */
  readonly isPaused: boolean;
}

export type SimulatedReplica = Awaited<ReturnType<typeof startReplica>>;

export function startReplica(options: SimulatedReplicaOptions) {
  const { name, scheduler, database, provider, room, complaints, version } = options;
  return asTask(name, 'start', async () => {
    const opened = await openStore(':memory:', { now: virtualNow, build: version.build, dialect: database.wayFor() });
    await database.remember();
    const transport = createTransport({
      baseUrl: 'http://provider.example/api',
      apiKey: provider.key,
      retryDelayMs: 5,
      exchange: async ({ method, path, headers, body, mayStillSend }) => {
        const isWrite = method !== 'GET';
        const [, order] = /\/(\d+-\d+)\//.exec(path) ?? [];
        // These lists name no server and no job.
        const [list] = /^\/api\/(dns\/domain|project)\/\?/.exec(path) ?? [];
        const isUnchanging = scheduler.areStepsCoarse && isUnchangingList(path);
        const row = order ?? list ?? (isUnchanging ? path : undefined);
        await scheduler.atUnlessPart(`${method} ${path}`, isUnchanging);
        if (isWrite && mayStillSend?.() === false) return { end: 'unsent', error: new Error('not sent: too late') };
        const earlier = isWrite ? provider.sim.requests().length : 0;
        // The provider's jobs go on when the process that asked for them is killed.
        const reply = await actors.run('provider', () =>
          tasks.exit(() => answerInProcess(provider.exchange, { method, path, headers, body })),
        );
        if (isWrite && provider.sim.requests().length > earlier) options.onWrite();
        scheduler.touch({
          ...{ name: 'provider', isWrite, ...(row !== undefined && { row }) },
          ...(!namesServer(path, body, reply) && { columns: { but: nameAlone } }),
        });
        // A reply on its way is part of the state, also while it has not arrived.
        const answer = `${reply?.status} ${reply?.text}`;
        if (isUnchanging) options.unchanging.compare(path, answer);
        observe(`${method} ${path}`, answer);
        await scheduler.atUnlessPart(`answer to ${method} ${path}`, !isWrite);
        // Single servers and jobs are read anew each time.
        if (!isWrite && !/\/(orders\/\d|log_details)/.test(path)) options.remember(`${method} ${path}`, answer);
        if (reply === undefined) return { end: 'unanswered', error: new Error('the connection was reset') };
        return { end: 'answered', ...reply, broken: undefined, isTooLong: false };
      },
    });
    const client = createProvider(transport);
    const reader = readerOf(client);
    const complain = (fields: object, message: string) => {
      const cause = 'err' in fields && fields.err instanceof Error ? `: ${fields.err.stack}` : '';
      complaints.push(`${name}: ${message}${cause}`);
    };
    /** For each operation the row with which its next turn begins. */
    const rows = new Map<string, string>();
    const store = forgetWhatIsOver(opened, name, (operation, row) => rows.set(operation, row));
    const turns = new Map<string, () => void>();
    // A turn depends on the row with which it begins, and on whether another one was asked for meanwhile.
    const noteTurn = (fields: object, message: string) => {
      const operation = 'operation' in fields ? String(fields.operation) : '';
      if (message === 'another turn follows') options.remember(`another turn of ${operation}`, 'yes');
      if (message === 'a turn begins' || message === 'no turn follows') {
        turns.get(operation)?.();
        options.remember(`another turn of ${operation}`, 'no');
      }
      if (message !== 'a turn begins') return;
      turns.set(operation, beginKnowing(`turn of ${operation}`, rows.get(operation) ?? ''));
    };
    const running = createEngine(
      {
        store,
        provider: client,
        takeWriteSlot: transport.takeWriteSlot,
        reader,
        accountReader: createAccountReader(createInventory(reader, { now: virtualNow }), recordHost),
        commands: version.commands,
        alertRules: [],
        optionSources: sources,
        directory: options.directory,
        messenger: room.messenger,
        settings: {
          version: '0.0.0-test',
          admins: options.admins,
          secretKeys: [new Uint8Array(32).fill(7)],
          requestsPerMinute: 1_000,
          publicUrl: undefined,
          isPaused: options.isPaused,
          auditChannel: undefined,
        },
        now: virtualNow,
        log: { debug: noteTurn, info: () => {}, warn: () => {}, error: complain },
        meter: { request: () => {}, operation: () => {}, watched: () => {} },
      },
      { runs: options.runs, timeScale: options.timeScale },
    );
    await running.start();
    room.deliver(running.outbox);
    return { name, version, engine: running.engine, store };
  });
}
