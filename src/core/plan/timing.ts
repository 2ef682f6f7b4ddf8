import { z } from 'zod';

/** How a request for a later hour was made, and what happens if it cannot begin then. */
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
});
export type Timing = z.infer<typeof timingSchema>;
