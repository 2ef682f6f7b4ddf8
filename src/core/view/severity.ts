import { signs } from './signs.ts';

/** Severities of alerts, in ascending order. */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** The sign of each severity; `severityWords` has the word after it. */
export const severitySigns: Readonly<Record<Severity, string>> = {
  info: signs.neutral,
  warning: signs.warning,
  critical: signs.bad,
};
export const severityWords: Readonly<Record<Severity, string>> = {
  info: 'note',
  warning: 'warning',
  critical: 'critical',
};
