import type { Target } from '../../core/account/account.ts';
import type { AlertRule, AlertSummary } from '../../core/alert/alert.ts';
import type { Subscription } from '../../core/alert/alert-subscription.ts';
import type { KeyedQueue } from '../../core/async/keyed-queue.ts';
import type { Timing } from '../../core/plan/timing.ts';
import type { Reader } from '../../provider/client.ts';
import type { ReadOnes } from '../../store/records/values.ts';

export type AnyAlertRule = AlertRule<Reader>;

/** The interface of the alerts room for the other rooms of the engine. */
export interface AlertsPort {
  readonly rules: readonly AnyAlertRule[];
  readonly subscriptions: Subscriptions;
  /** Updates the channel's messages to its alerts. Concurrent calls are merged. */
  readonly publish: (channel: string) => Promise<void>;
  /** Like `publish`, for bursts of events: at once, then at most once a second. */
  readonly publishSoon: (channel: string) => void;
  /** Serializes writers of one alert, which would otherwise make each other retry. */
  readonly oneAtATime: KeyedQueue;
  /** Shows a new or ended request on the alerts that offer it. */
  readonly attempted: (request: {
    readonly id: string;
    readonly command: string;
    readonly createdAt: number;
    readonly startedAt: number | null;
    readonly plan: { readonly targets: readonly Target[] };
    readonly timing: Timing | null;
  }) => Promise<void>;
  /** Open alerts about these targets, by their keys, of all channels; the most urgent first. */
  readonly openAbout: (
    targets: ReadonlySet<string>,
  ) => Promise<readonly (AlertSummary & { readonly channel: string })[]>;
  /** Runs this rule now for all subscribed channels. */
  readonly checkNow: (rule: string) => Promise<void>;
}

export interface Subscriptions {
  readonly get: (channel: string) => Promise<Subscription | undefined>;
  /** All subscriptions that this version can read. */
  readonly all: () => Promise<ReadonlyMap<string, Subscription>>;
  readonly each: () => Promise<ReadOnes<Subscription>>;
  /** Saves only if the stored subscription has `expectedVersion`; 0 means no subscription. */
  readonly save: (channel: string, subscription: Subscription, expectedVersion: number) => Promise<boolean>;
}
