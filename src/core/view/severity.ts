import { signs } from './signs.ts';

/** Severities of alerts, in ascending order. */
export const severities = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** The sign of each severity; the title after it says what is wrong. */
export const severitySigns: Readonly<Record<Severity, string>> = {
  info: signs.neutral,
  warning: signs.warning,
  critical: signs.bad,
};
