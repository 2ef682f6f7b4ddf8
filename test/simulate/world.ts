import { emptyHistory, type History, type SealedLine, type SeenAct } from '../../sandbox/judge/history.ts';
import { createSimulatedProvider } from '../../sandbox/provider/server.ts';
import type { ProviderControl } from '../../sandbox/provider/sim.ts';
import { loadCommands } from '../../src/commands/all.ts';
import { endStates } from '../../src/core/operation.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { Vote } from '../../src/core/view.ts';
import { createPolicies } from '../../src/engine/access/policies.ts';
import type { Place, Request } from '../../src/engine/context/request.ts';
import type { Runs } from '../../src/engine/run/runs.ts';
import { createFakeSlack, ops, opsGroup, people } from '../support/fake-slack.ts';
import { seenWrites } from '../support/writes.ts';
import { type SimulatedReplica, startReplica } from './replica.ts';
import { createRoom } from './room.ts';
import { type Choose, createScheduler, type Step } from './scheduler.ts';
import { openSharedDatabase } from './store.ts';
import { actors, advanceTo, install, resetWorld, virtualNow } from './virtual-world.ts';

install();
const commands = await loadCommands();

/** One thing that somebody does when they can: a line, a click, a change behind the bot's back, a kill. */
export type Act =
  | { readonly do: 'say'; readonly who: string; readonly line: string; readonly times?: number }
  | { readonly do: 'press'; readonly who: string; readonly label: string; readonly times?: number }
  /** A decision on the newest request, whatever buttons its card shows. */
  | { readonly do: 'vote'; readonly who: string; readonly vote: Vote; readonly times?: number }
  | { readonly do: 'kill' }
  | { readonly do: 'by hand'; readonly what: string; readonly change: (sim: ProviderControl) => void }
  | { readonly do: 'leave group'; readonly who: string }
  | { readonly do: 'deactivate'; readonly who: string }
  /** All processes stand still, as a machine that sleeps. */
  | { readonly do: 'suspend'; readonly ms: number };

export interface World {
  readonly name: string;
  readonly replicas: number;
  readonly policy: Policy;
  /** Acts of one list happen one after the other; the lists are independent of each other. */
  readonly threads: readonly (readonly Act[])[];
  readonly faults?: readonly Parameters<ProviderControl['fault']>[0][];
}

export interface Seen {
  readonly history: History;
  readonly steps: readonly Step[];
  /** Errors that the processes logged. */
  readonly complaints: readonly string[];
  /** False: it came to no rest within the steps that a history may have. */
  readonly isComplete: boolean;
}

/** Lost answers are read for five minutes in life, and killed processes keep their claims for a minute. */
const timeScale = 0.02;
const mostSteps = 6_000;
const restMs = 3_000;

