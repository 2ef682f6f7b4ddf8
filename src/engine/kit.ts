import type { Asking, ReadContext, WriteContext } from '../core/command.ts';
import type { Json } from '../core/json.ts';
import type { Provider, Reader } from '../provider/client.ts';
import type { AlertsRoom } from './alerts/room.ts';
import type { Footing } from './decide.ts';
import type { EngineDeps } from './deps.ts';
import type { Messages } from './messages.ts';
import type { Policies } from './policies.ts';

/** What the rooms of the engine share. Built once, by hand, in engine.ts. */
export interface Kit {
  readonly deps: EngineDeps;
  readonly policies: Policies;
  readonly messages: Messages;
  readonly alerts: AlertsRoom;
  readonly audit: (entry: AuditEntry) => Promise<void>;
  /** `maxAgeMs`: how old what Slack said of them may be, when what is remembered is not good enough. */
  readonly footing: (user: string, channel: string, maxAgeMs?: number) => Promise<Footing>;
  readonly readContext: (asking: Asking, footing: Footing) => Promise<ReadContext<Reader>>;
  readonly writeContext: (asking: Asking, operation: string) => WriteContext<Provider>;
  /** Lets the carrier take the operation's next turn now; a lost call costs until the next sweep, never a decision. */
  readonly wake: (operation: string) => void;
  /** Starts carrying a new operation. */
  readonly carry: (operation: string) => Promise<void>;
  /** This process, in claims and leases. */
  readonly owner: string;
}

export interface AuditEntry {
  readonly kind: string;
  readonly actor?: string | undefined;
  readonly channel?: string | undefined;
  readonly operation?: string | undefined;
  /** One sentence, as `/host audit` shows it. */
  readonly text: string;
  readonly data?: { readonly [key: string]: Json };
  /** Nothing was changed. */
  readonly isRead?: true;
  /** Left out when the operation has a line of one of these kinds already, or the very same: what a crash repeats. */
  readonly unlessThere?: readonly string[] | 'same';
}

/** The names of the account's domains, as far as they were read: reading a typed line waits for nothing. */
export function domainsOf({ deps }: Pick<Kit, 'deps'>): readonly string[] {
  return deps.world.peek()?.domains.map((domain) => domain.name) ?? [];
}
