import { z } from 'zod';
import { targetSchema } from '../../core/account/account.ts';
import type { ObservedKind } from '../../core/alert/alert.ts';
import { subscriptionSchema } from '../../core/alert/alert-subscription.ts';
import { postureSchema, ticketSchema } from '../../core/command/bot-port.ts';
import { endMentions, reminderWays } from '../../core/command/own-settings.ts';
import { grantable, policySchema } from '../../core/policy/policy.ts';
import { probedSchema } from '../../core/probe/services.ts';
import { dayHoursSchema } from '../../core/text/day-hours.ts';
import type { Json } from '../../core/text/json.ts';

/** Values that stay until they are removed. */
const lasting = {
  /** The policy of a channel, in Keyv (policies.ts). Key: the channel. */
  policy: z.object({
    policy: policySchema,
    /** The channel's posture when an admin last confirmed its rights; null until it is first read. */
    posture: postureSchema.nullable(),
    /** Organizations that joined, according to events: Slack does not list them for every channel. */
    joined: z.array(z.string()).exactOptional(),
  }),
  /** The saved plans of a channel, in Keyv (saved-plans.ts). Key: the channel. */
  plans: z.array(z.object({ name: z.string(), lines: z.array(z.string()).readonly(), by: z.string(), at: z.number() })),
  /** The alerts of a channel. Key: the channel. */
  subscription: subscriptionSchema,
  /** A refused person's request to the admins for the missing right. Key: the same for a repeated request. */
  accessRequest: z.object({
    id: z.string(),
    user: z.string(),
    channel: z.string(),
    capability: z.enum(grantable),
    targets: z.array(targetSchema).readonly(),
    /** The line as typed. */
    line: z.string(),
    /** The admins who received it; if absent, all admins. */
    admins: z.array(z.string()).exactOptional(),
    at: z.number(),
    end: z
      .object({
        how: z.enum(['granted', 'declined', 'expired']),
        by: z.string().nullable(),
        why: z.string(),
        at: z.number(),
        isTold: z.boolean(),
      })
      .nullable(),
  }),
  /** A protection that a person set; null once it is removed: the audit has who removed it. Key: the key of the target. */
  protection: z
    .object({ target: z.string(), why: z.string(), by: z.string(), channel: z.string(), since: z.number() })
    .nullable(),
  /** A ticket opened here, since the API does not list tickets. Key: its id. */
  ticket: ticketSchema,
  /** The notifications that a person chose. Key: the person. */
  notifications: z.object({
    /** Direct messages about requests that wait for this person's approval. Stored under older names than others. */
    isOn: z.boolean().default(true),
    /** For an admin: direct messages about requests for access. */
    access: z.boolean().default(true),
    ends: z.enum(endMentions).default('usual'),
    /** Absent until chosen: then as for the first direct message. */
    reminders: z.enum(reminderWays).exactOptional(),
    /** The person's quiet hours, in their time zone in Slack. */
    quiet: dayHoursSchema.nullable().default(null),
  }),
  /** A person's favorite servers. Key: the person. */
  favorites: z.object({ orders: z.array(z.string()) }),
  /** The last opening of a person's Home, and what it shows. Key: the person. */
  home: z.object({ at: z.number(), filter: z.string().default('all'), page: z.int().default(1) }),
} as const;

/** Values that are pruned a month after they were written. */
const monthly = {
  /** The last check of an alert rule. Key: the rule's name. */
  looked: z.null(),
  /** The time since which an alert rule cannot read, and why; null once it can. */
  blind: z.object({ since: z.number(), why: z.string() }).nullable(),
  /** Notes of the sweep: `done`, and `skipped` with the last interval. */
  sweep: z.number(),
  /** The last check of a rule's target. Key: `power:<order>`. */
  turn: z.null(),
  /** The login of a new server is stored for the requester. Key: the operation. */
  sealed: z.null(),
  /** A person accepted the value with this hash as the usual one. Key: `power:<order>`. */
  accepted: z.object({ by: z.string(), seen: z.string() }),
  /** A request about an open alert, and whether the alert's thread has its end. Key: `<alert>:<operation>`. */
  attempt: z.object({ operation: z.string(), isPosted: z.boolean() }),
  /** The services that a server answered when it was last seen to answer. Key: the order. */
  answered: z.object({ services: z.array(probedSchema), silentSince: z.number().nullable(), learnedAt: z.number() }),
  /** The last complete reading of all zones. Key: `all`. */
  zones: z.null(),
  /** A new server. Key: its order. */
  created: z.object({ id: z.string(), name: z.string(), address: z.string(), plan: z.string(), by: z.string() }),
} as const;

/** The value that a rule observed, and the usual one. */
const observation = z.object({ usual: z.custom<Json>(), seen: z.custom<Json>() });

/**
 * Values that are pruned a year later: a bot that was offline for a month still has the usual values of its rules, and
 * a canceled order may exist for that long.
 */
const yearly = {
  /** The request that canceled an order still there; null once its end was announced or it is kept. Key: the order. */
  leaving: z.object({ order: z.string(), operation: z.string(), card: z.string().nullable() }).nullable(),
  power: observation,
  zone: observation,
  traffic: observation,
  api: observation,
  cancel: observation,
} as const satisfies Record<ObservedKind | 'leaving', z.ZodType>;

/** All kinds of values: the schema reads the stored value, and the group says how long it is kept. */
export const valueKinds = { ...lasting, ...monthly, ...yearly };
export type ValueKind = keyof typeof valueKinds;
export type ValueOf<Kind extends ValueKind> = z.infer<(typeof valueKinds)[Kind]>;

export const prunedKinds = { monthly: Object.keys(monthly), yearly: Object.keys(yearly) };
