import { z } from 'zod';
import { madeOnce } from './made-once.ts';

/**
 * An operation parses responses of the provider and rows of ours many times, and a list of the account has hundreds of items.
 * The function that zod writes for a schema does it in a quarter of the time (docs/performance.md). Writing it takes about
 * a millisecond, so that is left until a schema is first used. What does not fit goes through the schema itself after
 * that, for its words; so a transformation must have no effect but its value.
 */
const compile = madeOnce((schema: z.ZodType) => z.compile(schema));

/** A schema that is made anew for each call would be compiled anew each time: it has to be one that is made once. */
export function compiled<Schema extends z.ZodType>(schema: Schema): Schema {
  // zod returns the schema's own type, which the table of all schemas does not keep.
  return compile(schema) as Schema;
}
