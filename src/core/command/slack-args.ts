import { z } from 'zod';
import { type Arg, type CommonArg, check, scalar } from './args.ts';

/** Arguments that only Slack can give a value to: people and files. */

/** A person, as Slack writes one when it is chosen from the list, `@U012AB3CD`, or by the name that was typed, `@lead`. */
export function person(common: CommonArg): Arg<string> {
  const schema = z
    .string()
    .regex(/^@?[\p{L}\p{N}._-]+$/u, 'a person, written with @ and chosen from the list')
    .transform((word) => word.replace(/^@/, ''));
  return { ...scalar<string>(common, 'person', ([word = '']) => check(schema, word)) };
}

/**
 * An uploaded file, by the id Slack gave it; its bytes come from `context.file`. `types` are endings such as `png`. Only
 * a form gives it: the bot reads files of all conversations it is in, and a typed id could name any of them.
 */
export function file(common: Omit<CommonArg, 'place'> & { types: readonly string[] }): Arg<string> {
  const { types, ...rest } = common;
  const schema = z.string().regex(/^F[A-Z0-9]+$/, 'a file, uploaded in the form');
  const arg = scalar<string>({ ...rest, place: 'form' }, 'file', ([word = '']) => check(schema, word));
  return { ...arg, options: types.map((type) => ({ value: type, label: type })) };
}
