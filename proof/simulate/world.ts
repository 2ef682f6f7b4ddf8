import { emptyHistory, type History } from '../../sandbox/judge/history.ts';
import { createSimulatedProvider } from '../../sandbox/provider/server.ts';
import type { ProviderControl } from '../../sandbox/provider/sim.ts';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { endStates } from '../../src/core/plan/operation.ts';
import type { Policy } from '../../src/core/policy/policy.ts';
import { createPolicies } from '../../src/engine/access/policies.ts';
import { openStore, type Store } from '../../src/store/database.ts';
import { createFakeSlack, ops, opsGroup, people } from '../../test/support/bot/fake-slack.ts';
import { seenWrites } from '../../test/support/bot/writes.ts';
import { type Act, createStage } from './acts.ts';
import { freezesIn, lineOf } from './read-rows.ts';
import { type SimulatedReplica, startReplica } from './replica.ts';
import { createRoom } from './room.ts';
import { actMs, type Choose, createScheduler, type Step, stepMs } from './scheduler.ts';
import { openSharedDatabase, type SharedDatabase } from './store.ts';
import { actors, advanceTo, install, resetWorld, runAs, steadyNow, virtualNow } from './virtual-world.ts';

install();
const commands = await loadCommands();

export interface World {
  readonly name: string;
  readonly replicas: number;
  readonly policy: Policy;
  /** Lists of acts. The acts of a list happen in order; the lists are independent. */
  readonly threads: readonly (readonly Act[])[];
  /** Names that the policy lets only admins read. */
  readonly secretNames?: readonly string[];
  /** True if time passes while people wait to act; `choose` decides when they do. */
  readonly areActsLate?: boolean;
  readonly faults?: readonly Parameters<ProviderControl['fault']>[0][];
}

export interface Seen {
  readonly history: History;
  readonly steps: readonly Step[];
  /** Errors in the processes' logs. */
  readonly complaints: readonly string[];
  /** False if the history did not come to rest within the limit of steps. */
  readonly isComplete: boolean;
  /** The simulated time. */
  readonly lastedMs: number;
}

/** The engine's delays, such as five minutes of reading after a lost response, are scaled by this factor. */
const timeScale = 0.02;
/** The most steps between the last check and the write. */
const mostBetween = 120;
const mostSteps = 15_000;
const restMs = 1_100;
const beforeHourMs = 30_000;
/** Time for the leases of a killed process to expire, another to take over, and the reading after a lost response. */
const mostFollowMs = 90_000;
/** Acts after which running work only moves from one process to another. */
const brief: readonly Act['do'][] = ['say', 'press', 'vote', 'kill', 'leave group', 'by hand'];
/** A process that is suspended for less keeps all its leases, so no work is interrupted. */
const shortestLeaseMs = 8_000;

export interface PlayOptions {
  readonly seed?: number;
  /** Called after each step with the rows and the provider's requests. */
  readonly watch?: (state: Look) => Promise<void>;
}

export interface Look {
  readonly steps: readonly Step[];
  readonly read: SharedDatabase['read'];
  readonly writes: () => History['writes'];
}

const ends = endStates.map((state) => `'${state}'`).join(', ');

const unwatched = async (): Promise<void> => {};

