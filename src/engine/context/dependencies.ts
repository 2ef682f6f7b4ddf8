import type { OptionSource as AnySource, Command } from '../../core/command/command.ts';
import type { EventPoster } from '../../core/command/event-poster.ts';
import type { NameServers } from '../../core/dns/asked.ts';
import type { Prober } from '../../core/probe/services.ts';
import type { AccountReader } from '../../provider/account-reader.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import type { Store } from '../../store/database.ts';
import type { AnyAlertRule } from './alerts-port.ts';
import type { Directory, Messenger } from './ports.ts';

/** Every command of the bot, with its own types hidden. */
export type AnyCommand = Command<Reader, Provider>;
export type AnyQuery = Extract<AnyCommand, { kind: 'query' }>;
export type AnyAction = Extract<AnyCommand, { kind: 'action' }>;

/** True for the command whose arguments are lines of other commands. */
export const isPlan = (command: AnyCommand) => command.kind === 'action' && command.isOfLines === true;

export type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>>;

/** Counts events for /metrics. */
interface Meter {
  readonly request: (command: string, outcome: string) => void;
  readonly operation: (command: string, end: string) => void;
  /** Time from the end of a job at the provider, as far as known, until the bot saw it. */
  readonly watched: (lagMs: number) => void;
}

export interface EngineSettings {
  readonly version: string;
  readonly admins: readonly string[];
  /** The present key and, during rotation, the previous one; 32 bytes each. Use them only through core/text/keys.ts. */
  readonly secretKeys: readonly [Uint8Array, ...Uint8Array[]];
  readonly requestsPerMinute: number;
  /** The bot's public address, without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** True while the bot reads and watches but begins nothing, as after a restore. */
  readonly isPaused: boolean;
  /** Secrets of the configuration, which are removed from every text. */
  readonly knownSecrets?: readonly string[];
  /** The channel for messages that cannot be shown in their own channel. */
  readonly auditChannel: string | undefined;
}

export interface EngineDeps {
  readonly store: Store;
  readonly provider: Provider;
  /** Waits for a write slot and resolves with the function that releases it; rejects when the bot stops. */
  readonly takeWriteSlot: () => Promise<() => void>;
  readonly reader: Reader;
  readonly accountReader: AccountReader;
  readonly commands: readonly AnyCommand[];
  readonly alertRules: readonly AnyAlertRule[];
  readonly optionSources: Readonly<Record<string, AnySource<Reader>>>;
  readonly directory: Directory;
  readonly messenger: Messenger;
  readonly settings: EngineSettings;
  /** Absent where no name server is asked. */
  readonly nameServers?: NameServers | undefined;
  readonly prober: Prober;
  readonly eventPoster: EventPoster;
  /** How long a server is probed after a change, if no policy says another time. */
  readonly answersWithinMs: number;
  readonly now: () => number;
  readonly log: Log;
  readonly meter: Meter;
}
