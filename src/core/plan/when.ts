import { z } from 'zod';
import { type Rule, waitMsOf } from '../policy/policy.ts';
import type { Plan } from './plan.ts';

/** The begin of a request: `now`, at an hour, in a maintenance window, week by week, or as a run of such a week. */

/** The maintenance window in which it begins, and the end of the span that it waits for or began in. */
const windowSchema = z.object({ name: z.string(), words: z.string(), until: z.number() });

/** The hour of a request that waits for it, and its fallback if it cannot begin then. */
const waitingSchema = z.object({
  /** The hour as typed, read in `timeZone`; the name of a maintenance window; empty if the rule chose the hour. */
  words: z.string(),
  timeZone: z.string(),
  /** The longest delay after the hour with which it still begins by itself. */
  graceMs: z.number(),
  /** Whether it waits for the end of a freeze or ends as refused. */
  ifFrozen: z.enum(['refuse', 'wait']),
  /** Since when it has waited for the end of a freeze, and which. */
  frozen: z.object({ since: z.number(), why: z.string() }).exactOptional(),
});

/** A standing approval: it allows runs of one request until its end. */
const weeklySchema = waitingSchema.extend({
  kind: z.literal('weekly'),
  /** The hours that return. */
  weekly: z.object({ days: z.array(z.number()), hours: z.number(), minutes: z.number(), timeZone: z.string() }),
  until: z.number(),
  /** The budget. */
  mostRuns: z.number(),
  /** The hours of the runs so far. */
  ran: z.array(z.number()),
});

/** A run under the standing approval of another request. */
const runSchema = waitingSchema.extend({
  kind: z.literal('run'),
  of: z.string(),
  /** Counts from 1. */
  n: z.number(),
  mostRuns: z.number(),
  /** The people whose votes count for it. */
  by: z.array(z.string()),
});

export const whenSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('now') }),
  waitingSchema.extend({ kind: z.literal('at') }),
  waitingSchema.extend({ kind: z.literal('window'), window: windowSchema }),
  weeklySchema,
  runSchema,
]);
export type When = z.infer<typeof whenSchema>;

/** The hour at which it begins, or the next one; null if it begins once it is decided. */
export interface Hour {
  readonly startsAt: number | null;
  readonly when: When;
}
export const atOnce: Hour = { startsAt: null, when: { kind: 'now' } };

export type Waiting = z.infer<typeof waitingSchema>;
export type WeeklyWhen = z.infer<typeof weeklySchema>;

/** Whether it waits for the end of a freeze that holds at its hour. */
export function isPatient(when: When): boolean {
  return when.kind !== 'now' && when.ifFrozen === 'wait';
}

/** The countdown before a request; 0 for a change of the bot, and for one that can be withdrawn before its effect. */
export function coolingMsOf({
  rule,
  plan,
}: {
  readonly rule: Rule;
  readonly plan: Pick<Plan<unknown>, 'isRevocable' | 'targets'>;
}): number {
  const destroys = plan.isRevocable !== true && plan.targets.some(({ kind }) => kind !== 'channel');
  return destroys ? waitMsOf(rule) : 0;
}