/** Plays one history: the same decisions make the same one. */
export async function play(world: World, choose: Choose, seed = 1): Promise<Seen> {
  resetWorld(seed);
  const scheduler = createScheduler(choose);
  const room = createRoom(scheduler);
  const provider = createSimulatedProvider({ key: 'simulated-key', jobMs: 40 });
  for (const fault of world.faults ?? []) provider.sim.fault(fault);
  const database = await openSharedDatabase(scheduler);
  const slack = createFakeSlack();
  const group = slack.groups.get(opsGroup) ?? new Set<string>();
  for (const id of [people.lead, people.reader]) if (id !== undefined) group.add(id);
  const acts: SeenAct[] = [];
  const groups = [{ at: 0, group: opsGroup, members: [...group] }];
  const left: History['people'][number][] = [];
  const complaints: string[] = [];
  const replicas: SimulatedReplica[] = [];
  let kills = 0;
  let count = 0;

  const isAlive = ({ name }: SimulatedReplica) => !scheduler.isDead(name);
  const takers = new Map<string, (operation: string) => Promise<void>>();
  const runsOf = (name: string): Runs => ({
    isLocal: false,
    ask: async (operation) => {
      const alive = [...takers].filter(([taker]) => !scheduler.isDead(taker));
      const [taker, take] = alive[count++ % Math.max(1, alive.length)] ?? [];
      if (taker !== undefined && take !== undefined)
        actors.run(taker, () => void take(operation).catch(() => undefined));
    },
    start: async (take) => {
      takers.set(name, take);
    },
    stop: async () => {},
  });
  const directory: typeof slack.directory = {
    ...slack.directory,
    person: async (user, maxAgeMs) => {
      await scheduler.at(`Slack: who is ${user}`);
      scheduler.touch({ name: 'people', isWrite: false });
      return slack.directory.person(user, maxAgeMs);
    },
    groupMembers: async (id, maxAgeMs) => {
      await scheduler.at(`Slack: who is in ${id}`);
      scheduler.touch({ name: 'people', isWrite: false });
      return slack.directory.groupMembers(id, maxAgeMs);
    },
  };
  const startOne = async (name: string): Promise<void> => {
    const admins = [people.admin ?? ''];
    const options = { name, scheduler, database, provider, commands, room, directory, admins, timeScale, complaints };
    replicas.push(await startReplica({ ...options, runs: runsOf(name) }));
  };

  let isSettingUp = true;
  const setUp = (async () => {
    await startOne('bot-1');
    const [first] = replicas;
    if (first === undefined) throw new Error('no process started');
    await actors.run('bot-1', () => createPolicies(first.store, directory).save(ops, world.policy, 0));
    for (let n = 2; n <= world.replicas; n++) await startOne(`bot-${n}`);
    isSettingUp = false;
  })();

  const waiting: { readonly until: () => boolean; readonly resolve: () => void }[] = [];
  const until = (predicate: () => boolean): Promise<void> =>
    predicate() ? Promise.resolve() : new Promise((resolve) => waiting.push({ until: predicate, resolve }));
  const wakeThreads = () => {
    for (const one of [...waiting]) {
      if (!one.until()) continue;
      waiting.splice(waiting.indexOf(one), 1);
      one.resolve();
    }
  };

  const place: Place = { channel: ops, kind: 'channel' };
  /** A payload goes to each process in turn; delivered several times, to several of them. */
  async function deliver(who: string, ask: Request['ask'], where: Place, times: number): Promise<void> {
    const user = people[who] ?? who;
    const id = `p${++count}`;
    const alive = replicas.filter(isAlive);
    await Promise.all(
      Array.from({ length: times }, async (_, n) => {
        const replica = alive[(count + n) % alive.length];
        if (replica === undefined) return;
        await actors.run(replica.name, async () => {
          const accepted = replica.engine.accept({ id, actor: user, place: where, at: virtualNow(), ask });
          if (await accepted.stored) await accepted.run();
        });
      }),
    );
  }

  async function perform(act: Act): Promise<void> {
    const touch = (name: string) => scheduler.touch({ name, isWrite: true });
    if (act.do === 'say') {
      await scheduler.at(`${act.who} says ${act.line}`, true);
      acts.push(seen(act.who, 'line', null, act.line));
      void deliver(act.who, { kind: 'line', line: act.line }, place, act.times ?? 1).catch(() => undefined);
    } else if (act.do === 'press') {
      await until(() => room.buttonFor(act.label) !== undefined);
      await scheduler.at(`${act.who} presses ${act.label}`, true);
      const button = room.buttonFor(act.label);
      if (button === undefined) return;
      touch(`message card:${button.intent.operation}`);
      acts.push(seen(act.who, button.intent.vote, button.intent.operation, ''));
      const where = { ...place, message: button.ts };
      void deliver(act.who, { kind: 'intent', intent: button.intent }, where, act.times ?? 1).catch(() => undefined);
    } else if (act.do === 'vote') {
      await until(() => room.newestRequest() !== undefined);
      await scheduler.at(`${act.who} decides: ${act.vote}`, true);
      const request = room.newestRequest();
      if (request === undefined) return;
      touch(`message card:${request.operation}`);
      acts.push(seen(act.who, act.vote, request.operation, ''));
      const intent = { do: 'vote', operation: request.operation, vote: act.vote } as const;
      const where = { ...place, message: request.ts };
      void deliver(act.who, { kind: 'intent', intent }, where, act.times ?? 1).catch(() => undefined);
    } else if (act.do === 'kill') {
      await scheduler.at('a kill', true);
      const victim = replicas.find(isAlive);
      if (victim === undefined) return;
      touch(`process ${victim.name}`);
      scheduler.kill(victim.name);
      kills++;
      await actors.run('world', () => startOne(`bot-${replicas.length + 1}`));
    } else if (act.do === 'by hand') {
      await scheduler.at(act.what, true);
      touch('provider 34-12345');
      act.change(provider.sim);
    } else if (act.do === 'suspend') {
      await scheduler.at(`the machine sleeps for ${act.ms / 1_000} s`, true);
      touch('clock');
      advanceTo(virtualNow() + act.ms);
    } else {
      await scheduler.at(`${act.who}: ${act.do}`, true);
      touch('people');
      const user = people[act.who] ?? act.who;
      if (act.do === 'leave group') group.delete(user);
      else {
        const person = slack.roster.get(user);
        if (person !== undefined) slack.roster.set(user, { ...person, standing: 'deactivated' });
        left.push({ at: virtualNow(), user, isActive: false });
      }
      groups.push({ at: virtualNow(), group: opsGroup, members: [...group] });
    }
  }
  const seen = (who: string, kind: string, operation: string | null, text: string): SeenAct => ({
    at: virtualNow(),
    user: people[who] ?? who,
    channel: ops,
    kind,
    operation,
    text,
  });

  // The start is the same in every history: only what comes after it is explored.
  if (!(await scheduler.run(async () => !isSettingUp, wakeThreads, mostSteps)))
    throw new Error('the processes did not start');
  await setUp;
  scheduler.begin();
  let threadsLeft = world.threads.length;
  for (const [n, thread] of world.threads.entries())
    void actors.run(`thread-${n}`, async () => {
      for (const act of thread) await perform(act);
      threadsLeft--;
    });
  const openRequests = () =>
    database.read(
      `select id, state, held_at from operations where state not in (${endStates.map((state) => `'${state}'`).join(', ')})`,
    );
  let restsSince: number | undefined;
  const isAtRest = async () => {
    const open = await openRequests();
    const unsent = await database.read("select key from messages where state = 'due'");
    const unfinished = await database.read("select key from inbox where state <> 'done'");
    const isResting =
      threadsLeft <= waiting.length &&
      unsent.length === 0 &&
      unfinished.length === 0 &&
      open.every(({ state, held_at: heldAt }) => state === 'waiting' || heldAt !== null);
    restsSince = isResting ? (restsSince ?? virtualNow()) : undefined;
    return restsSince !== undefined && virtualNow() - restsSince > restMs;
  };
  const isComplete = await scheduler.run(isAtRest, wakeThreads, mostSteps);
  const audit = (await database.read('select * from audit order by seq')).map(lineOf);
  const open = await openRequests();
  const history: History = {
    ...emptyHistory,
    writes: seenWrites(provider.sim),
    acts,
    posts: room.posts,
    audit,
    groups,
    people: left,
    admins: [people.admin ?? ''],
    channels: [{ id: ops, members: Object.values(people) }],
    kills,
    freezes: freezesIn(audit),
    graceMs: 120,
    isOver: isComplete && open.length === 0,
  };
  provider.stop();
  return { history, steps: scheduler.steps, complaints, isComplete };
}

function lineOf(row: Readonly<Record<string, unknown>>): SealedLine {
  const { operation_id: operationId, data, ...rest } = row;
  // The columns of the audit, as its table has them.
  return { ...rest, operationId, data: JSON.parse(String(data)) } as SealedLine;
}

/** Freezes of everything, as the audit has them. */
function freezesIn(audit: readonly SealedLine[]): History['freezes'] {
  return audit
    .filter(({ kind, data }) => kind === 'freeze' && data.scope === 'all')
    .map(({ at, data }) => {
      const ended = audit.find(
        (line) => line.kind === 'freeze' && line.data.text === `freeze ${String(data.id)} ended`,
      );
      return { from: at, to: ended?.at ?? (typeof data.until === 'number' ? data.until : null) };
    });
}
