import { EventEmitter } from 'node:events';
import { onTestFinished } from 'vitest';
import { alertRules } from '../../src/alerts/all.ts';
import { loadCommands } from '../../src/commands/all.ts';
import type { Standing } from '../../src/core/evaluate.ts';
import type { Form, FormValues } from '../../src/core/form.ts';
import { isEnd } from '../../src/core/operation.ts';
import { type Policy, policySchema } from '../../src/core/policy.ts';
import type { Button, Part, Span, Text, View } from '../../src/core/view.ts';
import { openRuns } from '../../src/engine/carrier.ts';
import { createEngine, type RunningEngine } from '../../src/engine/engine.ts';
import { createPolicies } from '../../src/engine/policies.ts';
import type { Channel, Desk, Directory, OutboxMessage } from '../../src/engine/ports.ts';
import type { Place, Request } from '../../src/engine/request.ts';
import { createWorldReader } from '../../src/engine/world.ts';
import { createProvider, readerOf } from '../../src/provider/client.ts';
import { recordHost } from '../../src/provider/endpoints/dns.ts';
import { createInventory } from '../../src/provider/inventory.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { type ProviderOptions, startProvider } from '../../src/sandbox/provider/server.ts';
import { releaseRuns } from '../../src/store/claims.ts';
import { openStore } from '../../src/store/database.ts';
import { type Engine as DatabaseEngine, freshDatabase } from './databases.ts';

/**
 * A channel without Slack: the real engine, store and provider client, the simulated provider over HTTP, and a room that
 * shows messages as lines. People say, press and fill in; the transcript is what they read.
 */

interface Person {
  name: string;
  standing: Standing;
}

export const people: Readonly<Record<string, string>> = {
  admin: 'U0ADMIN',
  operator: 'U0OPERATOR',
  lead: 'U0LEAD',
  reader: 'U0READER',
  guest: 'U0GUEST',
};
export const ops = 'C0OPS';
export const opsGroup = 'S0OPS';

export const usualPolicy = policySchema.parse({
  grants: [
    { to: ['everyone'], can: ['read'] },
    {
      to: [`group:${opsGroup}`],
      can: ['read', 'billing', 'operate', 'dns', 'organize', 'destroy', 'secrets', 'spend'],
    },
  ],
  rules: {
    dangerous: { approve: 1, by: [`group:${opsGroup}`] },
    destructive: { approve: 1, by: [`group:${opsGroup}`], typed: true },
  },
});

/** The suite of the engine runs twice: on SQLite with one process, on PostgreSQL with two replicas that take turns. */
const usualEngine: DatabaseEngine = process.env.HOSTLER_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite';

interface Posted {
  readonly key: string;
  readonly channel: string;
  ts: string;
  threadTs: string | null;
  view: View;
  onlyFor?: string;
}

export interface RoomOptions extends ProviderOptions {
  readonly engine?: DatabaseEngine;
  readonly policy?: Policy | null;
  readonly requestsPerMinute?: number;
  /** Several engines on one database, as replicas are. */
  readonly replicas?: number;
  readonly pace?: number;
  readonly publicUrl?: string;
  /** How long the provider's answer is waited for. */
  readonly headersTimeoutMs?: number;
  /** Of tests that run at the same time each has its own. */
  readonly atEnd?: (close: () => Promise<void>) => void;
}

export type Room = Awaited<ReturnType<typeof openRoom>>;

