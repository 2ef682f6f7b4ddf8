import { z } from 'zod';

/** The broken glass of a request: a person whom the policy names ran it without its approvals. */

export const glassSchema = z.object({
  by: z.string(),
  at: z.number(),
  why: z.string(),
  /** Why it does not count any longer, such as a lost right. */
  isVoid: z.string().exactOptional(),
  /** `by` is null if nothing was done, so that there was nothing to find. */
  closed: z.object({ by: z.string().nullable(), at: z.number(), found: z.string() }).exactOptional(),
});
export type Glass = z.infer<typeof glassSchema>;

/** True if it stands in for the approvals. */
export function isGlassBroken({ glass }: { readonly glass: Glass | null }): boolean {
  return glass !== null && glass.isVoid === undefined;
}
