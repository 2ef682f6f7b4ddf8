import type { Violation } from '../../sandbox/judge/judge.ts';
import type { Act } from '../simulate/acts.ts';
import { judged, playBySeed } from '../simulate/draw-order.ts';
import type { Choose } from '../simulate/scheduler.ts';
import { play, type World } from '../simulate/world.ts';
import { approve, renamed, restartRoute, twoApprove } from '../simulate/worlds.ts';
import { createObserver, type Observed } from './observe.ts';

/** Plays paths of the specification, and other orders, in the simulated engine. */

const hangs = { kind: 'nextJob', match: restartRoute, end: 'hang', times: 1 } as const;
/** By the wall clock, a hanging job lasts longer than the two hours in which it is polled. */
const sleeps: Act = { do: 'suspend', ms: 2.1 * 3_600_000, isOnceWatched: true };
/** Longer than the lease of a turn, but shorter than the other process needs to find that the write did not arrive. */
const standsStill: Act = { do: 'stand still', ms: 10_000 };
const asks = (line: string): Act => ({ do: 'say', who: 'operator', line });

/** Converts an action to an act; undefined for the bot's actions, and for the provider's, which are faults below. */
function actOf(action: string, line: string): Act | undefined {
  const [name = '', ...words] = action.split(/[("), ]+/);
  const who = words[0] ?? '';
  if (name === 'ask') return asks(line);
  if (name === 'approve' || name === 'decline') return { do: 'vote', who, vote: name };
  if (name === 'withdraw' || name === 'stop') return { do: 'vote', who: 'operator', vote: name };
  if (name === 'leaveGroup') return { do: 'leave group', who };
  if (name === 'change') return renamed;
  if (name === 'freeze' || name === 'kill') return { do: name };
  // The other process gives up waiting for the response, which arrives after all.
  if (name === 'giveUpWaiting') return standsStill;
  return undefined;
}

/** The provider's faults on the path: a refused write, a lost response, or a lost write. */
function faultsIn(actions: readonly string[], word: string): NonNullable<World['faults']> {
  const at = { match: `POST /vps/{order_id}/${word}/`, times: 1 } as const;
  if (actions.includes('arrive(false)')) return [{ ...at, kind: 'answer', status: 409, body: { detail: 'busy' } }];
  if (actions.includes('endJob(false)')) return [{ ...at, kind: 'nextJob', end: 'error' }];
  if (actions.includes('vanish')) return [{ ...at, kind: 'drop' }];
  return actions.some((action) => action.startsWith('loseAnswer')) ? [{ ...at, kind: 'lose' }] : [];
}

/** Plays the acts of a path, each when the rows have the state of the path, or when the bot is idle. */
export async function playWay(way: readonly Observed[]): Promise<readonly Observed[]> {
  const actions = way.map(({ action }) => action);
  // Reading can confirm a stop, but not a restart.
  const word = actions.includes('settle("unknown")') ? 'restart' : 'stop';
  const isOver = (n: number) => way.slice(0, n).some(({ action }) => /^(loseAnswer|kill)/.test(action));
  const acts = way.flatMap(({ action, state, write }, n) => {
    const act = actOf(action, `${word} web-1`);
    return act === undefined || (act.do === 'stand still' && isOver(n)) ? [] : [{ act, state, write }];
  });
  const world: World = {
    name: actions.join(', '),
    replicas: 2,
    areActsLate: true,
    policy: twoApprove,
    threads: [acts.map(({ act }) => act)],
    faults: faultsIn(actions, word),
  };
  const observer = createObserver();
  const choose: Choose = (open, steps) => {
    const place = open.findIndex(({ isAct }) => isAct);
    const next = acts[steps.filter(({ isAct }) => isAct).length];
    const { state, write } = observer.rows();
    if (place < 0 || next === undefined || next.state !== state || next.write !== write) return undefined;
    return place;
  };
  const seen = await play(world, choose, { watch: observer.watch });
  mustBeFaultless(`${world.name}\n${observer.actions.map(({ action }) => action).join(', ')}\n`, judged(seen));
  return observer.actions;
}

function mustBeFaultless(name: string, [fault]: readonly Violation[]): void {
  if (fault !== undefined) throw new Error(`${name}: ${fault.rule}: ${fault.what}`);
}

/** Plays small worlds in unusual orders. */
export async function playOrders(count: number): Promise<(readonly Observed[])[]> {
  const votes: Act[][] = [[approve('lead')], [approve('reader')]];
  const sides: readonly Pick<World, 'name' | 'threads' | 'faults'>[] = [
    { name: 'a freeze', threads: [...votes, [{ do: 'freeze' }]] },
    { name: 'one leaves', threads: [...votes, [{ do: 'leave group', who: 'lead' }]] },
    { name: 'withdrawn', threads: [...votes, [{ do: 'vote', who: 'operator', vote: 'withdraw' }]] },
    { name: 'stopped', threads: [...votes, [{ do: 'vote', who: 'operator', vote: 'stop' }]] },
    // The rename comes after a vote; renaming during the request's creation is a different case.
    { name: 'renamed', threads: [[approve('lead')], [approve('reader'), renamed]] },
    { name: 'a kill', threads: [...votes, [{ do: 'kill' }]] },
    { name: 'a job that hangs', faults: [hangs], threads: [[approve('lead')], [approve('reader'), sleeps]] },
  ];
  const played: (readonly Observed[])[] = [];
  for (const side of sides) {
    const world: World = {
      ...side,
      replicas: 2,
      policy: twoApprove,
      threads: [[asks('restart web-1')], ...side.threads],
    };
    for (let seed = 1; seed <= Math.ceil(count / sides.length); seed++) {
      const { watch, actions } = createObserver();
      const { violations } = await playBySeed(world, seed, { watch });
      mustBeFaultless(`${world.name}, seed ${seed}`, violations);
      played.push(actions);
    }
  }
  return played;
}
