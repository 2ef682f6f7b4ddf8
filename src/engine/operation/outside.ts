import { z } from 'zod';
import type { PublishedAnswer } from '../../core/plan/plan.ts';
import { type Json, toJson } from '../../core/text/json.ts';

/** How far the world sees a change of DNS records: kept in the row of the request after its end. */

const publishedSchema: z.ZodType<PublishedAnswer> = z.object({
  domain: z.string(),
  host: z.string(),
  type: z.string(),
  change: z.enum(['added', 'changed', 'removed', 'ttl']),
});

/** `none` is no answer, or one that proves nothing. */
const heardSchema = z.enum(['same', 'other', 'none']);
export type Heard = z.infer<typeof heardSchema>;

const serverSchema = z.object({
  domain: z.string(),
  name: z.string(),
  heard: heardSchema.nullable(),
  /** Why there was no answer. */
  why: z.string().exactOptional(),
});
export type HeardServer = z.infer<typeof serverSchema>;

export const outsideSchema = z.object({
  published: z.array(publishedSchema),
  /** The number of further changed answers that the bot does not check. */
  left: z.number(),
  /** Empty until the zones were read. */
  questions: z.array(
    z.object({
      domain: z.string(),
      host: z.string(),
      type: z.string(),
      /** The hash of the records that the zone has there. */
      expected: z.string(),
      /** The seconds that an answer must have, if only they changed. */
      ttl: z.number().nullable(),
    }),
  ),
  /** One for each zone of each name server. */
  servers: z.array(serverSchema),
  /** The time at which all name servers had answered it. */
  seenAt: z.number().nullable(),
  /**
   * `changed`: the records were changed again meanwhile. `unasked`: the name servers could not be asked. `none`: the zone's
   * servers do not answer for these names, such as those of a delegation.
   */
  verdict: z.enum(['following', 'seen', 'late', 'changed', 'unasked', 'none']),
});
export type Outside = z.infer<typeof outsideSchema>;

const mostQuestions = 10;

/** The state at the end of a request, before anything was asked. */
export function outsideOf(published: readonly PublishedAnswer[]): Json {
  const first: Outside = {
    published: published.slice(0, mostQuestions),
    left: Math.max(0, published.length - mostQuestions),
    questions: [],
    servers: [],
    seenAt: null,
    verdict: 'following',
  };
  return toJson(first);
}
