/** A value that each process of tests makes once, at its first use. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}
