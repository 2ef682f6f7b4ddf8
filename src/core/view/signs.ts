/**
 * The signs beside words. A sign is never alone: the word says the same, for people who do not see colors and for
 * screen readers.
 */
export const signs = {
  good: '🟢',
  bad: '🔴',
  warning: '🟡',
  neutral: '⚪',
  waiting: '⏳',
  done: '✅',
  favorite: '★',
} as const;
