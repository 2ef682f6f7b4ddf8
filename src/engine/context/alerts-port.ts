import type { Target } from '../../core/account/account.ts';
import type { AlertRule } from '../../core/alert/alert.ts';
import type { Subscription } from '../../core/alert/alert-subscription.ts';
import type { KeyedQueue } from '../../core/async/keyed-queue.ts';
import type { KnownTicket } from '../../core/command/bot.ts';
import type { Reader } from '../../provider/client.ts';
import type { ReadOnes } from '../../store/settings.ts';

export type AnyAlertRule = AlertRule<Reader>;

/** The interface of the alerts room for the other rooms of the engine. */
export interface AlertsPort {
  readonly rules: readonly AnyAlertRule[];
  readonly subscriptions: Subscriptions;
  /** Brings the channel's messages in line with its alerts. Calls that come together are one. */
  readonly publish: (channel: string) => Promise<void>;
  /** The same for events that come in floods: at once, and then at most once a second. */
  readonly publishSoon: (channel: string) => void;
  /** Serializes writers of one alert, which would otherwise make each other retry. */
  readonly oneAtATime: KeyedQueue;
  /** A request was asked for, or has ended: the alerts about its targets show it. */
  readonly attempted: (request: {
    readonly id: string;
    readonly createdAt: number;
    readonly plan: { readonly targets: readonly Target[] };
  }) => Promise<void>;
  /** Runs this rule now, for all channels that subscribed to it. */
  readonly look: (rule: string) => Promise<void>;
}

export interface Subscriptions {
  readonly get: (channel: string) => Promise<Subscription | undefined>;
  /** All that this version can read. */
  readonly all: () => Promise<ReadonlyMap<string, Subscription>>;
  readonly each: () => Promise<ReadOnes<Subscription>>;
  /** Only if it is still at this version; 0 is a channel without one. */
  readonly save: (channel: string, subscription: Subscription, expectedVersion: number) => Promise<boolean>;
}

/** Tickets opened through this bot. */
export interface OpenedTickets {
  readonly all: () => Promise<readonly KnownTicket[]>;
  readonly add: (ticket: KnownTicket) => Promise<void>;
}
