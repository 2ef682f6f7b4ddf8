import { type Arg, option, optional, withDefault } from '../core/command/args.ts';

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
