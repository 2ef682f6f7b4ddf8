import { z } from 'zod';
import { type Rule, waitMsOf } from '../policy/policy.ts';
import type { Plan } from './plan.ts';

/** A standing approval allows runs of one request until its end. */
const standingSchema = z.object({
  /** The hours that return. */
  weekly: z.object({ days: z.array(z.number()), hours: z.number(), minutes: z.number(), timeZone: z.string() }),
  until: z.number(),
  /** The budget. */
  mostRuns: z.number(),
  /** The hours of the runs so far. */
  ran: z.array(z.number()),
});
export type StandingApproval = z.infer<typeof standingSchema>;

/** The standing approval under which a request runs. */
const runSchema = z.object({
  of: z.string(),
  /** Counts from 1. */
  n: z.number(),
  mostRuns: z.number(),
  /** The people whose votes count for it. */
  by: z.array(z.string()),
});

/** The timing of a request for a later hour, and its fallback if it cannot begin then. */
export const timingSchema = z.object({
  /** The hour as typed, read in `timeZone`; the name of a maintenance window; empty if the rule chose the hour. */
  words: z.string(),
  timeZone: z.string(),
  /** The longest delay after the hour with which it still begins by itself. */
  graceMs: z.number(),
  /** Whether it waits for the end of a freeze or ends as refused. */
  ifFrozen: z.enum(['refuse', 'wait']),
  /** The maintenance window in which it begins, and the end of the span that it waits for or began in. */
  window: z.object({ name: z.string(), words: z.string(), until: z.number() }).exactOptional(),
  /** Since when it has waited for the end of a freeze, and which. */
  frozen: z.object({ since: z.number(), why: z.string() }).exactOptional(),
  repeat: standingSchema.exactOptional(),
  run: runSchema.exactOptional(),
});
export type Timing = z.infer<typeof timingSchema>;

/**
 * The countdown before a request. 0 for a change of the bot itself, and for one that can be withdrawn until it takes
 * effect.
 */
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
