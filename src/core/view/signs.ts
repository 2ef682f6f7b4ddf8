/** The signs before words, never alone: a word repeats each, for screen readers and people who do not see colors. */
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

/** Severities of alerts, in ascending order. */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** The sign of each severity; the title after it says what is wrong. */
export const severitySigns: Readonly<Record<Severity, string>> = {
  info: signs.neutral,
  warning: signs.warning,
  critical: signs.bad,
};
