import { expressionToString } from '@informalsystems/quint/dist/src/ir/IRprinting.js';
import type { Page, PageState } from './page.ts';

/** Visits all states of the specification, those with the shortest path first. */

export interface Visited {
  readonly states: number;
  readonly transitions: number;
  /** The first state that breaks a promise; its path is the shortest. */
  readonly brokenAt: number | undefined;
  /** The actions from the start to a state. */
  readonly wayTo: (place: number) => readonly string[];
}

export interface Visitor {
  /** Called for each new state, with the place of the state that it was reached from. */
  readonly reached: (state: PageState, from: number, action: string) => void;
  readonly followed: (place: number, action: string) => void;
}

export function visitAll(page: Page, visitor?: Visitor): Visited {
  const keyOf = createKeys();
  const visited = new Set<string>();
  const ways: { readonly from: number; readonly action: string }[] = [];
  /** Visited states are dropped, since the key is enough to recognize a state. */
  const open: (PageState | undefined)[] = [];
  let transitions = 0;
  const wayTo = (place: number): string[] => {
    const way: string[] = [];
    for (let n = place; n > 0; n = ways[n]?.from ?? 0) way.push(ways[n]?.action ?? '');
    return way.reverse();
  };
  const reach = (state: PageState, from: number, action: string): void => {
    const key = keyOf(state);
    if (visited.has(key)) return;
    visited.add(key);
    ways.push({ from, action });
    open.push(state);
    visitor?.reached(state, from, action);
  };
  reach(page.start, 0, '');
  for (let place = 0; place < open.length; place++) {
    const state = open[place];
    if (state === undefined) continue;
    open[place] = undefined;
    if (!page.keepsPromises(state)) return { states: visited.size, transitions, brokenAt: place, wayTo };
    for (const next of page.following(state)) {
      transitions++;
      visitor?.followed(place, next.action);
      reach(next.state, place, next.action);
    }
  }
  return { states: visited.size, transitions, brokenAt: undefined, wayTo };
}

/** Makes short keys of states, since most actions change few variables. */
function createKeys(): (state: PageState) => string {
  const byValue = new WeakMap<PageState, number>();
  const byText = new Map<string, number>();
  const numberOf = (value: PageState): number => {
    const existing = byValue.get(value);
    if (existing !== undefined) return existing;
    const text = expressionToString(value.toQuintEx({ nextId: () => 0n }));
    const number = byText.get(text) ?? byText.size;
    byText.set(text, number);
    byValue.set(value, number);
    return number;
  };
  return (state) => [...state.toOrderedMap().values()].map(numberOf).join();
}
