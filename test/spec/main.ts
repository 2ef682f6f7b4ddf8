import { parseArgs } from 'node:util';
import type { Act } from '../simulate/acts.ts';
import { explore, faultsOf } from '../simulate/explore.ts';
import type { Choose } from '../simulate/scheduler.ts';
import { realNow } from '../simulate/virtual-world.ts';
import { play, type World } from '../simulate/world.ts';
import { twoApprove } from '../simulate/worlds.ts';
import { createObserver } from './observe.ts';
import { accept, findBrokenPromise, makeTraces, openQuint, type TraceStep } from './quint.ts';

/**
 * `npm run test:spec -- [--runs 300] [--traces 60] [--histories 30] [--seed 1]`: looks for a run of spec/request.qnt that
 * breaks a promise, plays runs of the page in the engine, and asks the page whether it allows what the engine did.
 */

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '300' },
    traces: { type: 'string', default: '60' },
    histories: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    page: { type: 'string' },
  },
});
const seed = Number(values.seed);

interface Played {
  readonly name: string;
  readonly actions: readonly string[];
}

/** An action of the page as an act of a person; undefined for the bot's own, and for kills, which are played below. */
function actOf({ action, who }: TraceStep): Act | undefined {
  if (action === 'ask') return { do: 'say', who: 'operator', line: 'restart web-1' };
  if (action === 'approve' || action === 'decline') return { do: 'vote', who, vote: action };
  if (action === 'withdraw') return { do: 'vote', who: 'operator', vote: 'withdraw' };
  if (action === 'stop') return { do: 'vote', who: 'operator', vote: 'stop' };
  if (action === 'leaveGroup') return { do: 'leave group', who };
  if (action === 'freeze') return { do: action };
  return undefined;
}

/** Plays a run of the page: what people do comes when the rows say what they say there, or when the bot rests. */
async function playTrace(trace: readonly TraceStep[], n: number): Promise<Played> {
  const acts: { readonly act: Act; readonly at: TraceStep | undefined }[] = [];
  for (const [place, step] of trace.entries()) {
    const act = actOf(step);
    if (act !== undefined) acts.push({ act, at: trace[place - 1] });
  }
  const isLost = trace.some(({ action }) => action === 'lose');
  const world: World = {
    name: `trace ${n}`,
    replicas: 1,
    areActsLate: true,
    policy: twoApprove,
    threads: [acts.map(({ act }) => act)],
    faults: isLost ? [{ kind: 'lose', match: 'POST /vps/{order_id}/restart/', times: 1 }] : [],
  };
  const observer = createObserver();
  let done = 0;
  const choose: Choose = (open) => {
    const place = open.findIndex(({ isAct }) => isAct);
    const next = acts[done]?.at;
    const { state, write } = observer.rows();
    if (place < 0 || next === undefined || next.state !== state || next.write !== write) return undefined;
    done++;
    return place;
  };
  const seen = await play(world, choose, { watch: observer.watch });
  mustBeFaultless(`${JSON.stringify(world.threads)}\n${observer.actions.join(', ')}\n`, seen);
  return { name: world.name, actions: observer.actions };
}

function mustBeFaultless(name: string, seen: Parameters<typeof faultsOf>[0]): void {
  const [fault] = faultsOf(seen);
  if (fault !== undefined) throw new Error(`${name}: ${fault.rule}: ${fault.what}`);
}

/** Histories of small worlds in other orders than the usual one. */
async function playOrders(count: number): Promise<Played[]> {
  const sides: Act[] = [
    { do: 'freeze' },
    { do: 'leave group', who: 'lead' },
    { do: 'vote', who: 'operator', vote: 'withdraw' },
  ];
  const played: Played[] = [];
  for (const side of [...sides, { do: 'kill' } as const]) {
    const threads: Act[][] = [
      [{ do: 'say', who: 'operator', line: 'restart web-1' }],
      [{ do: 'vote', who: 'lead', vote: 'approve' }],
      [{ do: 'vote', who: 'reader', vote: 'approve' }],
      [side],
    ];
    const world: World = {
      name: `approved, and ${side.do}`,
      replicas: side.do === 'kill' ? 1 : 2,
      policy: twoApprove,
      threads,
    };
    const observe = () => {
      const observer = createObserver();
      played.push({ name: world.name, actions: observer.actions });
      return observer.watch;
    };
    const { failure } = await explore(world, {
      untilMs: realNow() + 600_000,
      mostHistories: Math.ceil(count / 4),
      observe,
    });
    if (failure !== undefined) mustBeFaultless(world.name, failure.seen);
  }
  return played;
}

const quint = await openQuint(values.page);
try {
  await quint.run('typecheck', 'request.qnt');
  await findBrokenPromise(quint, Number(values.runs), seed);
  console.log(`${values.runs} runs of the page by seed ${seed}: no promise was broken.`);
  const wanted = Number(values.traces);
  const traces = (wanted === 0 ? [] : await makeTraces(quint, wanted, seed)).filter((trace) => trace.some(actOf));
  const fromPage: Played[] = [];
  for (const [n, trace] of traces.entries()) fromPage.push(await playTrace(trace, n));
  const sent = fromPage.filter(({ actions }) => actions.includes('send')).length;
  console.log(`${traces.length} runs of the page were played in the engine; ${sent} came to a write.`);
  const orders = Number(values.histories) === 0 ? [] : await playOrders(Number(values.histories));
  await accept(
    quint,
    [...fromPage, ...orders].map(({ actions }) => actions),
  );
  console.log(`The page allows what the engine did in these, and in ${orders.length} other histories of it.`);
} finally {
  await quint.close();
}
process.exit(0);
