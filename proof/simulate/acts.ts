import type { History, SeenAct } from '../../sandbox/judge/history.ts';
import type { createSimulatedProvider } from '../../sandbox/provider/server.ts';
import type { ProviderControl } from '../../sandbox/provider/sim.ts';
import type { Policy } from '../../src/core/policy/policy.ts';
import type { Vote } from '../../src/core/view/intent.ts';
import { createPolicies } from '../../src/engine/access/policies.ts';
import type { Place, Request } from '../../src/engine/context/request.ts';
import type { Store } from '../../src/store/database.ts';
import { type FakeSlack, ops, opsGroup, people } from '../../test/support/bot/fake-slack.ts';
import type { SimulatedReplica } from './replica.ts';
import type { Room } from './room.ts';
import type { Scheduler } from './scheduler.ts';
import type { SharedDatabase } from './store.ts';
import { actors, advanceTo, jumpClock, runAs, steadyNow, virtualNow } from './virtual-world.ts';

/** An act of a person or of the outside, performed when possible: a line, a click, a manual change, a kill. */
export type Act =
  /** `after`: once this text is in the channel. `anyway`: even if a request for the same server already waits. */
  | {
      readonly do: 'say';
      readonly who: string;
      readonly line: string;
      readonly times?: number;
      readonly after?: string;
      readonly anyway?: true;
    }
  | { readonly do: 'press'; readonly who: string; readonly label: string; readonly times?: number }
  /** A decision on the newest request, regardless of its card's buttons. */
  | { readonly do: 'vote'; readonly who: string; readonly vote: Vote; readonly times?: number }
  /** `which`: a living process, by age; by default the process with the last step. */
  | { readonly do: 'kill'; readonly which?: number }
  | { readonly do: 'by hand'; readonly what: string; readonly change: (sim: ProviderControl) => void }
  | { readonly do: 'leave group'; readonly who: string }
  | { readonly do: 'deactivate'; readonly who: string }
  /** Suspends all processes, as on a sleeping machine. */
  | { readonly do: 'suspend'; readonly ms: number; readonly isOnceWatched?: boolean }
  /** Suspends one process while the others continue. */
  | { readonly do: 'stand still'; readonly ms: number }
  /** Sets the wall clock, forward or back. */
  | { readonly do: 'set the clock'; readonly ms: number }
  /** Ends all processes and starts one, with or without HOSTLER_PAUSED. */
  | { readonly do: 'start again'; readonly isPaused: boolean }
  /** Saves another policy for the channel as an admin. `allows`: whether it still lets people operate. */
  | { readonly do: 'policy'; readonly what: string; readonly policy: Policy; readonly allows: boolean }
  /** Stores a freeze or a pin directly, without a person's command. */
  | { readonly do: 'freeze' }
  | { readonly do: 'pin' }
  /** A person's profile names another time zone. */
  | { readonly do: 'fly'; readonly who: string; readonly to: string }
  /** Time passes until this long before the next hour or the end of the countdown. The bot is there. */
  | { readonly do: 'to the hour'; readonly beforeMs: number }
  | { readonly do: 'fail'; readonly what: 'the database' | 'Slack'; readonly times: number };

interface Stage {
  readonly scheduler: Scheduler;
  readonly room: Room;
  readonly provider: ReturnType<typeof createSimulatedProvider>;
  readonly database: SharedDatabase;
  readonly slack: FakeSlack;
  readonly group: Set<string>;
  /** The processes that are alive. */
  readonly replicas: () => readonly SimulatedReplica[];
  readonly until: (predicate: () => boolean) => Promise<void>;
  readonly restart: (isPaused: boolean) => Promise<void>;
  /** The store of a process that is never killed. */
  readonly desk: () => Store;
  readonly failLookups: (times: number) => void;
  /** The time zones of people who left that of the others, by id. */
  readonly zones: Map<string, string>;
}

/** The order of web-1, the one server that people change by hand. */
const changedServer = '34-12345';

