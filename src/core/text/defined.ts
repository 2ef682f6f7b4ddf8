type Defined<T> = { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/** Drops undefined fields, which `exactOptionalPropertyTypes` distinguishes from missing ones. */
export function defined<T extends object>(fields: T): Defined<T> {
  // Object.fromEntries loses the types of the fields; only undefined fields are dropped.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
