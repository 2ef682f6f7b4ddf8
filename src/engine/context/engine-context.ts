import type { Alert } from '../../core/alert/alert.ts';
import type { Asking, ReadContext, WriteContext } from '../../core/command/command.ts';
import type { OwnSettings } from '../../core/command/own-settings.ts';
import type { View } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import type { Balance } from '../../provider/endpoints/account.ts';
import type { ProviderOrder } from '../../provider/endpoints/orders.ts';
import type { PowerStatus } from '../../provider/endpoints/vps-orders.ts';
import type { ItemList } from '../../provider/items.ts';
import type { AuditEntry } from '../../store/audit/audit-lines.ts';
import type { NewMessage } from '../../store/records/message-row.ts';
import type { Access, Policies } from './access-port.ts';
import type { AlertsPort } from './alerts-port.ts';
import type { AnyAction, AnyCommand, EngineDeps } from './dependencies.ts';
import type { OutboxWriter } from './outbox.ts';
import type { Place } from './request.ts';

/** Everything that the rooms of the engine share. Built once, by hand, in engine.ts. */
export interface EngineContext extends EngineDeps {
  readonly policies: Policies;
  readonly outbox: OutboxWriter;
  readonly alerts: AlertsPort;
  /** The events of alerts, as messages of the outbox. */
  readonly eventsOf: (alerts: readonly Alert[]) => readonly NewMessage[];
  readonly audit: (entry: AuditEntry) => Promise<boolean>;
  /** `maxAgeMs`: of Slack data, if below the cache's. `alsoGroups`: those that the channel's policy does not name. */
  readonly accessOf: (
    user: string,
    channel: string,
    maxAgeMs?: number,
    alsoGroups?: readonly string[],
  ) => Promise<Access>;
  /** The paths of the commands used most in a channel lately, in descending order. */
  readonly usedMost: (channel: string) => Promise<readonly string[]>;
  /** The answer to `/host` alone: the commands that this person may use here. */
  readonly menu: (access: Access, place: Place) => Promise<View>;
  /** The last reads, for responses while the provider is unavailable. */
  readonly lastRead: LastRead;
  readonly ownSettings: (user: string) => OwnSettings;
  readonly readContext: (asking: Asking, access: Access) => Promise<ReadContext<Reader>>;
  readonly writeContext: (asking: Asking, operation: string) => WriteContext<Provider>;
  /** Makes the operation's next turn due now. A lost call only delays the turn until the next poll of the rows. */
  readonly wake: (operation: string) => void;
  /** The account's currency as last read; undefined while unknown. */
  readonly currency: () => Promise<string | undefined>;
  /** A monotonic clock for durations within this process (core/async/forward-clock.ts). */
  readonly elapsed: () => number;
  /** The id of this process in claims and leases. */
  readonly owner: string;
}

/** The command of a stored request or form; undefined for a command of another version. */
export function commandAt(context: EngineContext, path: string | undefined): AnyCommand | undefined {
  return context.commands.find((candidate) => candidate.path === path);
}

export function actionAt(context: EngineContext, { command }: { readonly command: string }): AnyAction | undefined {
  const match = commandAt(context, command);
  return match?.kind === 'action' ? match : undefined;
}

/** The person's time zone; undefined if Slack does not say it. */
export async function timeZoneOf({ directory }: Pick<EngineContext, 'directory'>, user: string) {
  return (await directory.person(user).catch(() => undefined))?.timeZone;
}

/** The names of the account's domains in memory: parsing a line never waits for the provider. */
export function domainsOf({ accountReader }: EngineContext): readonly string[] {
  return accountReader.peek()?.domains.map((domain) => domain.name) ?? [];
}

/** The last reads for Home, each with its time. */
export interface LastRead {
  readonly power: (server: string) => PowerRead | undefined;
  readonly balance: () => BalanceRead | undefined;
}

export interface PowerRead {
  readonly power: PowerStatus;
  readonly readAt: number;
}

export interface BalanceRead {
  readonly balance: Balance;
  /** Orders marked for cancellation, which will not be billed again. */
  readonly marked: ItemList<ProviderOrder>;
  readonly readAt: number;
}
