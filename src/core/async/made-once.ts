/**
 * Things that are asked for again and again are made once. Help is the same for all who may do the same, and is worded, drawn and
 * written as JSON once for all of them: without that it does half of what bare Bolt does in a second (0.44, 0.48 and 0.57
 * in three runs of `npm run bench -- rate`), with it three quarters (0.71, 0.72 and 0.78).
 */

/** Keeps what was made of an object for as long as the object lives. */
export function madeOnce<Of extends object, Made extends object>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, Made>();
  return (of) => {
    const past = known.get(of);
    if (past !== undefined) return past;
    const made = make(of);
    known.set(of, made);
    return made;
  };
}

const mostKeys = 100;

/** Keeps what was made for a key; all of it goes when there are more keys than usual. */
export function madeOnceFor<Made extends object>(): (key: string, make: () => Made) => Made {
  const known = new Map<string, Made>();
  return (key, make) => {
    const made = known.get(key) ?? make();
    if (known.size >= mostKeys) known.clear();
    known.set(key, made);
    return made;
  };
}