export async function openRoom(options: RoomOptions = {}) {
  const { engine: databaseEngine = usualEngine, policy = usualPolicy, pace = 0.01 } = options;
  const { replicas = databaseEngine === 'postgres' ? 2 : 1 } = options;
  const provider = await startProvider({ jobMs: 5, ...options });
  const database = await freshDatabase(databaseEngine);
  const commands = await loadCommands();
  const events = new EventEmitter().setMaxListeners(0);
  const changed = () => events.emit('change');
  const clock = { offset: 0 };
  const now = () => Date.now() + clock.offset;
  const roster = new Map<string, Person>(
    Object.entries(people).map(([name, id]) => [id, { name, standing: name === 'guest' ? 'guest' : 'member' }]),
  );
  const groups = new Map<string, Set<string>>([[opsGroup, new Set([people.operator ?? '', people.lead ?? ''])]]);
  const channels = new Map<string, Channel>([
    [ops, { id: ops, name: 'ops', isPrivate: true, isShared: false, isArchived: false, hasBot: true }],
  ]);
  const posted: Posted[] = [];
  const log: string[] = [];
  let clickCount = 0;

  const directory: Directory = {
    person: async (user) => {
      const found = roster.get(user);
      if (!found) throw new Error('user_not_found');
      return { id: user, ...found, timeZone: 'Europe/Amsterdam' };
    },
    channel: async (channel) => {
      const found = channels.get(channel);
      if (found) return found;
      if (channel.startsWith('D'))
        return { id: channel, name: 'dm', isPrivate: true, isShared: false, isArchived: false, hasBot: true };
      throw new Error('channel_not_found');
    },
    groupMembers: async (group) => groups.get(group) ?? new Set(),
    isInChannel: async () => true,
    file: async () => ({
      name: 'logo.png',
      type: 'image/png',
      bytes: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]),
    }),
  };
  const show = (message: Omit<Posted, 'ts'>) => {
    posted.push({ ...message, ts: `${posted.length + 1}.0` });
    changed();
  };
  const desk: Desk = {
    whisper: async (place, user, view) =>
      show({ key: '', channel: place.channel, threadTs: place.thread ?? null, view, onlyFor: user }),
    answer: async (place, _user, view) =>
      show({ key: '', channel: place.channel, threadTs: place.thread ?? null, view }),
  };

  async function openReplica() {
    let isDead = false;
    const note = (line: string) => {
      if (!isDead) log.push(line);
    };
    const store = await openStore(database.url, { now });
    const transport = createTransport({
      baseUrl: provider.url,
      apiKey: provider.key,
      headersTimeoutMs: options.headersTimeoutMs ?? 2_000,
      retryDelayMs: 5,
    });
    const client = createProvider(transport);
    const inventory = createInventory(readerOf(client), { now });
    const runs = await openRuns(
      databaseEngine === 'postgres'
        ? { engine: 'postgres', url: database.url }
        : { engine: 'sqlite', path: `${database.url}-runs` },
    );
    const running = createEngine(
      {
        store,
        provider: client,
        reader: readerOf(client),
        world: createWorldReader(inventory, recordHost),
        commands,
        alerts: alertRules,
        sources: {},
        directory,
        desk,
        settings: {
          version: '0.0.0-test',
          admins: [people.admin ?? ''],
          secretKey: new Uint8Array(32).fill(7),
          requestsPerMinute: options.requestsPerMinute ?? 1_000,
          publicUrl: options.publicUrl,
          auditChannel: undefined,
        },
        now,
        log: {
          debug: () => {},
          info: () => {},
          warn: (fields, message) => note(`warn ${message} ${say(fields)}`),
          error: (fields, message) => note(`error ${message} ${say(fields)}`),
        },
        meter: { request: changed, operation: changed, watched: changed },
      },
      { runs, pace },
    );
    await running.start();
    const stopDelivering = deliver(running);
    let isHalted = false;
    const halt = async () => {
      if (isHalted) return;
      isHalted = true;
      stopDelivering();
      await running.stop();
      await transport.close();
    };
    return {
      ...running,
      store,
      /** Gone with all it had in memory; its connection to the database stays for whoever looks into it. */
      halt,
      stop: async () => {
        await halt();
        await store.close();
      },
      /** As a killed process is seen from outside: from this moment on nothing of it reaches the database. */
      kill: async () => {
        isDead = true;
        isHalted = true;
        stopDelivering();
        await Promise.allSettled([runs.stop(), store.close()]);
        void transport.close();
        await running.stop().catch(() => undefined);
      },
    };
  }

  function deliver({ outbox }: RunningEngine): () => void {
    let isBusy = false;
    let isDue = false;
    const drain = async (): Promise<void> => {
      isDue = true;
      if (isBusy) return;
      isBusy = true;
      while (isDue) {
        isDue = false;
        for (const message of await outbox.claim(50)) {
          const ts = put(message);
          await outbox.delivered(message.key, message.version, ts);
          isDue = true;
        }
      }
      isBusy = false;
      changed();
    };
    return outbox.onNudge(() => void drain().catch((error) => log.push(`deliver ${error}`)));
  }

  function put(message: OutboxMessage): string {
    const known = posted.find((one) => one.key === message.key);
    if (known) {
      known.view = message.view;
      return known.ts;
    }
    const { key, channel, threadTs, view } = message;
    const ts = `${posted.length + 1}.0`;
    posted.push({ key, channel, ts, threadTs, view });
    return ts;
  }

  const running = [await openReplica()];
  running.push(...(await Promise.all(Array.from({ length: replicas - 1 }, openReplica))));
  const at = (replica: number) => {
    const found = running[replica % running.length];
    if (found === undefined) throw new Error('no replica');
    return found;
  };
  if (policy) await createPolicies(at(0).store, directory).save(ops, policy, 0);
  const gone: typeof running = [];
  let isClosed = false;
  const closeRoom = async () => {
    if (isClosed) return;
    isClosed = true;
    // Side by side: each waits for its worker's nap between two polls, up to a second (openworkflow 0.10.1, worker.js).
    await Promise.all([...running, ...gone].map((replica) => replica.stop()));
    await provider.close();
    await database.drop();
  };
  (options.atEnd ?? onTestFinished)(closeRoom);

  async function request(
    user: string,
    ask: Request['ask'],
    {
      place = { channel: ops, kind: 'channel' },
      replica = clickCount,
      id = `r${++clickCount}`,
    }: { place?: Place; replica?: number; id?: string } = {},
  ): Promise<Request> {
    const made: Request = { id, actor: people[user] ?? user, place, at: now(), ask };
    const { engine } = at(replica);
    if (await engine.receive(made)) await engine.handle(made);
    return made;
  }

  function findButton(label: string, last = true): { button: Button; message: Posted } {
    const hits = posted.flatMap((message) =>
      message.view.parts.flatMap((part) => buttonsIn(part).map((button) => ({ button, message }))),
    );
    const found = last
      ? hits.findLast((hit) => hit.button.label === label)
      : hits.find((hit) => hit.button.label === label);
    if (!found) throw new Error(`no button ${label} in:\n${transcript()}`);
    return found;
  }

  async function until(predicate: () => boolean | Promise<boolean>, what = 'this'): Promise<void> {
    const deadline = Date.now() + 15_000;
    while (!(await predicate())) {
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) throw new Error(`waited in vain for ${what}; log: ${log.join('; ')}\n${transcript()}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.min(leftMs, 200));
      events.once('change', resolve);
      await promise;
      clearTimeout(timer);
      events.off('change', resolve);
    }
  }

  const openOperations = () => at(0).store.operations.open();

  function transcript(channel = ops): string {
    const own = posted.filter((message) => message.channel === channel);
    const roots = own.filter((message) => message.threadTs === null || !own.some((one) => one.ts === message.threadTs));
    return roots
      .flatMap((root) => [
        linesOf(root),
        ...own
          .filter((message) => message !== root && message.threadTs === root.ts)
          .map((reply) => linesOf(reply).replace(/^/gm, '    ')),
      ])
      .join('\n');
  }

  function linesOf(message: Posted): string {
    const only = message.onlyFor ? `(only @${nameOf(message.onlyFor)}) ` : '';
    return only + read(message.view, nameOf);
  }

  function nameOf(id: string): string {
    return roster.get(id)?.name ?? channels.get(id)?.name ?? (id === opsGroup ? 'ops' : id);
  }

  return {
    provider,
    database,
    sim: provider.sim,
    log,
    posted,
    roster,
    groups,
    channels,
    get store() {
      return at(0).store;
    },
    replicas: running,
    openReplica: async () => {
      const replica = await openReplica();
      running.push(replica);
      return replica;
    },
    /** The oldest process ends and a new one begins: what it knows, it knows from the rows. */
    restart: async () => {
      const replica = running.shift();
      await replica?.halt();
      if (replica !== undefined) gone.push(replica);
      running.push(await openReplica());
    },
    now,
    savePolicy: (channel: string, policy: Policy, before = 0) =>
      createPolicies(at(0).store, directory).save(channel, policy, before),
    /** Killed at this moment and started again, with SQLite. Of a process with PostgreSQL its connections would live on here. */
    crash: async () => {
      for (const replica of running.splice(0)) await replica.kill();
      releaseRuns(`${database.url}-runs`);
      // Claims of the one that is gone have lapsed.
      clock.offset += 60_000;
      running.push(await openReplica());
    },
    /** `/host …` in the channel. */
    say: (user: string, line: string, more: { replica?: number; place?: Place; id?: string } = {}) =>
      request(user, { kind: 'line', line }, more),
    press: async (user: string, label: string, more: { replica?: number; id?: string; first?: boolean } = {}) => {
      const { button, message } = findButton(label, !more.first);
      const place: Place = {
        channel: message.channel,
        kind: 'channel',
        message: message.ts,
        ...(message.threadTs ? { thread: message.threadTs } : {}),
      };
      return request(user, { kind: 'intent', intent: button.intent }, { ...more, place });
    },
    /** A button kept from before, such as one of a card that has ended. */
    click: (user: string, button: Button, more: { id?: string; replica?: number } = {}) =>
      request(user, { kind: 'intent', intent: button.intent }, more),
    /** Opens the form behind a button, or of a line. */
    open: async (user: string, what: { button: string } | { line: string }): Promise<Form | View> => {
      const intent =
        'button' in what ? findButton(what.button).button.intent : ({ do: 'form', line: what.line } as const);
      const answer = await at(0).engine.form({
        id: `f${++clickCount}`,
        actor: people[user] ?? user,
        place: { channel: ops, kind: 'channel' },
        at: now(),
        ask: { kind: 'intent', intent },
      });
      return 'form' in answer ? answer.form : answer.view;
    },
    submit: async (user: string, form: Form | View, values: FormValues) => {
      if (!('id' in form)) throw new Error(`not a form: ${form.summary}`);
      const made: Request = {
        id: `s${++clickCount}`,
        actor: people[user] ?? user,
        place: { channel: '', kind: 'modal', form: form.id },
        at: now(),
        ask: {
          kind: 'submit',
          form: form.id,
          values: Object.fromEntries(
            Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
          ),
        },
      };
      await at(0).engine.receive(made);
      return at(0).engine.submit(made);
    },
    until,
    /** Until nothing is open but what waits for people. */
    settle: () =>
      until(async () => {
        const open = await openOperations();
        const pending = await at(0).store.messages.pending();
        const isQuiet = open.every((row) => row.state === 'waiting') && pending.count === 0;
        if (!isQuiet) return false;
        const rows = await at(0).store.operations.list({ limit: 50 });
        return rows.every(
          (row) =>
            !isEnd(row.state) || row.state === 'withdrawn' || posted.some((message) => message.key === `end:${row.id}`),
        );
      }, 'everything to settle'),
    /** Time passes, for us and for the provider. */
    pass: async (ms: number) => {
      clock.offset += ms;
      provider.sim.advance(ms);
      for (const row of await openOperations()) at(0).wake(row.id);
    },
    /** Time passes for us alone, and nobody is woken. */
    skip: (ms: number) => {
      clock.offset += ms;
    },
    close: closeRoom,
    transcript,
    /** The transcript without what differs from run to run. */
    story: (channel = ops) =>
      transcript(channel)
        .replace(/\b[a-z2-9]{8}\b(?=$|\)| |,|\.)/gm, (word) =>
          posted.some((message) => message.key.includes(`:${word}`)) ? '‹id›' : word,
        )
        .replace(/freeze [0-9a-f]{6}/g, 'freeze ‹id›')
        // A card always says how long it took; a sentence only from 1.5 s on, which is the machine's business.
        .replace(/(?<=\[done) in \d+ (s|min)( \d+ s)?/g, ' in ‹time›')
        .replace(/ in \d+ (s|min)( \d+ s)?/g, '')
        .replace(/\d{4}-\d\d-\d\d( \d\d:\d\d)?/g, '‹date›')
        .replace(/\(\d+ days?\)/g, '(‹n› days)'),
  };
}

function say(fields: object): string {
  const err = 'err' in fields ? fields.err : undefined;
  return err instanceof Error ? (err.stack ?? err.message) : JSON.stringify(fields);
}

export function buttonsIn(part: Part): readonly Button[] {
  if (part.kind === 'buttons') return part.buttons;
  return part.kind === 'menu' ? part.options : [];
}

/** A view as lines a person could read aloud. */
export function read(view: View, nameOf: (id: string) => string): string {
  return view.parts.map((part) => partLines(part, (text) => words(text, nameOf))).join('\n');
}

function words(text: Text, nameOf: (id: string) => string): string {
  return typeof text === 'string' ? text : text.map((span) => spanWords(span, nameOf)).join('');
}

const toneSigns = { info: 'i', success: '✓', warning: '!', error: '✕' } as const;

function partLines(part: Part, say: (text: Text) => string): string {
  switch (part.kind) {
    case 'heading':
      return `## ${part.text}${part.aside ? `  [${part.aside}]` : ''}`;
    case 'text':
      return say(part.text);
    case 'context':
      return `· ${say(part.text)}`;
    case 'notice':
      return `${toneSigns[part.tone]} ${say(part.text)}`;
    case 'fields':
      return part.fields.map(([label, value]) => `${label}: ${say(value)}`).join('\n');
    case 'table':
      return [part.columns.map((column) => column.name), ...part.rows.map((row) => row.map(say))]
        .map((row) => row.join(' │ '))
        .join('\n');
    case 'code':
      return part.text;
    case 'diff':
      return part.lines.map((line) => `${line.sign} ${line.text}`).join('\n');
    case 'divider':
      return '---';
    case 'buttons':
      return part.buttons.map((button) => `[${button.label}]`).join(' ');
    case 'menu':
      return `[${part.label} ▾ ${part.options.map((option) => option.label).join(' | ')}]`;
  }
}

function spanWords(span: Span, nameOf: (id: string) => string): string {
  if (typeof span === 'string') return span;
  if ('user' in span) return `@${nameOf(span.user)}`;
  if ('group' in span) return `@${nameOf(span.group)}`;
  if ('channel' in span) return `#${nameOf(span.channel)}`;
  if ('date' in span) return new Date(span.date).toISOString().slice(0, 10);
  if ('bold' in span) return span.bold;
  return 'code' in span ? span.code : span.text;
}
