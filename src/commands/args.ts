import { z } from 'zod';
import { type Arg, type CommonArg, integer, option, optional, text, withDefault } from '../core/command/args.ts';

/** Arguments that several commands have, and how an argument is declared that may be missing. */

type Make<C, T> = (common: C) => Arg<T>;

/** Declares an argument that may be missing: `optionalOf(text)({ hint: 'Part of a name.' })`. */
export function optionalOf<C, T>(make: Make<C, T>): Make<C, T | undefined> {
  return (common) => optional(make(common));
}

/** Declares one that is typed with its name as well. */
export function optionOf<C, T>(make: Make<C, T>): Make<C, T | undefined> {
  return (common) => option(make(common));
}

/** Declares one that has its usual value if it is missing. */
export function defaultOf<C, T>(make: Make<C, T>): Make<C & { readonly usual: NoInfer<T> }, T> {
  return (common) => withDefault(make(common), common.usual);
}

const idSchema = z.string().regex(/^[a-z0-9]{4,32}$/i, 'the id of a request');

/** The id of a request; accepts capitals. */
export const requestId = (common: CommonArg) => text({ ...common, schema: idSchema.toLowerCase() });

/** The number of concurrent steps of a request. */
export const parallelOf = (things: 'orders' | 'servers') =>
  defaultOf(integer)({
    hint: `How many ${things} at a time. The default is one after another.`,
    min: 1,
    max: 10,
    place: 'option',
    usual: 1,
  });
