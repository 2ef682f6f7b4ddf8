import { answerInProcess } from '../../sandbox/provider/in-process.ts';
import type { createSimulatedProvider } from '../../sandbox/provider/server.ts';
import type { loadCommands } from '../../src/commands/load-commands.ts';
import { sources } from '../../src/commands/option-sources.ts';
import { noProber } from '../../src/core/probe/services.ts';
import type { Directory } from '../../src/engine/context/ports.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { recordingZones } from '../../src/engine/zones/zone-recorder.ts';
import { noEvents } from '../../src/outside/event-poster.ts';
import { createAccountReader } from '../../src/provider/account-reader.ts';
import { createProvider, readerOf } from '../../src/provider/client.ts';
import { createInventory } from '../../src/provider/inventory.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { openStore } from '../../src/store/database.ts';
import type { Room } from './room.ts';
import type { Scheduler } from './scheduler.ts';
import type { SharedDatabase } from './store.ts';
import { runAs, virtualNow } from './virtual-world.ts';

/**
 * A process of the bot: the real engine, store and client. Each statement and call waits until the scheduler chooses
 * it.
 */

export interface SimulatedReplicaOptions {
  readonly name: string;
  readonly scheduler: Scheduler;
  readonly database: SharedDatabase;
  readonly provider: ReturnType<typeof createSimulatedProvider>;
  readonly commands: Awaited<ReturnType<typeof loadCommands>>;
  readonly room: Room;
  readonly directory: Directory;
  /** Called when a write was sent to the provider. */
  readonly onWrite: () => void;
  readonly admins: readonly string[];
  readonly timeScale: number;
  readonly complaints: string[];
  /** True if started with HOSTLER_PAUSED. */
  readonly isPaused: boolean;
}

export type SimulatedReplica = Awaited<ReturnType<typeof startReplica>>;

export function startReplica(options: SimulatedReplicaOptions) {
  const { name, scheduler, database, provider, room, complaints, commands } = options;
  return runAs(name, async () => {
    const store = await openStore(':memory:', { now: virtualNow, dialect: database.wayFor() });
    await database.remember();
    const transport = createTransport({
      baseUrl: 'http://provider.example/api',
      apiKey: provider.key,
      retryDelayMs: 5,
      exchange: async ({ method, path, headers, body, mayStillSend }) => {
        const isWrite = method !== 'GET';
        await scheduler.at(`${method} ${path}`);
        if (isWrite && mayStillSend?.() === false) return { end: 'unsent', error: new Error('not sent: too late') };
        const earlier = isWrite ? provider.sim.requests().length : 0;
        // The provider's jobs continue after their process is killed.
        const reply = await runAs('provider', () =>
          answerInProcess(provider.exchange, { method, path, headers, body }),
        );
        if (isWrite && provider.sim.requests().length > earlier) options.onWrite();
        await scheduler.at(`answer to ${method} ${path}`);
        if (reply === undefined) return { end: 'unanswered', error: new Error('the connection was reset') };
        return { end: 'answered', ...reply, broken: undefined, isTooLong: false };
      },
    });
    const client = createProvider(transport);
    const complain = (fields: object, message: string) => {
      const cause = 'err' in fields && fields.err instanceof Error ? `: ${fields.err.stack}` : '';
      complaints.push(`${name}: ${message}${cause}`);
    };
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: complain };
    const reader = recordingZones(readerOf(client), { store, now: virtualNow, log });
    const running = createEngine(
      {
        store,
        provider: client,
        takeWriteSlot: transport.takeWriteSlot,
        reader,
        accountReader: createAccountReader(createInventory(reader, { now: virtualNow })),
        commands,
        alertRules: [],
        eventPoster: noEvents,
        prober: noProber('simulated'),
        answersWithinMs: 1,
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
        log,
        meter: { request: () => {}, operation: () => {}, watched: () => {} },
      },
      { timeScale: options.timeScale },
    );
    await running.start();
    room.deliver(running.outbox);
    return { name, engine: running.engine, store };
  });
}
