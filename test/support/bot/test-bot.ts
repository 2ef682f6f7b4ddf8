import { EventEmitter } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { test as base, onTestFinished } from 'vitest';
import { type ProviderOptions, startProvider } from '../../../sandbox/provider/server.ts';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { isEnd } from '../../../src/core/plan/operation.ts';
import type { Policy } from '../../../src/core/policy/policy.ts';
import { defined } from '../../../src/core/text/defined.ts';
import type { Form, FormValues } from '../../../src/core/view/form.ts';
import type { Button, View } from '../../../src/core/view/view.ts';
import { createPolicies } from '../../../src/engine/access/policies.ts';
import type { Accepted, FormAnswer } from '../../../src/engine/context/ports.ts';
import type { Place, Request } from '../../../src/engine/context/request.ts';
import { type Engine as DatabaseEngine, freshDatabase, migratedDatabase } from '../database/databases.ts';
import { patienceMs } from '../suite/patience.ts';
import { lazily } from '../values/lazily.ts';
import { noteRequest, recordForm } from './drawn-views.ts';
import { messagesOfEnd } from './end-told.ts';
import { createFakeSlack, ops, opsGroup, people } from './fake-slack.ts';
import type { WriteKiller } from './kill-after-write.ts';
import { openOperations } from './open-operations.ts';
import { usualPolicy } from './policy.ts';
import { type Fate, openReplica, type ProcessOptions, type Replica, type ReplicaConfig } from './replica.ts';
import { createTranscript } from './transcript.ts';
import { buttonsIn, isCalled } from './view-text.ts';
import { writesOf } from './writes.ts';

/**
 * A channel without Slack: the real engine, store and provider client, the simulated provider over HTTP, and a
 * transcript that shows messages as lines. People type, press and fill in; the transcript is what they read.
 */

export interface TestBotOptions {
  readonly engine?: DatabaseEngine;
  /** Several engines on one database, as replicas are. */
  readonly replicas?: number;
  readonly policy?: Policy | null;
  /** The database of another version, as SQL for SQLite, and when it was written: the clock is set back to then. */
  readonly rows?: { readonly sql: string; readonly at: number };
  readonly provider?: ProviderOptions;
  readonly config?: ReplicaConfig;
  readonly process?: ProcessOptions & {
    /** Decides after which write the first replica is killed; the test continues after it. */
    readonly mortal?: WriteKiller;
  };
  /** Registers the close of the bot at the end of the test; each of several simultaneous tests needs one. */
  readonly atEnd?: (close: () => Promise<void>) => void;
}

interface Delivery {
  /** The time of the request, when Slack delivers it late. */
  readonly saidAt?: number;
  readonly replica?: number;
  readonly id?: string;
}

/** The content of a modal. */
export async function formOf(accepted: Accepted): Promise<FormAnswer> {
  if (accepted.acknowledge !== 'with-form') throw new Error('this opens no form');
  return recordForm(await accepted.run());
}

const isTimed = (state: string) => state === 'scheduled' || state === 'standing';

