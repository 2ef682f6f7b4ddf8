/**
 * The signs before words. A sign is never alone: a word repeats it for people who do not see colors and for screen
 * readers.
 */
export const signs = {
  good: '🟢',
  bad: '🔴',
  warning: '🟡',
  neutral: '⚪',
  waiting: '⏳',
  counting: '⌛',
  done: '✅',
  favorite: '★',
  notFavorite: '☆',
  protected: '📌',
  broken: '🔨',
} as const;

/** The button that makes a server a favorite of a person, or no favorite again. */
export function favoriteLabel(isFavorite: boolean): string {
  return `${isFavorite ? signs.favorite : signs.notFavorite} Favorite`;
}
