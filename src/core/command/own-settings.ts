/** Settings that a person keeps for themselves: the answer to a read may change these and nothing else. */
export interface OwnSettings {
  /** The ids of the servers that this person marked. They give no right: whoever shows them asks for each. */
  readonly favorites: () => Promise<ReadonlySet<string>>;
  readonly setFavorite: (order: string, isFavorite: boolean) => Promise<FavoriteChange>;
}

/** `same`: it was so before. `full`: the person has marked as many as possible. */
export type FavoriteChange = 'changed' | 'same' | 'full';

export const mostFavorites = 50;
export const tooManyFavorites = `You have ${mostFavorites} favorites, which is the most.`;
