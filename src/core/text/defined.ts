type Defined<T> = { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/** The fields that have a value: `exactOptionalPropertyTypes` tells a field that is undefined from one that is missing. */
export function defined<T extends object>(fields: T): Defined<T> {
  // Object.fromEntries loses which value belongs to which name; only undefined fields are left out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}