/** Plays one history. The same decisions produce the same history. */
export async function play(
  world: World,
  choose: Choose,
  { seed = 1, watch = unwatched }: PlayOptions = {},
): Promise<Seen> {
  resetWorld(seed);
  const beganAt = steadyNow();
  const scheduler = createScheduler(choose, world);
  const room = createRoom(scheduler);
  const provider = createSimulatedProvider({ key: 'simulated-key', jobMs: 40 });
  for (const fault of world.faults ?? []) provider.sim.fault(fault);
  const database = await openSharedDatabase(scheduler);
  const slack = createFakeSlack();
  const group = slack.groups.get(opsGroup) ?? new Set<string>();
  for (const id of [people.lead, people.reader]) if (id !== undefined) group.add(id);
  const complaints: string[] = [];
  const replicas: SimulatedReplica[] = [];
  const zones = new Map<string, string>();
  const wroteAt: number[] = [];
  let kills = 0;
  let failingLookups = 0;
  let started = world.replicas;
  const lookUp = async (label: string) => {
    await scheduler.at(label);
    if (failingLookups <= 0) return;
    failingLookups--;
    throw new Error('ratelimited');
  };

  const isAlive = ({ name }: SimulatedReplica) => !scheduler.isDead(name);
  const directory: typeof slack.directory = {
    ...slack.directory,
    person: async (user, maxAgeMs) => {
      await lookUp(`Slack: who is ${user}`);
      const person = await slack.directory.person(user, maxAgeMs);
      return { ...person, timeZone: zones.get(user) ?? person.timeZone };
    },
    groupMembers: async (id, maxAgeMs) => {
      await lookUp(`Slack: who is in ${id}`);
      return slack.directory.groupMembers(id, maxAgeMs);
    },
  };
  const startOne = async (name: string, isPaused = false): Promise<void> => {
    const admins = [people.admin ?? ''];
    const shared = { scheduler, database, provider, commands, room, directory, admins, timeScale, complaints };
    const onWrite = () => wroteAt.push(virtualNow());
    replicas.push(await startReplica({ name, ...shared, isPaused, onWrite }));
  };

  let isSettingUp = true;
  let desk: Store | undefined;
  // The provider's log has whole milliseconds, which may cover a whole history.
  const writes = () => seenWrites(provider.sim).map((write, n) => ({ ...write, at: wroteAt[n] ?? write.at }));
  const setUp = (async () => {
    await startOne('bot-1');
    const [first] = replicas;
    if (first === undefined) throw new Error('no process started');
    await actors.run('bot-1', () => createPolicies(first.store, directory).save(ops, world.policy, 0));
    desk = await actors.run('desk', () => openStore(':memory:', { now: virtualNow, dialect: database.wayFor() }));
    for (let n = 2; n <= world.replicas; n++) await startOne(`bot-${n}`);
    isSettingUp = false;
  })();

  const waiting: { readonly until: () => boolean; readonly resolve: () => void }[] = [];
  const until = (predicate: () => boolean): Promise<void> =>
    predicate() ? Promise.resolve() : new Promise((resolve) => waiting.push({ until: predicate, resolve }));
  const afterEach = async (): Promise<void> => {
    await watch({ steps: scheduler.steps, read: database.read, writes });
    for (const waiter of [...waiting]) {
      if (!waiter.until()) continue;
      waiting.splice(waiting.indexOf(waiter), 1);
      waiter.resolve();
    }
  };

  const { perform, acts, groups, left, rests, absences, changes, pins, stands, failures } = createStage({
    scheduler,
    room,
    provider,
    database,
    slack,
    group,
    replicas: () => replicas.filter(isAlive),
    zones,
    until,
    restart: async (isPaused) => {
      kills++;
      // A process that fails at its start, without a database, is started again, as by a supervisor.
      for (let isUp = false; !isUp; ) {
        const name = `bot-${++started}`;
        isUp = await actors.run('world', () =>
          startOne(name, isPaused).then(
            () => true,
            () => scheduler.kill(name) ?? false,
          ),
        );
      }
    },
    desk: () => {
      if (desk === undefined) throw new Error('the world is not set up');
      return desk;
    },
    failLookups: (times) => {
      failingLookups += times;
    },
  });

  // The start is the same in every history; only later steps are drawn.
  const isSetUp = async () => !isSettingUp;
  if (!(await scheduler.run({ isQuiet: isSetUp, isOver: isSetUp }, afterEach, mostSteps)))
    throw new Error('the processes did not start');
  await setUp;
  let threadsLeft = world.threads.length;
  const openRequests = () =>
    database.read(`select id, state, held_at, starts_at, begins from operations where state not in (${ends})`);
  let restsSince: number | undefined;
  const isFrozen = ({ begins }: Readonly<Record<string, unknown>>) => String(begins).includes('"frozen":');
  /** True before a later hour. */
  const isAhead = ({ state }: Readonly<Record<string, unknown>>) => state === 'scheduled' || state === 'standing';
  const isQuiet = async () => {
    const open = await openRequests();
    // An ended operation that was not announced yet still has a turn.
    const untold = await database.read(
      `select id from operations where state in (${ends}) and next_turn_at is not null`,
    );
    const unsent = await database.read("select key from messages where state = 'due'");
    const unfinished = await database.read("select key from inbox where state <> 'done'");
    return (
      untold.length === 0 &&
      unsent.length === 0 &&
      unfinished.length === 0 &&
      open.every((row) => row.state === 'waiting' || row.held_at !== null || isAhead(row) || isFrozen(row))
    );
  };
  /** Lets the time until a later hour pass at once. The bot is there. */
  const passToHour = async (): Promise<void> => {
    const open = await openRequests();
    const hours = open.filter(isAhead);
    if (open.some(({ state }) => state === 'running' || state === 'reading')) return;
    const leftMs = Math.min(...hours.map(({ starts_at: at }) => Number(at))) - virtualNow();
    if (hours.length === 0 || leftMs < 2 * beforeHourMs) return;
    advanceTo(steadyNow() + leftMs - beforeHourMs);
    void actors.run('desk', () => desk?.presence.note().catch(() => undefined));
  };
  const isOver = async () => {
    const isDone = threadsLeft <= waiting.length;
    // A request that waits for the end of a freeze looks for it each minute of a day.
    const goesOn = isDone && (await openRequests()).some((row) => isAhead(row) && !isFrozen(row));
    const isResting = isDone && !goesOn && (await isQuiet());
    if (isDone && !isResting) await passToHour();
    restsSince = isResting ? (restsSince ?? virtualNow()) : undefined;
    return restsSince !== undefined && virtualNow() - restsSince > restMs;
  };
  scheduler.begin();
  for (const [n, thread] of world.threads.entries())
    void runAs(`thread-${n}`, async () => {
      for (const act of thread) await perform(act);
      threadsLeft--;
    });
  const isComplete = await scheduler.run({ isQuiet, isOver }, afterEach, mostSteps);
  const audit = (await database.read('select * from audit order by seq')).map(lineOf);
  const open = await openRequests();
  const history: History = {
    ...emptyHistory,
    writes: writes(),
    acts,
    posts: room.posts,
    audit,
    groups,
    people: left,
    admins: [people.admin ?? ''],
    channels: [{ id: ops, members: Object.values(people) }],
    secretNames: (world.secretNames ?? []).map((name) => ({ name, readers: [people.admin ?? ''] })),
    kills: kills + stands.filter((ms) => ms >= shortestLeaseMs).length,
    freezes: [...freezesIn(audit), ...rests],
    absences,
    changes,
    pins,
    mostFollowMs:
      world.threads.flat().every((act) => brief.includes(act.do)) &&
      (world.faults ?? []).every(({ kind }) => kind === 'lose')
        ? mostFollowMs
        : null,
    actMs,
    // A kill may happen between the check and the write.
    graceMs: mostBetween * stepMs + kills * actMs + stands.reduce((sum, ms) => sum + ms, 0),
    isOver: isComplete && open.length === 0,
  };
  provider.stop();
  return {
    history,
    steps: scheduler.steps,
    complaints: failures.length > 0 ? [] : complaints,
    isComplete,
    lastedMs: steadyNow() - beganAt,
  };
}
