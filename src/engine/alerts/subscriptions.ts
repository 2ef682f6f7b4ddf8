import { type Subscription, subscriptionSchema } from '../../core/alert.ts';
import type { Store } from '../../store/database.ts';
import { createSettings } from '../../store/settings.ts';

export interface Subscriptions {
  readonly get: (channel: string) => Promise<Subscription | undefined>;
  readonly all: () => Promise<ReadonlyMap<string, Subscription>>;
  /** Only if it is still at this version; 0 is a channel without one. */
  readonly save: (channel: string, subscription: Subscription, expectedVersion: number) => Promise<boolean>;
}

/** What each channel wants to be told, in Keyv. Every save is a compare-and-set on the version that was shown. */
export function createSubscriptions(store: Store): Subscriptions {
  const settings = createSettings(store, 'alerts');
  return {
    get: async (channel) => {
      const found = await settings.get(channel);
      return found === undefined ? undefined : subscriptionSchema.parse(found);
    },
    all: async () =>
      new Map([...(await settings.all())].map(([channel, found]) => [channel, subscriptionSchema.parse(found)])),
    save: (channel, subscription, expectedVersion) =>
      settings.change(channel, (found) => {
        const before = found === undefined ? 0 : subscriptionSchema.parse(found).version;
        return before === expectedVersion ? { ...subscription, version: expectedVersion + 1 } : undefined;
      }),
  };
}
