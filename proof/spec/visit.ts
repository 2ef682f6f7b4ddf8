import { expressionToString } from '@informalsystems/quint/dist/src/ir/IRprinting.js';
import type { Page, PageState } from './page.ts';

/** Visits every state of the page, those with the shortest way first. */

export interface Visited {
  readonly states: number;
  readonly transitions: number;
  /** The first state in which a promise is broken; its way is the shortest one. */
  readonly brokenAt: number | undefined;
  /** The actions that lead to a state from the start. */
  readonly wayTo: (place: number) => readonly string[];
}

export interface Visitor {
  /** A state that was not known, by its place, and from which one it was reached. */
  readonly reached: (state: PageState, from: number, action: string) => void;
  readonly followed: (place: number, action: string) => void;
}

export function visitAll(page: Page, visitor?: Visitor): Visited {
  const keyOf = createKeys();
  const known = new Set<string>();
  const ways: { readonly from: number; readonly action: string }[] = [];
  /** A state is dropped once it was visited: its key is enough to know it again. */
  const open: (PageState | undefined)[] = [];
  let transitions = 0;
  const wayTo = (place: number): string[] => {
    const way: string[] = [];
    for (let n = place; n > 0; n = ways[n]?.from ?? 0) way.push(ways[n]?.action ?? '');
    return way.reverse();
  };
  const reach = (state: PageState, from: number, action: string): void => {
    const key = keyOf(state);
    if (known.has(key)) return;
    known.add(key);
    ways.push({ from, action });
    open.push(state);
    visitor?.reached(state, from, action);
  };
  reach(page.start, 0, '');
  for (let place = 0; place < open.length; place++) {
    const state = open[place];
    if (state === undefined) continue;
    open[place] = undefined;
    if (!page.keepsPromises(state)) return { states: known.size, transitions, brokenAt: place, wayTo };
    for (const next of page.following(state)) {
      transitions++;
      visitor?.followed(place, next.action);
      reach(next.state, place, next.action);
    }
  }
  return { states: known.size, transitions, brokenAt: undefined, wayTo };
}

/** Short keys: most actions leave most variables as they were. */
function createKeys(): (state: PageState) => string {
  const byValue = new WeakMap<PageState, number>();
  const byText = new Map<string, number>();
  const numberOf = (value: PageState): number => {
    const found = byValue.get(value);
    if (found !== undefined) return found;
    const text = expressionToString(value.toQuintEx({ nextId: () => 0n }));
    const number = byText.get(text) ?? byText.size;
    byText.set(text, number);
    byValue.set(value, number);
    return number;
  };
  return (state) => [...state.toOrderedMap().values()].map(numberOf).join();
}
