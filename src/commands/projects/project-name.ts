import { z } from 'zod';
import { projectTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { Refusal } from '../../core/view/errors.ts';
import { oneLine, withoutStar } from '../without-star.ts';

/** The provider's limits of lengths, checked before anything is sent. */
export const projectName = withoutStar(oneLine(40).min(1, 'a name that is not empty'));

export const projectComment = z.string().trim().max(256, 'at most 256 characters long');

export const projectStep = z.object({ id: z.number(), name: z.string() });

/** Refuses a name in use, which the provider would accept although it would become ambiguous. */
export function mustBeFree(
  wanted: string,
  others: readonly { readonly id: number; readonly name: string }[],
  may: ReadContext['may'],
): void {
  const twin = others.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (twin === undefined) return;
  const field = 'name';
  if (!may('read', projectTarget(twin)))
    throw new Refusal('bad_value', 'Another project has this name already.', { hint: 'Choose another name.', field });
  throw new Refusal('bad_value', `There is a project called ${twin.name} already (${twin.id}).`, {
    hint: 'Choose another name, or add orders to that one.',
    suggestions: [{ label: `Show ${twin.name}`, command: `project show ${twin.id}` }],
    field,
  });
}
