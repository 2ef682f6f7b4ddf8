import type { Observed, RowStates } from './observe.ts';
import { rowsOf } from './page.ts';
import type { Visitor } from './visit.ts';

/** Records which actions the specification allows in each state of the rows, and which of them the engine has done. */

/** A path through the specification to a state, and its last action. */
export interface Way {
  readonly place: number;
  readonly last: string;
}

/** Actions of the outside that every path needs. */
const usual = /^(ask|approve|arrive\(true|endJob\(true)/;
const outside = /^(ask|approve|decline|withdraw|stop|freeze|leaveGroup|change|kill|arrive|endJob|vanish|loseAnswer)/;
const mostOthers = 2;

const nameOf = (action: string) => action.replace(/\(.*/, '');
const pairOf = ({ state, write }: RowStates, action: string) => `${state}/${write} ${nameOf(action)}`;

export function createCoverage() {
  /** The bot's actions, each with the state of the rows before it. */
  const allowed = new Set<string>();
  const seen = new Set<string>();
  const rows: RowStates[] = [];
  /** The actions of the outside on the path to each state. */
  const acts: string[] = [];
  const ways = new Map<string, Way>();
  const visitor: Visitor = {
    reached: (state, from, action) => {
      const before = acts[from] ?? '';
      acts.push(outside.test(action) && !usual.test(action) ? `${before} ${nameOf(action)}` : before);
      rows.push(rowsOf(state));
    },
    followed: (place, action) => {
      const at = rows[place];
      if (at === undefined || usual.test(action)) return;
      const pair = pairOf(at, action);
      const isOutside = outside.test(action);
      if (!isOutside) allowed.add(pair);
      const before = acts[place] ?? '';
      const key = isOutside ? `${before} ${pair}` : pair;
      if (before.split(' ').length <= mostOthers && !ways.has(key)) ways.set(key, { place, last: action });
    },
  };
  return {
    visitor,
    /**
     * One path for each pair of state and action; for actions of the outside, one for each combination with other ones.
     */
    ways: (): readonly Way[] =>
      [...ways.values()].sort((a, b) => Number(outside.test(a.last)) - Number(outside.test(b.last))),
    see: (actions: readonly Observed[]) => {
      for (const observed of actions) seen.add(pairOf(observed, observed.action));
    },
    allowed: () => allowed.size,
    unseen: () => [...allowed].filter((pair) => !seen.has(pair)).sort(),
  };
}
