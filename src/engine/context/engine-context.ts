import type { Asking, ReadContext, WriteContext } from '../../core/command/command.ts';
import type { OwnSettings } from '../../core/command/own-settings.ts';
import type { View } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import type { AuditEntry } from '../../store/audit/audit-lines.ts';
import type { Access, AccessRequests, Policies, SshKeyOwners } from './access-port.ts';
import type { AlertsPort, OpenedTickets } from './alerts-port.ts';
import type { AnyAction, AnyCommand, EngineDeps } from './dependencies.ts';
import type { LastRead } from './last-read.ts';
import type { OutboxWriter } from './outbox.ts';
import type { Place } from './request.ts';

/** Everything that the rooms of the engine share. Built once, by hand, in engine.ts. */
export interface EngineContext extends EngineDeps {
  readonly policies: Policies;
  readonly sshKeyOwners: SshKeyOwners;
  readonly accessRequests: AccessRequests;
  readonly openedTickets: OpenedTickets;
  readonly outbox: OutboxWriter;
  readonly alerts: AlertsPort;
  readonly audit: (entry: AuditEntry) => Promise<void>;
  /**
   * `maxAgeMs`: how old what Slack said of them may be, when what is remembered is not good enough. `alsoGroups`: groups
   * to look up that the policy of the channel does not name.
   */
  readonly accessOf: (
    user: string,
    channel: string,
    maxAgeMs?: number,
    alsoGroups?: readonly string[],
  ) => Promise<Access>;
  /** The paths of the commands that a channel used most lately, the most used first. */
  readonly usedMost: (channel: string) => Promise<readonly string[]>;
  /** `/host` alone: the commands that this person may use here. */
  readonly menu: (access: Access, place: Place) => Promise<View>;
  /** For the answer to a read while the provider is away. */
  readonly lastRead: LastRead;
  /** For the answer to a read of this person. */
  readonly ownSettings: (user: string) => OwnSettings;
  readonly readContext: (asking: Asking, access: Access) => Promise<ReadContext<Reader>>;
  readonly writeContext: (asking: Asking, operation: string) => WriteContext<Provider>;
  /**
   * Makes the operation's next turn due now. A lost call delays it until the rows are checked next, and loses no
   * decision.
   */
  readonly wake: (operation: string) => void;
  /** The account's currency, as it was read lately. Undefined while it is unknown. */
  readonly currency: () => Promise<string | undefined>;
  /** Only goes forward: for durations inside this process (core/async/forward-clock.ts). */
  readonly elapsed: () => number;
  /** This process, in claims and leases. */
  readonly owner: string;
}

/** Undefined for a command of another version. */
export function commandAt(
  { commands }: Pick<EngineContext, 'commands'>,
  path: string | undefined,
): AnyCommand | undefined {
  return commands.find((known) => known.path === path);
}

export function actionAt(
  context: Pick<EngineContext, 'commands'>,
  { command }: { readonly command: string },
): AnyAction | undefined {
  const found = commandAt(context, command);
  return found?.kind === 'action' ? found : undefined;
}

/** The names of the account's domains, as far as they are in memory: parsing a line waits for no request. */
export function domainsOf({ accountReader }: Pick<EngineContext, 'accountReader'>): readonly string[] {
  return accountReader.peek()?.domains.map((domain) => domain.name) ?? [];
}
