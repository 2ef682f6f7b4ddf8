import { subscriptionSchema } from '../../core/alert/alert-subscription.ts';
import type { Store } from '../../store/database.ts';
import { createSettings } from '../../store/settings.ts';
import type { Subscriptions } from '../context/alerts-port.ts';

/**
 * Stores the subscription of each channel. One that this version cannot read, as after a downgrade, stops only the
 * alerts of its channel. Every save is a compare-and-set on the shown version.
 */
export function createSubscriptions(store: Store): Subscriptions {
  const settings = createSettings(store, 'alerts', subscriptionSchema);
  return {
    get: settings.get,
    all: async () => (await settings.each()).values,
    each: settings.each,
    save: (channel, subscription, expectedVersion) =>
      settings.change(channel, (before) =>
        (before?.version ?? 0) === expectedVersion ? { ...subscription, version: expectedVersion + 1 } : undefined,
      ),
  };
}
