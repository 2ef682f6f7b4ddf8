import { z } from 'zod';
import { projectTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { withoutStar } from '../without-star.ts';

/** The provider's limits of lengths, checked before anything is sent. */
export const projectName = withoutStar(
  z
    .string()
    .trim()
    .min(1, 'a name that is not empty')
    .max(40, 'at most 40 characters long')
    .regex(/^\P{Cc}*$/u, 'one line'),
);

export const projectComment = z.string().trim().max(256, 'at most 256 characters long');

export const projectStep = z.object({ id: z.number(), name: z.string() });

/** Refuses a name in use, which the provider would accept although it would become ambiguous. */
export function sayTaken(twin: { id: number; name: string }, may: ReadContext<unknown>['may']): string {
  return may('read', projectTarget(twin))
    ? `There is a project called ${twin.name} already (${twin.id}).`
    : 'Another project has this name already.';
}
