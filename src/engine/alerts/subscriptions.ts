import type { Store } from '../../store/database.ts';
import type { Subscriptions } from '../context/alerts-port.ts';

/**
 * Stores the subscription of each channel. One that this version cannot read, as after a downgrade, stops only the
 * alerts of its channel. Every save is a compare-and-set on the shown version.
 */
export function createSubscriptions({ values }: Pick<Store, 'values'>): Subscriptions {
  return {
    get: (channel) => values.get('subscription', channel),
    all: async () => (await values.each('subscription')).values,
    each: () => values.each('subscription'),
    save: (channel, subscription, expectedVersion) =>
      values.change('subscription', channel, (before) =>
        (before?.version ?? 0) === expectedVersion ? { ...subscription, version: expectedVersion + 1 } : undefined,
      ),
  };
}
