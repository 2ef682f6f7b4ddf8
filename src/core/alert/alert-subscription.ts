import { z } from 'zod';
import { patternSchema, subjectSchema } from '../policy/policy.ts';
import { dayHoursSchema } from '../text/day-hours.ts';
import { day } from '../text/words.ts';

/** The people to mention when a critical alert of a rule is posted; in quiet hours only with `always`. */
const pingSchema = z.strictObject({
  to: z.array(z.strictObject({ subject: subjectSchema, name: z.string() })).min(1),
  always: z.boolean(),
});
export type Ping = z.infer<typeof pingSchema>;

/** The hours of the digest on the clocks of a time zone. None is posted for an hour before `since`, when it was set. */
const digestSchema = z.strictObject({
  days: z.array(z.int().min(0).max(6)).min(1).max(7),
  hours: z.int().min(0).max(23),
  minutes: z.int().min(0).max(59),
  timeZone: z.string(),
  since: z.int(),
});
export type Digest = z.infer<typeof digestSchema>;

/** A channel's alert subscription, stored by channel id. */
export const subscriptionSchema = z.strictObject({
  version: z.int().min(0).default(0),
  /** The IANA time zone of the quiet hours: `Europe/Amsterdam`. */
  timeZone: z.string().default('UTC'),
  quiet: dayHoursSchema.nullable().default(null),
  /** Time after which an open alert is posted again; null is never. */
  remindMs: z.int().positive().nullable().default(null),
  /** How long a person stays on an alert. */
  acknowledgeMs: z.int().positive().default(day),
  digest: digestSchema.exactOptional(),
  rules: z
    .record(
      z.string(),
      z.strictObject({
        on: z.array(patternSchema).min(1).default(['all']),
        at: z.array(z.number()).default([]),
        ping: pingSchema.exactOptional(),
      }),
    )
    .default({}),
});
export type Subscription = z.infer<typeof subscriptionSchema>;