/** Performs acts, and records the facts that the judge needs. */
export function createStage(stage: Stage) {
  const { scheduler, room, provider, slack, group } = stage;
  const acts: SeenAct[] = [];
  const groups = [{ at: 0, group: opsGroup, members: [...group] }];
  const left: History['people'][number][] = [];
  /** Times in which no request may start: the bot is paused, or no one has the right. */
  const rests: { readonly kind: string; readonly from: number; to: number | null }[] = [];
  const absences: History['absences'][number][] = [];
  const changes: History['changes'][number][] = [];
  const pins: History['pins'][number][] = [];
  const stands: number[] = [];
  /** Failures of the outside, which the processes may log. */
  const failures: string[] = [];
  /** The number of acts of each person or thing. */
  const counts = new Map<string, number>();
  const countFor = (actor: string): number => {
    const count = (counts.get(actor) ?? 0) + 1;
    counts.set(actor, count);
    return count;
  };

  const place: Place = { channel: ops, kind: 'channel' };
  let isPausedNow = false;
  /** The running restart. Restarts follow each other, so that no process starts with outdated settings. */
  let restarting = Promise.resolve();
  const restart = (isPaused: boolean): Promise<void> => {
    restarting = stage.restart(isPaused);
    return restarting;
  };
  /** The process with the last step, which may be in the middle of its work. */
  const atWork = (): SimulatedReplica | undefined => {
    const alive = stage.replicas();
    const last = scheduler.steps.findLast(({ actor }) => alive.some(({ name }) => name === actor));
    return alive.find(({ name }) => name === last?.actor) ?? alive[0];
  };
  /** Kills a process and starts another with the same settings, as a supervisor does. */
  const replace = async (which: number | undefined): Promise<void> => {
    await scheduler.at('a kill', true, true);
    await restarting;
    const victim = which === undefined ? atWork() : stage.replicas()[which];
    if (victim === undefined) return;
    scheduler.kill(victim.name);
    await restart(isPausedNow);
  };
  const rest = (kind: string, isResting: boolean) => {
    for (const rest of rests) if (rest.kind === kind) rest.to ??= virtualNow();
    if (isResting) rests.push({ kind, from: virtualNow(), to: null });
  };
  const see = (who: string, kind: string, operation: string | null, text: string) =>
    acts.push({ at: virtualNow(), user: people[who] ?? who, channel: ops, kind, operation, text });

  /** Delivers payloads to the processes in turn; repeated deliveries go to different processes. */
  async function deliver(who: string, ask: Request['ask'], where: Place, times: number): Promise<void> {
    const user = people[who] ?? who;
    const actor = actors.getStore() ?? '';
    const count = countFor(actor);
    const id = `${actor}-${count}`;
    const first = Number(/\d+$/.exec(actor)?.[0] ?? 0) + count;
    const alive = stage.replicas();
    await Promise.all(
      Array.from({ length: times }, async (_, n) => {
        const replica = alive[(first + n) % alive.length];
        if (replica === undefined) return;
        await runAs(replica.name, async () => {
          const request = { id, actor: user, place: where, at: virtualNow(), ask };
          if (needsLine(ask)) return submitLine(replica, request);
          const accepted = replica.engine.accept(request);
          if (await accepted.stored) await accepted.run();
        });
      }),
    );
  }
  /** Opens the form of the button and sends it with a line. */
  async function submitLine({ engine }: SimulatedReplica, request: Request): Promise<void> {
    const opening = engine.accept(request, 'wanted');
    if (!(await opening.stored) || opening.acknowledge !== 'with-form') return;
    const opened = await opening.run();
    if (opened === undefined || !('form' in opened)) return;
    const form = opened.form.id;
    const ask = { kind: 'submit', form, values: { words: 'not now' } } as const;
    const submitting = engine.accept({
      id: `${request.id}-form`,
      actor: request.actor,
      place: { channel: '', kind: 'modal', form },
      at: virtualNow(),
      ask,
    });
    if (await submitting.stored) await submitting.run();
  }
  const click = (who: string, { operation, ts, vote }: Target, times = 1) => {
    see(who, vote, operation, '');
    const intent = { do: 'vote', operation, vote } as const;
    void deliver(who, { kind: 'intent', intent }, { ...place, message: ts }, times).catch(() => undefined);
  };

  const performers: { readonly [K in Act['do']]: (act: Extract<Act, { do: K }>) => Promise<void> } = {
    say: async ({ who, line, times = 1, after = '', anyway }) => {
      if (after !== '') await stage.until(() => room.posts.some(({ text }) => text.includes(after)));
      await scheduler.at(`${who} says ${line}`, true);
      see(who, 'line', null, line);
      const ask = anyway
        ? ({ kind: 'intent', intent: { do: 'run', line, anyway } } as const)
        : ({ kind: 'line', line } as const);
      void deliver(who, ask, place, times).catch(() => undefined);
    },
    press: async ({ who, label, times }) => {
      await stage.until(() => room.buttonFor(label) !== undefined);
      await scheduler.at(`${who} presses ${label}`, true);
      const button = room.buttonFor(label);
      if (button !== undefined) click(who, { ...button.intent, ts: button.ts }, times);
    },
    vote: async ({ who, vote, times }) => {
      await stage.until(() => room.newestRequest() !== undefined);
      await scheduler.at(`${who} decides: ${vote}`, true);
      const request = room.newestRequest();
      if (request !== undefined) click(who, { ...request, vote }, times);
    },
    kill: ({ which }) => replace(which),
    'start again': async ({ isPaused }) => {
      await scheduler.at(isPaused ? 'all start again, paused' : 'all start again', true);
      await restarting;
      const alive = stage.replicas();
      for (const { name } of alive) scheduler.kill(name);
      isPausedNow = isPaused;
      rest('paused', isPaused);
      await restart(isPaused);
    },
    'by hand': async ({ what, change }) => {
      await scheduler.at(what, true, true);
      change(provider.sim);
      changes.push({ at: virtualNow(), target: `order:${changedServer}` });
    },
    suspend: async ({ ms, isOnceWatched = false }) => {
      if (isOnceWatched)
        await stage.until(() => provider.sim.requests().some(({ path }) => path.includes('/log_details/')));
      await scheduler.at(`the machine sleeps for ${ms / 1_000} s`, true, !isOnceWatched);
      const from = virtualNow();
      advanceTo(steadyNow() + ms);
      absences.push({ from, to: virtualNow() });
    },
    'stand still': async ({ ms }) => {
      await scheduler.at(`a process stands still for ${ms / 1_000} s`, true, true);
      const replica = atWork();
      if (replica === undefined) return;
      stands.push(ms);
      scheduler.standStill(replica.name, ms);
    },
    'set the clock': async ({ ms }) => {
      await scheduler.at(`the clock is set by ${ms / 1_000} s`, true);
      jumpClock(ms);
    },
    policy: async ({ what, policy, allows }) => {
      await scheduler.at(`the policy: ${what}`, true);
      const policies = createPolicies(stage.desk(), slack.directory);
      const save = async () => policies.save(ops, policy, (await policies.get(ops))?.version ?? 0);
      // The admin saves again if the database is unavailable.
      while (!(await save().catch(() => false)));
      rest('no right', !allows);
    },
    freeze: async () => {
      await scheduler.at('everything is frozen', true);
      await stage
        .desk()
        .freezes.add({ id: `f${countFor('freeze')}`, scope: 'all', reason: 'a test', byUser: people.admin ?? '' });
      rest('frozen', true);
    },
    pin: async () => {
      await scheduler.at('web-1 is pinned', true);
      const pin = { target: `order:${changedServer}`, why: 'a test', by: people.admin ?? '', channel: ops };
      await stage.desk().values.change('protection', pin.target, () => ({ ...pin, since: virtualNow() }));
      pins.push({ at: virtualNow(), target: pin.target });
    },
    fly: async ({ who, to }) => {
      await scheduler.at(`${who} is in ${to}`, true);
      stage.zones.set(people[who] ?? who, to);
    },
    'to the hour': async ({ beforeMs }) => {
      await stage.until(() => room.posts.some(({ text }) => /\[Call off\]|\[Stop\]|counting down/.test(text)));
      await scheduler.at('time passes', true);
      const desk = stage.desk();
      const [next] = await desk.operations.byHour({ channels: [ops], requester: '', limit: 1 });
      if (next === undefined) return;
      advanceTo(steadyNow() + (next.startsAt ?? 0) - beforeMs - virtualNow());
      await desk.presence.note();
    },
    fail: async ({ what, times }) => {
      await scheduler.at(`${what} fails ${times} times`, true, true);
      failures.push(what);
      if (what === 'Slack') stage.failLookups(times);
      else stage.database.fail(times);
    },
    'leave group': async ({ who }) => {
      await scheduler.at(`${who} leaves the group`, true);
      group.delete(people[who] ?? who);
      groups.push({ at: virtualNow(), group: opsGroup, members: [...group] });
    },
    deactivate: async ({ who }) => {
      await scheduler.at(`${who} is deactivated`, true);
      const user = people[who] ?? who;
      const person = slack.roster.get(user);
      if (person !== undefined) slack.roster.set(user, { ...person, membership: 'deactivated' });
      left.push({ at: virtualNow(), user, isActive: false });
    },
  };

  return {
    // The performer with an act's name accepts exactly that act.
    perform: (act: Act): Promise<void> => (performers[act.do] as (act: Act) => Promise<void>)(act),
    acts,
    groups,
    left,
    rests,
    absences,
    changes,
    pins,
    stands,
    failures,
  };
}

function needsLine(ask: Request['ask']): boolean {
  return ask.kind === 'intent' && ask.intent.do === 'vote' && ask.intent.vote === 'decline';
}

interface Target {
  readonly operation: string;
  readonly ts: string;
  readonly vote: Vote;
}
