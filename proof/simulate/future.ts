import { type Footprint, meet } from './footprints.ts';

/** Lists the steps that may follow from a state, as far as they may be in a race with those before it. */

export interface Edge {
  readonly footprint: Footprint;
  /** The points whose name the step changed: the one before by the one after it; undefined for those that came up in it. */
  readonly renamed: ReadonlyMap<string, string | undefined>;
  readonly to: Place;
}

/** A state with what was taken there. */
export interface Place {
  readonly taken: ReadonlyMap<string, Edge | undefined>;
  /** Kept where there are several ways, once it was asked for: when everything that follows was played. */
  future?: readonly Later[] | undefined;
}

/** A step that may follow. */
export interface Later {
  readonly footprint: Footprint;
  /** The points, open in the state, without which it does not come. */
  readonly roots: readonly string[];
  /** Footprints of the steps after which it comes each time. */
  readonly past: ReadonlySet<Footprint>;
}

/** Lists the steps that may follow from a state; those that touch the same and wait for the same are one. */
export function futureOf(place: Place): readonly Later[] {
  // Kept for places with several ways alone: most places have one, and their lists would fill the memory.
  const known = new Map<Place, readonly Later[]>();
  const read = (one: Place) => one.future ?? known.get(one);
  // Without recursion: a history has more steps than the stack has room for.
  const waiting: Place[] = [place];
  for (let last = waiting.at(-1); last !== undefined; last = waiting.at(-1)) {
    const open = [...last.taken.values()].flatMap((edge) => (edge && read(edge.to) === undefined ? [edge.to] : []));
    if (open.length > 0) {
      waiting.push(...open);
      continue;
    }
    waiting.pop();
    const found = read(last) ?? gather(last, read);
    if (last.taken.size > 1) last.future = found;
    else known.set(last, found);
  }
  return read(place) ?? [];
}

function gather({ taken }: Place, read: (place: Place) => readonly Later[] | undefined): readonly Later[] {
  const found = new Map<string, Later>();
  for (const [name, edge] of taken) {
    if (edge === undefined) continue;
    add(found, { footprint: edge.footprint, roots: [name], past: none });
    for (const later of read(edge.to) ?? []) add(found, lift(later, name, edge));
  }
  return [...found.values()];
}

const none: ReadonlySet<Footprint> = new Set();

function add(found: Map<string, Later>, later: Later): void {
  const key = `${later.footprint} ${later.roots.join('\n')}`;
  const known = found.get(key);
  if (known === undefined) found.set(key, later);
  else if (known !== later && !known.past.isSubsetOf(later.past))
    found.set(key, { ...known, past: known.past.intersection(later.past) });
}

/** The same step as it is seen from before another one. */
function lift(later: Later, name: string, { footprint, renamed }: Edge): Later {
  const roots = new Set<string>();
  let isAfter = meet(footprint, later.footprint);
  let isRenamed = false;
  for (const root of later.roots) {
    const earlier = renamed.has(root) ? renamed.get(root) : root;
    if (earlier === undefined) isAfter = true;
    else roots.add(earlier);
    isRenamed ||= earlier !== root;
  }
  isAfter ||= later.past.values().some((one) => meet(one, footprint));
  if (!isAfter) return isRenamed ? { ...later, roots: [...roots].sort() } : later;
  roots.add(name);
  const past = later.past.has(footprint) ? later.past : new Set(later.past).add(footprint);
  return { footprint: later.footprint, roots: [...roots].sort(), past };
}
