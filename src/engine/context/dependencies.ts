import type { Account } from '../../core/account/account.ts';
import type { Command } from '../../core/command/command.ts';
import type { OptionSource as AnySource } from '../../core/command/option-source.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import type { Store } from '../../store/database.ts';
import type { AnyAlertRule } from './alerts-port.ts';
import type { Directory, Messenger } from './ports.ts';

/** Every command of the bot, with its own types hidden. */
export type AnyCommand = Command<Reader, Provider>;
export type AnyQuery = Extract<AnyCommand, { kind: 'query' }>;
export type AnyAction = Extract<AnyCommand, { kind: 'action' }>;

/** The account, by which names that people type are found; kept for seconds. */
export interface AccountReader {
  /** At most 30 s old; younger when asked for. */
  readonly read: (options?: { maxAgeMs?: number; staleOk?: boolean }) => Promise<Account>;
  /** Returns the account in memory, at any age. */
  readonly peek: () => Account | undefined;
  /**
   * The account in memory and a reader of the lists in memory, for an answer while the provider is away: it throws
   * `error` for the rest, and tells the time of everything it uses. Undefined until the account was read once.
   */
  readonly recall: (error: unknown, used: (readAt: number) => void) => Recalled | undefined;
  /** After a write. */
  readonly invalidate: () => void;
}

export interface Recalled {
  readonly account: () => Promise<Account>;
  readonly reader: Reader;
}

export type ReaderOptionSource = AnySource<Reader>;

export interface Log {
  readonly debug: (fields: object, message: string) => void;
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
  readonly error: (fields: object, message: string) => void;
}

/** Counted for /metrics; the engine does not know who listens. */
export interface Meter {
  readonly request: (command: string, outcome: string) => void;
  readonly operation: (command: string, end: string) => void;
  /** From the end of a job at the provider, as far as it is known, until the bot noticed it. */
  readonly watched: (lagMs: number) => void;
}

export interface EngineSettings {
  readonly version: string;
  readonly admins: readonly string[];
  /** 32 bytes each: the present one, and the one before while it is being rotated. Never used but through core/text/keys.ts. */
  readonly secretKeys: readonly [Uint8Array, ...Uint8Array[]];
  readonly requestsPerMinute: number;
  /** The bot's address from outside, without a slash at the end. */
  readonly publicUrl: string | undefined;
  /** The bot answers and watches, and begins nothing: for the time after a restore. */
  readonly isPaused: boolean;
  /** Secrets of the configuration, which are removed from every text. */
  readonly knownSecrets?: readonly string[];
  /** Gets messages that cannot be shown in their own channel. */
  readonly auditChannel: string | undefined;
}

export interface EngineDeps {
  readonly store: Store;
  readonly provider: Provider;
  /** Resolves, when a write may leave at once, with the function that ends that; rejects when the bot stops. */
  readonly takeWriteSlot: () => Promise<() => void>;
  readonly reader: Reader;
  readonly accountReader: AccountReader;
  readonly commands: readonly AnyCommand[];
  readonly alertRules: readonly AnyAlertRule[];
  readonly optionSources: Readonly<Record<string, ReaderOptionSource>>;
  readonly directory: Directory;
  readonly messenger: Messenger;
  readonly settings: EngineSettings;
  readonly now: () => number;
  readonly log: Log;
  readonly meter: Meter;
}