function fill(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

const ownCommands = lazily(loadCommands);

export type TestBot = Awaited<ReturnType<typeof startTestBot>>;

export async function startTestBot(options: TestBotOptions = {}) {
  const { engine: databaseEngine = 'sqlite', policy = usualPolicy(opsGroup) } = options;
  const { replicas = databaseEngine === 'postgres' ? 2 : 1 } = options;
  const provider = await startProvider({ jobMs: 5, ...options.provider });
  const database = await (options.rows === undefined ? migratedDatabase : freshDatabase)(databaseEngine);
  if (options.rows !== undefined) fill(database.url, options.rows.sql);
  const commands = await ownCommands();
  const events = new EventEmitter().setMaxListeners(0);
  const changed = () => events.emit('change');
  const clock = { offset: options.rows === undefined ? 0 : options.rows.at - Date.now() };
  const now = () => Date.now() + clock.offset;
  const log: string[] = [];
  const workspace = createFakeSlack();
  const { directory } = workspace;
  const messages = createTranscript({ nameOf: workspace.nameOf, changed, log });
  const { posted, findButton, transcript } = messages;
  let count = 0;
  let outdated = 0;
  let isPaused = options.config?.isPaused === true;
  const { mortal: firstMortal, ...usualProcess } = options.process ?? {};

  const openAnother = (process: ProcessOptions & Fate = usualProcess) =>
    openReplica({
      ...usualProcess,
      ...process,
      onOutdated: () => {
        outdated += 1;
      },
      provider,
      database,
      commands: process.commands ?? usualProcess.commands ?? commands,
      workspace,
      messages,
      now,
      changed,
      log,
      config: { ...options.config, isPaused },
    });
  const running = [await openAnother({ mortal: firstMortal })];
  running.push(...(await Promise.all(Array.from({ length: replicas - 1 }, () => openAnother()))));
  const at = (replica: number): Replica => {
    const found = running[replica % running.length];
    if (found === undefined) throw new Error('no replica');
    return found;
  };
  if (policy) await createPolicies(at(0).store, directory).save(ops, policy, 0);
  const gone: Replica[] = [];
  let isClosed = false;
  const closeBot = async () => {
    if (isClosed) return;
    isClosed = true;
    await Promise.all([...running, ...gone].map((replica) => replica.stop()));
    await provider.close();
    await database.drop();
    if (messages.raw.size > 0) throw new Error(`people would have read:\n${[...messages.raw].join('\n')}`);
  };
  (options.atEnd ?? onTestFinished)(closeBot);
  const inChannel: Place = { channel: ops, kind: 'channel' };
  const requestOf = (id: string, user: string, place: Place, ask: Request['ask'], saidAt?: number): Request =>
    noteRequest({ id, actor: people[user] ?? user, place, at: now(), ...defined({ saidAt }), ask });

  async function request(
    user: string,
    ask: Request['ask'],
    { place = inChannel, replica = count, id = `r${++count}`, saidAt }: Delivery & { place?: Place } = {},
  ): Promise<Request> {
    const made = requestOf(id, user, place, ask, saidAt);
    const { engine } = at(replica);
    const accepted = engine.accept(made);
    if (await accepted.stored) await accepted.run();
    // The card is stored by now; its message follows.
    await messages.delivered();
    return made;
  }

  async function until(
    predicate: () => boolean | Promise<boolean>,
    what = 'this',
    withinMs = patienceMs,
  ): Promise<void> {
    const deadline = Date.now() + withinMs;
    // The end of a turn shows in its row alone, some milliseconds after the last message; a longer wait is for more than that.
    for (let waitMs = 5; !(await predicate()); waitMs = Math.min(2 * waitMs, 200)) {
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) throw new Error(`waited in vain for ${what}; log: ${log.join('; ')}\n${transcript()}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.min(leftMs, waitMs));
      events.once('change', resolve);
      await promise;
      clearTimeout(timer);
      events.off('change', resolve);
    }
  }

  const hasButton = (label: string): boolean =>
    posted.some(({ view }) => view.parts.flatMap(buttonsIn).some((button) => isCalled(button, label)));
  const stillOpen = () => openOperations(at(0).store);
  /** Ended requests whose end everybody has read: a message stays. */
  const told = new Set<string>();
  /**
   * Waits until no turn of a timed request is under way. A turn counts from the time of its claim, so a clock that moves
   * during it makes it wait for too long.
   */
  const untilTimedRest = () =>
    until(async () => {
      const claimsBefore = running.map(({ claims }) => claims.begun);
      const isLeased = (await stillOpen()).some(({ state, turnUntil }) => isTimed(state) && turnUntil > now());
      const isClaiming = running.some(({ claims }, i) => claims.underWay > 0 || claims.begun !== claimsBefore[i]);
      return !isLeased && !isClaiming;
    }, 'the turns to end');
  const viewOf = async (key: string) => {
    const message = posted.find((one) => one.key === key);
    return message && JSON.stringify(message.view);
  };

  return {
    ...workspace,
    provider,
    database,
    sim: provider.sim,
    /** The writes that the provider received, `POST /vps/34-12345/restart/`. */
    writes: () => writesOf(provider.sim).map(({ request }) => request),
    log,
    posted,
    get store() {
      return at(0).store;
    },
    replicas: running,
    /** How often a replica found that a newer version has changed the schema. */
    outdated: () => outdated,
    openReplica: async (process?: ProcessOptions) => {
      const replica = await openAnother(process);
      running.push(replica);
      return replica;
    },
    /** Ends the oldest process and starts a new one, which knows the rows only. */
    restart: async (process?: ProcessOptions) => {
      const replica = running.shift();
      await replica?.halt();
      if (replica !== undefined) gone.push(replica);
      running.push(await openAnother(process));
    },
    now,
    pause: (value: boolean) => {
      isPaused = value;
    },
    savePolicy: (channel: string, policy: Policy, before = 0) =>
      createPolicies(at(0).store, directory).save(channel, policy, before),
    /** Killed at this moment and started again, with SQLite. Of a process with PostgreSQL its connections would live on here. */
    crash: async (next?: WriteKiller) => {
      for (const replica of running.splice(0)) {
        const killed = replica.kill();
        // A request that hangs at the provider ends with its process.
        provider.dropConnections();
        await killed;
      }
      running.push(await openAnother({ mortal: next, releasesClaims: true }));
    },
    /** `@Hostler …` in a message of the channel, or of a thread. */
    mention: (user: string, line: string, { thread, ...more }: Delivery & { thread?: string } = {}) =>
      request(
        user,
        { kind: 'line', line, isMention: true },
        {
          ...more,
          place: { ...inChannel, message: `${count + 1_000}.9`, ...(thread === undefined ? {} : { thread }) },
        },
      ),
    noteClick: messages.noteClick,
    neverReplace: messages.neverReplace,
    placeOfClick: messages.placeOfClick,
    /** `/host …` in the channel. */
    say: (user: string, line: string, more: Delivery & { place?: Place } = {}) =>
      request(user, { kind: 'line', line }, more),
    hasButton,
    press: async (user: string, label: string, more: Delivery & { first?: boolean } = {}) => {
      // The message of the button is delivered independently of the request, perhaps a moment later.
      await until(() => hasButton(label), `the button ${label}`);
      const { button, message } = findButton(label, more.first ? 'first' : 'last');
      const id = more.id ?? `p${++count}`;
      messages.noteClick(id, message);
      return request(
        user,
        { kind: 'intent', intent: button.intent },
        { ...more, id, place: messages.placeOfClick(message) },
      );
    },
    /** Presses a kept button, such as one of a card that has ended. */
    click: (user: string, button: Button, more: Delivery & { place?: Place } = {}) =>
      request(user, { kind: 'intent', intent: button.intent }, more),
    /** The content of the modal; undefined when the payload was here before, because its modal is gone with its process. */
    shortcut: async (
      user: string,
      ask: Extract<Request['ask'], { kind: 'ask' | 'about' }>,
      { place = { ...inChannel, thread: '0.1' }, id = `g${++count}` }: { place?: Place; id?: string } = {},
    ): Promise<FormAnswer | undefined> => {
      const made = requestOf(id, user, ask.kind === 'ask' ? { channel: '', kind: 'modal' } : place, ask);
      const { engine, isDead } = at(0);
      const accepted = engine.accept(made, 'wanted');
      const answer = (await accepted.stored) ? messages.noteForm(await formOf(accepted)) : undefined;
      if (isDead()) throw new Error('killed before it was shown');
      return answer;
    },
    /** Opens the form behind a button, or of a line. */
    open: async (
      user: string,
      what: { button: string } | { line: string } | { intent: Button['intent'] },
      place: Place = inChannel,
    ): Promise<Form | View> => {
      const intent =
        'intent' in what
          ? what.intent
          : 'button' in what
            ? findButton(what.button).button.intent
            : ({ do: 'form', line: what.line } as const);
      const made = requestOf(`f${++count}`, user, place, { kind: 'intent', intent });
      const answer = messages.noteForm(await formOf(at(0).engine.accept(made, 'wanted')));
      return 'form' in answer ? answer.form : answer.view;
    },
    submit: async (user: string, form: Form | View, values: FormValues, { id = `s${++count}` }: Delivery = {}) => {
      if (!('id' in form)) throw new Error(`not a form: ${form.summary}`);
      const made = requestOf(
        id,
        user,
        { channel: '', kind: 'modal', form: form.id },
        {
          kind: 'submit',
          form: form.id,
          values: Object.fromEntries(
            Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
          ),
        },
      );
      const accepted = at(0).engine.accept(made);
      if (accepted.acknowledge !== 'with-answer') throw new Error('a submitted form has no answer');
      return (await accepted.stored) ? accepted.run() : ({ kind: 'accepted' } as const);
    },
    until,
    /** Waits until only requests that wait for people or for their hour are open. */
    settle: () =>
      until(async () => {
        const open = await stillOpen();
        const pending = await at(0).store.messages.pending();
        const isResting = ({ state, startsAt }: (typeof open)[number]) =>
          state === 'waiting' || (isTimed(state) && (startsAt ?? 0) > now());
        const isQuiet = open.every(isResting) && pending === 0;
        if (!isQuiet) return false;
        for (const row of await at(0).store.operations.list({ limit: 50 })) {
          // The engine releases a turn after it stored how the turn ended.
          if (row.turnUntil > now()) return false;
          if (told.has(row.id) || !isEnd(row.state)) continue;
          if ((await messagesOfEnd(at(0).store, row, viewOf)) === undefined) return false;
          told.add(row.id);
        }
        return true;
      }, 'everything to settle'),
    /** Moves the clock of the bot and of the provider. */
    pass: async (ms: number) => {
      await untilTimedRest();
      clock.offset += ms;
      provider.sim.advance(ms);
      for (const row of await stillOpen()) at(0).wake(row.id);
    },
    /** One round finds the requests of an ended process, and the next begins them. */
    takeUp: async () => {
      for (let round = 0; round < 2; round += 1) {
        clock.offset += 5_000;
        await at(0).sweep();
      }
    },
    /** Moves the clock of the bot alone, and wakes nothing. */
    skip: (ms: number) => {
      clock.offset += ms;
    },
    close: closeBot,
    findButton,
    transcript,
    story: messages.story,
  };
}

/** Tests that begin with a bot. */
export const test = base.extend('bot', () => startTestBot());
