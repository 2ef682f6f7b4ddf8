import { z } from 'zod';
import { type Arg, type CommonArg, check, scalar } from './args.ts';

/** Arguments whose values come from Slack: people and files. */

/** A person, as `@U012AB3CD` when chosen from Slack's list, or by a typed name, `@lead`. */
export function person(common: CommonArg): Arg<string> {
  const schema = z
    .string()
    .regex(/^@?[\p{L}\p{N}._-]+$/u, 'a person, written with @ and chosen from the list')
    .transform((word) => word.replace(/^@/, ''));
  return { ...scalar<string>(common, 'person', ([word = '']) => check(schema, word)) };
}

/**
 * An uploaded file, by its Slack id; `context.file` reads its bytes. `types` are extensions such as `png`. Only a form
 * may set it: the bot can read files of all its conversations, and a typed id could name any of them.
 */
export function file(common: Omit<CommonArg, 'place'> & { types: readonly string[] }): Arg<string> {
  const { types, ...rest } = common;
  const schema = z.string().regex(/^F[A-Z0-9]+$/, 'a file, uploaded in the form');
  const arg = scalar<string>({ ...rest, place: 'form' }, 'file', ([word = '']) => check(schema, word));
  return { ...arg, options: types.map((type) => ({ value: type, label: type })) };
}
