/** A person's own settings, the only ones that a read may change. */
export interface OwnSettings {
  /** The ids of this person's favorite servers. A favorite grants no right: callers must check each. */
  readonly favorites: () => Promise<ReadonlySet<string>>;
  /** `same`: unchanged. `full`: the person has the maximum number of favorites. */
  readonly setFavorite: (order: string, isFavorite: boolean) => Promise<'changed' | 'same' | 'full'>;
}

/** The ends for which the thread mentions the requester; `trouble`: every end but done. */
export const endMentions = ['usual', 'trouble', 'never'] as const;

/** How a person is reminded of a request that waits for their vote. */
export const reminderWays = ['direct', 'thread', 'none'] as const;
export type ReminderWay = (typeof reminderWays)[number];

export const mostFavorites = 50;
export const tooManyFavorites = `You have ${mostFavorites} favorites, which is the most.`;
