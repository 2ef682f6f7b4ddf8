import type { AlertRule } from '../../core/alert/alert-rule.ts';
import type { KeyedQueue } from '../../core/async/keyed-queue.ts';
import type { ShownPlan } from '../../core/plan/plan.ts';
import type { When } from '../../core/plan/when.ts';
import type { Reader } from '../../provider/client.ts';

export type AnyAlertRule = AlertRule<Reader>;

/** The interface of the alerts room for the other rooms of the engine. */
export interface AlertsPort {
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
    readonly plan: Pick<ShownPlan, 'parts' | 'targets'>;
    readonly when: When;
  }) => Promise<void>;
  /** Runs this rule now for all subscribed channels. */
  readonly checkNow: (rule: string) => Promise<void>;
}
